// SPDX-License-Identifier: MIT

import ClientTestSupport
import JSON
import Testing
import Varlink

@testable import Commands
@testable import Console

/// What shells get for the words that they complete.
@Suite struct CompletionTests {
    static let ids = [
        "org.todayd.disk", "org.todayd.crypticker.btc", "org.example.disk", "org.example.moon", "moon.base",
    ]

    @Test(arguments: [
        ("", ["todayd.disk", "btc", "example.disk", "moon", "base"]), ("m", ["moon"]), ("moon.", ["moon.base"]),
        ("d", []),
        ("b", ["btc", "base"]), ("crypt", ["crypticker.btc"]), ("disk", []), ("todayd.d", ["todayd.disk"]),
        ("org.t", ["org.todayd.disk", "org.todayd.crypticker.btc"]), ("org.example.moon", ["org.example.moon"]),
        ("x", []),
    ])
    func shortIdentifiersAreOfferedFirst(word: String, names: [String]) {
        #expect(ShortIdentifiers(Self.ids).completions(of: word) == names)
    }

    @Test func aWholeIdentifierMayBeTheEndOfAnother() {
        #expect(ShortIdentifiers(["a.b", "x.a.b"]).completions(of: "a") == ["a.b"])
        #expect(ShortIdentifiers(["a.b", "x.a.b"]).completions(of: "") == ["a.b", "x.a.b"])
    }

    /// Menus have links and commands, which have no action.
    @Test func itemsAreOfferedByTheirTitles() throws {
        let program = Program()
        let link: JSON = ["type": "item", "title": "Open it", "url": "https://example.org"]
        let menu = Wire.item("org.a.menu") { $0["compact"] = .array([link, button]) }
        program.serve([
            "List": [VarlinkReply(["widgets": [Wire.item("org.a.plain"), menu]])],
            "Show": [VarlinkReply(["items": [menu], "removed": []])],
        ])
        #expect(try program.run(["complete", "--", "", "perform"]).output == "menu\n")
        program.serve(["Show": [VarlinkReply(["items": [menu], "removed": []])]])
        #expect(try program.run(["complete", "--", "", "perform", "menu"]).output == "done 1\nOpen it\n")
    }

    private let button: JSON = ["type": "button", "title": "Done", "action": "done 1"]

    private func answer(_ arguments: [String]) throws -> Program.Result {
        let program = Program()
        let clock = Wire.item("org.a.clock", change: ["allowsEditing": true])
        let hidden = Wire.item("org.a.away", state: "hidden", change: ["allowsEditing": true])
        let agenda = Wire.item("org.a.agenda") { $0["compact"] = .array([button, button]) }
        program.serve(connections: 3) { peer in
            while let call = peer.receive() {
                switch call.memberName {
                case "List": peer.send(VarlinkReply(["widgets": [clock, hidden, agenda]]))
                case _ where call.parameters["id"] == "gone": peer.send(VarlinkReply(Wire.noSuchWidget("gone")))
                case "Show": peer.send(VarlinkReply(["items": [agenda], "removed": []]))
                default: peer.send(VarlinkReply(["series": [["name": "due", "count": 3, "samples": []]]]))
                }
            }
        }
        return try program.run(["complete", "--"] + arguments)
    }

    @Test(
        arguments: [
            (["", "update"], "clock\naway\nagenda\n"), (["a", "update", "--quiet"], "away\nagenda\n"),
            (["a", "update", "clock"], "away\nagenda\n"), (["", "edit"], "clock\n"), (["", "perform"], "agenda\n"),
            (["", "perform", "agenda"], "done 1\n"), (["do", "perform", "agenda"], "done 1\n"),
            (["s", "get", "agenda"], "state\nseverity\nstale\n"),
            (["h", "get", "agenda"], "history.due\nhas-content\n"),
            (["x", "perform", "agenda"], ""), (["", "perform", "gone"], ""),
            (["comp"], "completion\tprint the completion script for a shell\n"), (["b", "completion"], "bash\n"),
            (["--num", "show"], "--numbers\tNumber what can be pressed or opened, starting at 1 in each widget\n"),
            (["", "import", "--allow"], "network\nsession\nfiles\nmachine\nall\nnothing\n"),
            (["", "lint"], "\tfiles\n"),
        ] as [([String], String)])
    func completePrintsTheCandidates(arguments: [String], output: String) throws {
        #expect(try answer(arguments) == .init(code: .ok, output: output, errors: ""))
    }

    /// Without todayd, what the command says itself is offered.
    @Test func wordsNeedNoDaemon() throws {
        let result = try Program().run(["complete", "--", "", "set-has-content", "clock"])
        #expect(result == .init(code: .ok, output: "true\nfalse\n", errors: ""))
    }

    @Test func editAndPerformCompleteTheirOwnKinds() {
        for command in TodayControl.command.subcommands where !command.isHidden {
            let completions = command.positionals.map(\.completion)
            #expect(completions.contains(CompletionKind.editable.completion) == (command.name == "edit"))
            #expect(completions.contains(CompletionKind.actions.completion) == (command.name == "perform"))
        }
    }
}
