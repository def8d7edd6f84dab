// SPDX-License-Identifier: MIT

import Arguments
import Rendering
import Testing

@testable import TodayClient

@Suite struct EndpointTests {
    static let user = "/run/user/1000/todayd/todayd.sock"
    static let system = "/run/todayd/todayd.sock"

    @Test(
        arguments: [
            ([], [:], 1000, [user, system], user), ([], [:], 1000, [system], system), ([], [:], 1000, [], user),
            ([], [:], 0, [], system),
            ([], [:], 0, ["/run/user/0/todayd/todayd.sock"], "/run/user/0/todayd/todayd.sock"),
            (["--user"], [:], 1000, [system], user), (["--system"], [:], 1000, [user], system),
            (["--socket", "/x"], ["TODAYD_SOCKET": "/y"], 1000, [user], "/x"),
            ([], ["TODAYD_SOCKET": "/y"], 1000, [user], "/y"), (["--user"], ["TODAYD_SOCKET": "/y"], 1000, [], user),
            ([], ["TODAY_SOCKET": "/z"], 1000, [user], "/z"),
            ([], ["TODAYD_SOCKET": "/y", "TODAY_SOCKET": "/z"], 1000, [user], "/y"),
            ([], ["TODAYD_SOCKET": "", "TODAY_SOCKET": "/z"], 1000, [user], "/z"),
            (["--system"], ["TODAY_SOCKET": "/z"], 1000, [user], system),
            (["--socket", "/x"], ["TODAY_SOCKET": "/z"], 1000, [user], "/x"),
            ([], ["XDG_RUNTIME_DIR": "/tmp/r"], 1000, [], "/tmp/r/todayd/todayd.sock"),
            ([], ["TODAYD_SOCKET": "", "XDG_RUNTIME_DIR": ""], 1000, [], user),
        ] as [([String], [String: String], UInt32, [String], String)])
    func socketIsTheOneMeant(
        arguments: [String], variables: [String: String], uid: UInt32, existing: [String], path: String
    ) throws {
        let endpoint = Endpoint(
            try TodayControl.command.parse(arguments), environment: Environment { variables[$0] }, uid: uid,
            exists: { existing.contains($0) })
        #expect(endpoint.path == path)
    }

    @Test(
        arguments: [
            ([], [:], 1000, [system], true), ([], [:], 1000, [user, system], false), ([], [:], 1000, [], false),
            ([], [:], 0, [system], false), (["--system"], [:], 1000, [system], false),
            (["--user"], [:], 1000, [system], false), ([], ["TODAYD_SOCKET": "/y"], 1000, [system], false),
        ] as [([String], [String: String], UInt32, [String], Bool)])
    func theSystemsDaemonInPlaceOfTheUsersIsAFallback(
        arguments: [String], variables: [String: String], uid: UInt32, existing: [String], isFallback: Bool
    ) throws {
        let endpoint = Endpoint(
            try TodayControl.command.parse(arguments), environment: Environment { variables[$0] }, uid: uid,
            exists: { existing.contains($0) })
        #expect(endpoint.isFallback == isFallback)
    }

    @Test func whoCannotKnowWhereTheUsersSocketIsSaysSo() throws {
        let parsed = try TodayControl.command.parse(["--user"])
        let guessed = Endpoint(parsed, environment: Environment { _ in nil }, uid: 1000, exists: { _ in false })
        #expect(guessed.remedy.hasPrefix("XDG_RUNTIME_DIR is not set, so it was looked for at \(Self.user);"))
        let known = Endpoint(
            parsed, environment: Environment { $0 == "XDG_RUNTIME_DIR" ? "/r" : nil }, uid: 1000,
            exists: { _ in false })
        #expect(known.remedy == "systemctl --user start todayd.socket")
    }

    @Test(
        arguments: [
            ([:], .ascii), (["LANG": "C"], .ascii), (["LANG": "POSIX"], .ascii), (["LANG": "C.UTF-8"], .unicode),
            (["LANG": "de_CH.utf8@euro"], .unicode), (["LANG": "de_CH"], .ascii),
            (["LANG": "en_US.ISO-8859-1"], .ascii),
            (["LANG": "en_US.UTF-8", "LC_ALL": "C"], .ascii), (["LANG": "C", "LC_CTYPE": "C.UTF-8"], .unicode),
            (["LC_ALL": "", "LANG": "C.UTF-8"], .unicode),
        ] as [([String: String], Charset)])
    func charsetFollowsTheLocale(variables: [String: String], charset: Charset) {
        #expect(Environment { variables[$0] }.charset == charset)
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
        #expect(Environment { variables[$0] }.colors(choice: choice, isTerminal: isTerminal) == colors)
    }
}
