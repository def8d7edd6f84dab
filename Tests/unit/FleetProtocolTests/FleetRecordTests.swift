// SPDX-License-Identifier: MIT
import FleetProtocol
import JSON
import TestSupport
import Testing
import TodayModel

@Suite struct FleetRecordTests {
    private static let me = FleetMember(id: "me", name: "here")

    private func record(
        _ result: FleetResult, after last: FleetRecord? = nil, interval: TimeSpan? = .minutes(10)
    ) -> FleetRecord {
        FleetRecord(Self.me, claim: 3, result, after: last, interval: interval, at: WallTime(microseconds: 7))
    }

    @Test func theLastGoodContentStays() {
        let good = record(FleetResult(.newData, content: "x"))
        let none = record(FleetResult(.noData), after: good)
        #expect(none.content == "x" && none.kind == .noData && none.wait == .minutes(10))
        let failed = record(FleetResult(.failed, failure: "no"), after: none)
        #expect(failed.content == "x" && failed.failure == "no")
        #expect(record(FleetResult(.newData, content: "y"), after: failed).content == "y")
    }

    /// As on one machine: 1, 4, 9 … minutes, and never longer than the interval.
    @Test func failuresWaitAsOnOneMachine() {
        var last: FleetRecord?
        for minutes in [1, 4, 9, 10, 10] as [Int64] {
            last = record(FleetResult(.failed, failure: "no"), after: last)
            #expect(last?.wait == .minutes(minutes))
        }
        #expect(record(FleetResult(.failed, failure: "no", wait: .hours(2)), after: last).wait == .hours(2))
        let good = record(FleetResult(.noData), after: last)
        #expect(good.failuresInARow == 0 && record(FleetResult(.failed), after: good).wait == .minutes(1))
        #expect(record(FleetResult(.failed), interval: nil).wait == .minutes(1))
        #expect(record(FleetResult(.noData), interval: nil).wait == nil)
        #expect(record(FleetResult(.noData, wait: .seconds(5))).wait == .seconds(5))
        // The date of a timeline has passed, or is far away.
        #expect(record(FleetResult(.noData, wait: .zero)).wait == .seconds(1))
        #expect(record(FleetResult(.noData, wait: .days(1_000))).wait == .days(366))
    }

    @Test func aRecordIsReadAsItWasWritten() throws {
        for record in [
            record(FleetResult(.newData, content: ["text": "x"])), record(FleetResult(.failed, failure: "no")),
            record(FleetResult(.noData), interval: nil),
        ] {
            #expect(try FleetRecord(JSONField(root: record.json)) == record)
        }
    }

    @Test func namesHaveALength() throws {
        for (member, name, isRead) in [(64, 256, true), (65, 256, false), (64, 257, false)] {
            let json: JSON = [
                "member": .string(String(repeating: "m", count: member)),
                "name": .string(String(repeating: "n", count: name)),
            ]
            #expect(((try? FleetMember(JSONField(root: json))) != nil) == isRead, "\(member) and \(name)")
        }
    }

