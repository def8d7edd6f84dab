// SPDX-License-Identifier: MIT
import Testing

@testable import AuthorTools

/// What `lint` says of scripts that were written on a Mac.
@Suite struct MacCommandsTests {
    private static let found: [(script: String, line: Int?, words: String)] = [
        ("#!/bin/sh\ndate -v-1d +%F\n", 2, "date -v is the spelling of macOS: date of GNU has -d"),
        ("x=$(date -v +1d)", 1, "date -v"), ("x=`date   -j -f %s 1`", 1, "date -j"), ("/bin/date -v-1d", 1, "date -v"),
        ("date -d yesterday", nil, ""), ("update -v", nil, ""), ("date +%F -v", nil, ""), ("mydate -v", nil, ""),
        ("date-v", nil, ""), ("echo date", nil, ""),
        ("osascript -e 'tell'", 1, "osascript is a command of macOS: notify-send"),
        ("/usr/bin/osascript", 1, "osascript"),
        ("myosascript -e", nil, ""), ("osascript.py", nil, ""), ("$osascript", nil, ""), ("osascript=1", nil, ""),
        ("# osascript\n  # pbcopy", nil, ""), ("echo x | pbcopy", 1, "pbcopy"),
        ("subprocess.run(['pbpaste'])", 1, "pbpaste"),
        ("sysctl -n hw.ncpu", 1, "sysctl -n hw."), ("sysctl -n vm.swappiness", nil, ""),
        ("stat -f %z a", 1, "stat -f"), ("stat -c %s a", nil, ""), ("sed -i '' s/a/b/ f", 1, "sed -i ''"),
        ("sed -i s/a/b/ f", nil, ""), ("airport -I", 1, "airport is a command"), ("flights from the airport", nil, ""),
        ("case $OSTYPE in darwin*) date -v-1d ;; esac", nil, ""), ("[ \"$(uname)\" = Linux ] || pbcopy", nil, ""),
        ("", nil, ""),
    ]

    @Test(arguments: found.indices) func aCommandHasItsLine(index: Int) {
        let (script, line, words) = Self.found[index]
        let complaints = MacCommands.find(in: script)
        #expect(complaints.map(\.line) == (line.map { [$0] } ?? []), "\(script)")
        #expect(complaints.allSatisfy { $0.reason.hasPrefix(words) })
    }

    @Test func eachIsSaidOnceAndTheyEnd() {
        #expect(MacCommands.find(in: "pbcopy\npbcopy\ndate -v\npbcopy").map(\.line) == [1, 3])
        let all = "osascript\npbcopy\npbpaste\nsw_vers\npmset\nioreg\nvm_stat\nscutil\nlaunchctl\ndiskutil\n"
        #expect(MacCommands.find(in: all).map(\.line) == Array(1...8))
    }
}
