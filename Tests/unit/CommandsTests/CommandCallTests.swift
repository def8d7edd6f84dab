// SPDX-License-Identifier: MIT

import ClientTestSupport
import JSON
import Testing
import Varlink

@testable import Commands
@testable import Console
@testable import Link

/// The calls that command lines become.
@Suite struct CommandCallTests {
    @Test(
        arguments: [
            ("set-has-content disk false", "SetHasContent", ["id": "disk", "hasContent": false]),
            ("set-has-content disk true", "SetHasContent", ["id": "disk", "hasContent": true]),
            ("enable disk", "Enable", ["id": "disk"]), ("disable disk", "Disable", ["id": "disk"]),
            ("move disk up", "Move", ["id": "disk", "to": "up"]),
            ("move disk before load", "Move", ["id": "disk", "to": "before", "other": "load"]),
            ("expand disk", "SetDisplayMode", ["id": "disk", "mode": "expanded"]),
            ("collapse disk", "SetDisplayMode", ["id": "disk", "mode": "compact"]),
            ("enable --on lock-screen disk", "Enable", ["id": "disk", "point": "lock_screen"]),
            ("disable --from=status_bar disk", "Disable", ["id": "disk", "point": "status_bar"]),
        ] as [(String, String, JSONObject)])
    func argumentsBecomeOneCall(line: String, member: String, parameters: JSONObject) throws {
        let parsed = try TodayControl.command.parse(line.split(separator: " ").map(String.init))
        let name = try #require(parsed.path.first)
        let type = try #require(TodayControl.commands.first { $0.command.name == name })
        let command = try #require(try type.init(parsed) as? any PlainCall)
        #expect(command.calls == [ServiceCall(member, parameters)])
    }

    @Test(arguments: [("yes", true), ("off", false)]) func systemdsBooleansAreAccepted(word: String, flag: Bool) throws
    {
        let hasContent = SetHasContent(try TodayControl.command.parse(["set-has-content", "a", word]))
        #expect(hasContent.calls.map { $0.parameters["hasContent"] } == [.bool(flag)])
    }

    @Test(
        arguments: [
            ("show", [:]), ("show --point lock-screen", ["point": "lock_screen"]),
            ("show disk load", ["ids": ["disk", "load"]]), ("watch disk", ["id": "disk"]),
            ("watch --point status-bar --sort relevance --numbers --all", ["point": "status_bar"]),
        ] as [(String, JSONObject)])
    func showIsOneCall(line: String, parameters: JSONObject) throws {
        let parsed = try TodayControl.command.parse(line.split(separator: " ").map(String.init))
        #expect(try Show(parsed).view.call.parameters == parameters)
    }

    @Test(
        arguments: [
            (
                ["--text", "Done", "--severity", "good", "--ttl", "1h"], ["text": "Done", "severity": "good"],
                3_600_000_000
            ),
            (["--text", "x", "--percentage", "12.5"], ["text": "x", "percentage": 12.5], nil),
            (["--unset"], nil, nil),
        ] as [([String], JSON?, Int64?)])
    func pushPutsContentTogether(options: [String], content: JSON?, lifetime: Int64?) throws {
        let push = try Push(try TodayControl.command.parse(["push", "disk"] + options))
        let given: JSON? = if case .options(let object) = push.source { .object(object) } else { nil }
        var expected: JSONObject = ["id": "disk"]
        expected["content"] = content
        expected["ttl"] = lifetime.map(JSON.int)
        #expect(push.call(content: given).parameters == expected)
    }

    @Test(
        arguments: [
            ("5", false, 5), ("true", false, true), ("CHF", false, "CHF"), ("5", true, "5"), ("\"5\"", false, "5"),
            ("[1,2]", false, [1, 2]), ("{\"a\":null}", false, ["a": nil]), ("", false, ""), ("1.2.3", false, "1.2.3"),
        ] as [(String, Bool, JSON)])
    func defaultsTakeJSONOrAString(text: String, isString: Bool, value: JSON) {
        #expect(GroupDefaults.value(text, isString: isString) == value)
    }

    private func calls(_ words: [String]) throws -> [ServiceCall] {
        let config = try Config(try TodayControl.command.parse(["config", "--group", "group.a"] + words))
        return try #require(config.group).calls
    }

