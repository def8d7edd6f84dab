// SPDX-License-Identifier: MIT

import ClientTestSupport
import JSON
import Testing

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
            ("lock-screen disk allow", "SetLockScreen", ["id": "disk", "allowed": true]),
            ("lock-screen disk deny", "SetLockScreen", ["id": "disk", "allowed": false]),
        ] as [(String, String, JSONObject)])
    func argumentsBecomeOneCall(line: String, member: String, parameters: JSONObject) throws {
        let parsed = try TodayControl.command.parse(line.split(separator: " ").map(String.init))
        let name = try #require(parsed.path.first)
        let type = try #require(TodayControl.commands.first { $0.command.name == name })
        let command = try #require(try type.init(parsed) as? any PlainCall)
        #expect(command.call.method == "org.todayd.Today.\(member)")
        #expect(command.call.parameters == parameters)
    }

    @Test(arguments: [("yes", true), ("off", false)]) func systemdsBooleansAreAccepted(word: String, flag: Bool) throws
    {
        let hasContent = SetHasContent(try TodayControl.command.parse(["set-has-content", "a", word]))
        #expect(hasContent.call.parameters["hasContent"] == .bool(flag))
        let lockScreen = SetLockScreen(try TodayControl.command.parse(["lock-screen", "a", word]))
        #expect(lockScreen.call.parameters["allowed"] == .bool(flag))
    }

    @Test(
        arguments: [
            ("show", [:]), ("show --point lock-screen", ["point": "lock_screen"]),
            ("show disk load", ["ids": ["disk", "load"]]), ("watch disk", ["id": "disk"]),
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
            (["--clear"], nil, nil),
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
        #expect(Defaults.value(text, isString: isString) == value)
    }

    @Test func defaultsTravelInsideAnObject() throws {
        let write = Defaults(try TodayControl.command.parse(["defaults", "write", "group.a", "currency", "CHF"]))
        #expect(write.call.member == "SetDefaults")
        #expect(write.call.parameters == ["group": "group.a", "key": "currency", "value": ["value": "CHF"]])
        let delete = Defaults(try TodayControl.command.parse(["defaults", "delete", "group.a", "currency"]))
        #expect(delete.call.parameters == ["group": "group.a", "key": "currency"])
        let read = Defaults(try TodayControl.command.parse(["defaults", "read", "group.a"]))
        #expect(read.call == ServiceCall("GetDefaults", ["group": "group.a"]))
    }

    /// A text in the place of FILE gets advice. For other files the error is that of the kernel.
    @Test(arguments: [("hello", "--text"), ("/", "Is a directory"), ("/dev/null/x", "Not a directory")])
    func aFileThatCannotBeReadIsWrongUsage(file: String, words: String) throws {
        let result = try Program().run(["push", "disk", file])
        #expect(result.code == .usage)
        #expect(result.errors.contains("'\(file)'") == (file == "hello") && result.errors.contains(words))
    }
}
