// SPDX-License-Identifier: MIT

import Glibc
import Platform
import Rendering
import Testing

@testable import Commands
@testable import Console

/// What the variables of the terminal mean for what is printed.
@Suite struct OutputTests {
    @Test(
        arguments: [
            ([:], .ascii), (["LANG": "C"], .ascii), (["LANG": "POSIX"], .ascii), (["LANG": "C.UTF-8"], .unicode),
            (["LANG": "de_CH.utf8@euro"], .unicode), (["LANG": "de_CH"], .ascii),
            (["LANG": "en_US.ISO-8859-1"], .ascii),
            (["LANG": "en_US.UTF-8", "LC_ALL": "C"], .ascii), (["LANG": "C", "LC_CTYPE": "C.UTF-8"], .unicode),
            (["LC_ALL": "", "LANG": "C.UTF-8"], .unicode),
        ] as [([String: String], Charset)])
    func charsetFollowsTheLocale(variables: [String: String], charset: Charset) {
        #expect(EnvironmentVariables { variables[$0] }.charset == charset)
    }

    private func output(to descriptor: Int32) throws -> CommandOutput {
        try CommandOutput(
            try TodayControl.command.parse(["list"]), environment: EnvironmentVariables { _ in nil }, to: descriptor,
            errors: descriptor)
    }

    /// `todayctl list | head -1` is no error, and a full disk is one.
    @Test func aReaderMayLeave() throws {
        var ends: [Int32] = [0, 0]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        close(ends[0])
        defer { close(ends[1]) }
        let before = signal(SIGPIPE, SIG_IGN)
        defer { signal(SIGPIPE, before) }
        #expect(throws: CommandOutput.ReaderLeft.self) { try output(to: ends[1]).write("x") }
        let full = open("/dev/full", O_WRONLY | O_CLOEXEC)
        defer { close(full) }
        #expect {
            try output(to: full).write("x")
        } throws: {
            "\($0)" == "cannot write: No space left on device"
        }
    }

    /// Of a file, as of a terminal that does not know its size.
    @Test func anUnknownSizeIsThatOfATerminal() throws {
        let file = open("/dev/null", O_WRONLY | O_CLOEXEC)
        defer { close(file) }
        let output = try output(to: file)
        #expect(output.screenSize.columns == 80 && output.screenSize.rows == 24)
        #expect(output.size.columns == 80 && output.size.rows == 24)
    }

    @Test(
        arguments: [
            (nil, true, ["TERM": "xterm"], .sixteen), (nil, false, ["TERM": "xterm"], .none),
            (nil, true, ["TERM": "dumb"], .none), (nil, true, [:], .none),
            (nil, true, ["TERM": "xterm-256color"], .indexed),
            (nil, true, ["TERM": "xterm", "COLORTERM": "truecolor"], .direct),
            (nil, true, ["TERM": "xterm", "NO_COLOR": "1"], .none),
            (nil, true, ["TERM": "xterm", "NO_COLOR": ""], .sixteen),
            ("always", false, ["NO_COLOR": "1"], .sixteen), ("never", true, ["TERM": "xterm"], .none),
        ] as [(String?, Bool, [String: String], ColorDepth)])
    func coloursGoToTerminalsOnly(
        choice: String?, isTerminal: Bool, variables: [String: String], colors: ColorDepth
    ) {
        #expect(EnvironmentVariables { variables[$0] }.colors(choice: choice, isTerminal: isTerminal) == colors)
    }
}