    @Test func defaultsTravelInsideAnObject() throws {
        let written: JSONObject = ["group": "group.a", "key": "currency", "value": ["value": "CHF"]]
        let removed: JSONObject = ["group": "group.a", "key": "days"]
        let read = ServiceCall("GetDefaults", ["group": "group.a"])
        #expect(try calls(["currency=CHF"]) == [ServiceCall("SetDefaults", written)])
        #expect(try calls(["--unset", "days", "currency=CHF"]).map(\.parameters) == [removed, written])
        #expect(try calls(["-u", "days"]) == [ServiceCall("SetDefaults", removed)])
        #expect(try calls([]) == [read] && calls(["days"]) == [read])
        let text: JSONObject = ["group": "group.a", "key": "n", "value": ["value": "5"]]
        #expect(try calls(["--string", "n=5"]).map(\.parameters) == [text])
    }

    // MARK: Several widgets

    @Test(
        arguments: [
            ("enable a b", "Enable", ["a", "b"]), ("disable b a", "Disable", ["b", "a"]),
            ("set-has-content a b off", "SetHasContent", ["a", "b"]),
            ("set-has-content true no", "SetHasContent", ["true"]),
            ("expand a b c", "SetDisplayMode", ["a", "b", "c"]), ("collapse a", "SetDisplayMode", ["a"]),
            // The order of the words is the order of the view, wherever they go.
            ("move a b first", "Move", ["b", "a"]), ("move a b last", "Move", ["a", "b"]),
            ("move a b up", "Move", ["a", "b"]), ("move a b down", "Move", ["b", "a"]),
            ("move a b before c", "Move", ["a", "b"]), ("move a b after c", "Move", ["b", "a"]),
            ("move first last", "Move", ["first"]),
        ])
    func eachWidgetIsOneCall(line: String, member: String, ids: [String]) throws {
        let parsed = try TodayControl.command.parse(line.split(separator: " ").map(String.init))
        let type = try #require(TodayControl.commands.first { $0.command.name == parsed.path.first })
        let calls = try #require(try type.init(parsed) as? any PlainCall).calls
        #expect(calls.map(\.member) == ids.map { _ in member })
        #expect(calls.map { $0.parameters["id"]?.stringValue } == ids)
    }

    /// A widget that is not there keeps no other from what is asked for it.
    @Test func oneMistakeHarmsNoOther() throws {
        let program = Program()
        let missing = VarlinkReply(Wire.noSuchWidget("b"))
        program.serve(connections: 100) { peer in
            while let call = peer.receive() {
                let reply = call.parameters["id"] == "b" ? missing : VarlinkReply([:])
                let answer: JSONObject = ["id": call.parameters["id"] ?? "x", "answer": "newData"]
                peer.send(
                    call.memberName == "Update" && reply.error == nil
                        ? VarlinkReply(["answers": [.object(answer)]]) : reply)
                // Connections are served one after the other, and an update has one for each widget.
                if call.memberName == "Update" { return }
            }
        }
        let result = try program.run(["enable", "a", "b", "c", "--json"])
        #expect(result.code == .noSuchWidget && result.output == "{}\n{}\n")
        #expect(result.errors == "todayctl: no widget 'b'; 'todayctl list' shows all\n")
        for word in ["disable", "expand", "collapse"] {
            #expect(try program.run([word, "a", "c", "--json"]).output == "{}\n{}\n", "\(word)")
        }
        let update = try program.run(["update", "org.a.a", "b", "org.a.c"])
        #expect(update.code == .noSuchWidget && update.output == "org.a.a: new content\norg.a.c: new content\n")
    }

    /// A text in the place of FILE gets advice. For other files the error is that of the kernel.
    @Test(arguments: [("hello", "--text"), ("/", "Is a directory"), ("/dev/null/x", "Not a directory")])
    func aFileThatCannotBeReadIsWrongUsage(file: String, words: String) throws {
        let result = try Program().run(["push", "disk", file])
        #expect(result.code == .usage)
        #expect(result.errors.contains("'\(file)'") == (file == "hello") && result.errors.contains(words))
    }
}