    @Test(arguments: [
        ("{}", "format: is missing"), (#"{"format":2}"#, "newer today-fleet"), ("[]", "expected an object"),
        (#"{"format":1,"member":"m","name":"n","claim":-1}"#, "claim: "),
        (#"{"format":1,"member":"m","name":"n","claim":1,"result":"x"}"#, "result: "),
        (#"{"format":1,"member":"m","name":"n","claim":1,"result":"noData","date":1,"wait":-1}"#, "wait: "),
        (#"{"format":1,"member":"a\nb","name":"n","claim":1,"result":"noData","date":1}"#, "member: "),
    ]) func aForeignValueIsRefused(text: String, reason: String) throws {
        let field = JSONField(root: try JSON.parse(text))
        do throws(JSONMismatch) {
            let record = try FleetRecord(field)
            Issue.record("it was read: \(record)")
        } catch {
            #expect("\(error)".contains(reason), "\(error)")
        }
    }

    @Test func theReplyOfARunIsRead() throws {
        let text = #"{"result":"newData","content":{"text":"x"},"wait":5000000}"#
        let result = try FleetResult(JSONField(root: try JSON.parse(text)))
        #expect(result == FleetResult(.newData, content: ["text": "x"], wait: .seconds(5)))
        let failed = try FleetResult(JSONField(root: ["result": "failed", "failure": "no"]))
        #expect(failed == FleetResult(.failed, failure: "no"))
    }

    // MARK: Keys

    private static let keys = FleetKeys(prefix: "/todayd")
    private static let path = FleetPath(
        scope: "site:b", id: WidgetID("org.example.ci").unsafelyUnwrapped, hash: "1f")

    @Test func keysAreReadAsTheyWereWritten() {
        for part in FleetKeys.Part.allCases {
            let key = Self.keys.key(of: Self.path, part)
            #expect(key == "/todayd/w/site:b/org.example.ci/1f/\(part.rawValue)")
            #expect(Self.keys.subject(of: key) == .widget(Self.path, part))
        }
        #expect(Self.keys.subject(of: Self.keys.key(of: Self.me)) == .member("me"))
        #expect(Self.keys.keyOfPush(Self.path) == "/todayd/s/push/site:b/org.example.ci/1f")
        #expect(Self.keys.subject(of: Self.keys.keyOfPush(Self.path)) == .pushed(Self.path))
        let names: [SharedValues.Name] = [.hasContent(Self.path), .defaults("group.x")]
        for name in names { #expect(Self.keys.subject(of: Self.keys.key(of: name)) == .shared(name)) }
    }

    @Test(arguments: [
        "", "/", "/todayd", "/todayd/", "/todayd/x", "/todayd/m", "/todayd/m/a/b", "/todaydx/m/a",
        "/todayd/w/fleet/org.example.ci/1f", "/todayd/w/fleet/org.example.ci/1f/other",
        "/todayd/s", "/todayd/s/x/y", "/todayd/s/defaults", "/todayd/s/defaults/a/b", "/todayd/s/has-content/fleet/a.b",
        "/todayd/s/push/fleet/org.example.ci", "/todayd/s/push/fleet/../1f", "/todayd/s/push/fleet/a.b/1f/x",
        "/todayd/w/fleet/../1f/record", "/todayd/w/fleet/org.example.ci/1f/record/x",
    ]) func otherKeysAreNone(key: String) {
        #expect(Self.keys.subject(of: key) == nil)
    }

    @Test(arguments: [
        ("berlin-2", true), ("A_.9", true), ("", false), ("a/b", false), ("a b", false), ("ä", false),
        (String(repeating: "a", count: 64), true), (String(repeating: "a", count: 65), false),
    ]) func namesArePartsOfKeys(text: String, isName: Bool) {
        #expect(FleetPath.isName(text) == isName)
    }

    @Test func statusIsForPeople() throws {
        let good = record(FleetResult(.newData, content: "x"))
        let failed = record(FleetResult(.failed, failure: "no"))
        func pair(_ key: String, _ json: JSON) -> EtcdKeyValue {
            EtcdKeyValue(key: key, value: json.text, revision: 9)
        }
        let b = FleetPath(scope: "fleet", id: Self.path.id, hash: "2")
        let pushed = FleetPath(scope: "fleet", id: Self.path.id, hash: "3")
        let pairs = [
            pair("/todayd/m/me", ["member": "me", "name": "here", "priority": 3]),
            pair("/todayd/m/x", "nonsense"), pair("/todayd/y", 1),
            pair(Self.keys.key(of: Self.path, .record), good.json), pair(Self.keys.key(of: Self.path, .rest), ""),
            pair(Self.keys.keyOfPush(b), FleetPush(content: "x", member: "there").json),
            pair(Self.keys.keyOfPush(Self.path), FleetPush(member: "there").json),
            pair(Self.keys.keyOfPush(pushed), FleetPush(content: "x").json),
            pair(Self.keys.key(of: b, .record), failed.json), pair(Self.keys.key(of: b, .claim), Self.me.json),
        ]
        let text = FleetStatus(
            pairs, keys: Self.keys, here: [b: 8, Self.path: 9], at: WallTime(microseconds: 5_000_007)
        ).text
        #expect(
            text == """
                2 machines
                  here, priority 3
                  something that is not a member
                3 widgets
                  org.example.ci (fleet, 2)
                    revision 9, by here, 5s ago by its clock: failed: no
                    this machine still shows revision 8
                    here runs it
                    pushed by there
                  org.example.ci (fleet, 3)
                    due
                    pushed by an unknown machine
                  org.example.ci (site:b, 1f)
                    revision 9, by here, 5s ago by its clock: newData
                    rests

                """)
        let broken = FleetStatus(
            [EtcdKeyValue(key: Self.keys.key(of: b, .record), value: "{", revision: 2)], keys: Self.keys, at: .now)
        #expect(broken.text.contains("revision 2: not understood") && broken.text.contains("due"))
    }
}
