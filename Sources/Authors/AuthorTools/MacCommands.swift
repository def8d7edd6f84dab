// SPDX-License-Identifier: MIT

import Spelling

/// The commands in a script that only macOS has, or that mean something else there, as plugins of xbar and SwiftBar use them.
enum MacCommands {
    struct Found: Equatable {
        let line: Int
        let reason: String
    }

    private static let most = 8

    /// The program, the beginning of its next word, and what to use instead.
    private static let known: [(program: String, argument: String, cure: String)] = [
        ("date", "-v", "date of GNU has -d, as in date -d '-1 day'"),
        ("date", "-j", "date of GNU reads a date with -d"),
        ("stat", "-f", "stat of GNU has -c for a format"), ("sed", "-i ''", "sed of GNU has -i without ''"),
        ("base64", "-D", "base64 of GNU has -d"), ("top", "-l", "top of Linux has -b -n 1"),
        ("md5", "-q", "Linux has md5sum"), ("sysctl", "-n hw.", "Linux has nproc, and files in /proc and /sys"),
        ("osascript", "", "notify-send shows a notification, and playerctl asks players"),
        ("pbcopy", "", "wl-copy and xclip copy"), ("pbpaste", "", "wl-paste and xclip -o paste"),
        ("defaults", "read", "Linux has gsettings"), ("defaults", "write", "Linux has gsettings"),
        ("sw_vers", "", "Linux has /etc/os-release"), ("pmset", "", "Linux has /sys/class/power_supply and upower"),
        ("ioreg", "", "Linux has files in /sys"), ("system_profiler", "", "Linux has lshw and files in /sys"),
        ("vm_stat", "", "Linux has free and /proc/meminfo"), ("networksetup", "", "Linux has nmcli and ip"),
        ("scutil", "", "Linux has nmcli and hostnamectl"), ("airport", "-", "Linux has iw and nmcli"),
        ("launchctl", "", "Linux has systemctl"), ("diskutil", "", "Linux has lsblk and udisksctl"),
        ("caffeinate", "", "Linux has systemd-inhibit"), ("mdfind", "", "Linux has find"),
        ("tmutil", "", "there is no Time Machine"), ("softwareupdate", "", "the package manager lists updates"),
    ]

    /// The commands found in a script, each program once. A script that asks which system it runs on is taken to know what it
    /// does.
    static func find(in script: String) -> [Found] {
        if ["darwin", "Darwin", "uname"].contains(where: script.includes) { return [] }
        var found: [Found] = []
        var seen: Set<String> = []
        for (index, line) in script.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let text = line.drop { $0 == " " || $0 == "\t" }
            if text.first == "#" || text.isEmpty || text.utf8.count > 4_096 { continue }
            for (program, argument, cure) in known where !seen.contains(program) && uses(program, argument, text) {
                seen.insert(program)
                let words = argument.isEmpty || argument == "-" ? program : "\(program) \(argument)"
                let verb = argument.isEmpty || argument == "-" ? "is a command" : "is the spelling"
                found.append(Found(line: index + 1, reason: "\(words) \(verb) of macOS: \(cure)"))
                if found.count == most { return found }
            }
        }
        return found
    }

    /// Whether a line has the program as a word of its own, or at the end of a path, before such an argument.
    private static func uses(_ program: String, _ argument: String, _ line: Substring) -> Bool {
        var rest = line
        while let start = rest.firstIndex(of: program.first ?? " ") {
            let tail = rest[start...]
            let isWord = start == line.startIndex || !isPart(line[line.index(before: start)])
            if isWord, tail.hasPrefix(program) {
                let after = tail.dropFirst(program.count)
                if after.first.map({ !isPart($0) && $0 != "/" && $0 != "=" }) ?? true {
                    if argument.isEmpty || after.drop(while: { $0 == " " }).hasPrefix(argument) { return true }
                }
            }
            rest = rest[rest.index(after: start)...]
        }
        return false
    }

    /// Whether a letter belongs to the name of a program. A slash does not: it ends the directory before the name.
    private static func isPart(_ letter: Character) -> Bool {
        letter.isLetter || letter.isNumber || letter == "_" || letter == "-" || letter == "." || letter == "$"
    }
}
