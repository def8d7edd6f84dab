// SPDX-License-Identifier: MIT
import JSON
import Reactor
import TestSupport
import Testing
import TodayModel

@testable import QueryService

/// Which permission each method needs, and what it reads before it answers.
@Suite struct PermissionTests {
    init() { TestLoop.start() }

    private static func disk(_ others: JSONObject = [:]) -> JSONObject {
        JSONObject([("id", "org.example.disk")] + others.map { ($0.key, $0.value) })
    }

    @Test(
        arguments: [
            ("SetHasContent", disk(["hasContent": true]), .widget(.disk)), ("Push", disk(), .widget(.disk)),
            ("Update", disk(), .widget(.disk)), ("PerformAction", disk(["action": "a"]), .widget(.disk)),
            ("SetEditing", disk(["editing": true]), .widget(.disk)),
            ("Enable", disk(), .choices), ("Disable", disk(), .choices), ("Move", disk(["to": "up"]), .choices),
            ("SetDisplayMode", disk(["mode": "compact"]), .choices),
            ("SetLockScreen", disk(["allowed": true]), .choices),
            ("Settings", disk(), .choices), ("SetSettings", disk(["values": [:]]), .choices),
            ("PrepareCommand", disk(["command": ["true"]]), .commands),
            ("Update", [:], .everything), ("Reload", [:], .everything),
            ("SetDefaults", ["group": "group.g", "key": "k"], .group("group.g")),
        ] as [(String, JSONObject, ChangeSubject)])
    func whatPermissionIsAskedFor(method: String, parameters: JSONObject, subject: ChangeSubject) async throws {
        let fixture = try await Fixture()
        await fixture.with {
            $0.backend.groups["group.g"] = [:]
            $0.backend.updateAnswers[.disk] = .refused
        }
        _ = try fixture.connect().today(method, parameters)
        #expect(await fixture.backend.asked == [subject])
    }

    @Test(
        arguments: [
            ("Show", [:]), ("Show", disk()), ("List", [:]), ("Status", [:]), ("HasContent", disk()),
            ("GetDefaults", ["group": "group.g"]), ("OpenURL", disk(["url": "example:x"])),
            ("Picture", disk(["image": "x"])),
        ] as [(String, JSONObject)])
    func readingNeedsNone(method: String, parameters: JSONObject) async throws {
        let fixture = try await Fixture()
        await fixture.with {
            $0.backend.groups["group.g"] = [:]
            $0.backend.mayChange = false
        }
        _ = try fixture.connect().today(method, parameters)
        #expect(await fixture.backend.asked.isEmpty)
    }

    @Test func aCommandIsPreparedForWhomItIsAllowed() async throws {
        let fixture = try await Fixture()
        let client = try fixture.connect()
        let command = Self.disk(["command": ["a", "b c"]])
        #expect(
            try client.today("PrepareCommand", command) == [
                "directory": "/of/org.example.disk", "environment": ["COMMAND": "a|b c"],
            ])
        await fixture.with { $0.backend.refusal = .refused("not that") }
        let refused = try client.error(of: "org.todayd.Today.PrepareCommand", command)
        #expect(refused == .refused("not that"))
        await fixture.with { $0.backend.mayChange = false }
        let denied = try client.error(of: "org.todayd.Today.PrepareCommand", command)
        #expect(denied == .permissionDenied)
        for wrong: JSON in ["true", [1], [["a"]], nil] {
            let error = try client.error(of: "org.todayd.Today.PrepareCommand", Self.disk(["command": wrong]))
            #expect(error == .invalidParameter("command"))
        }
    }

    @Test func aWidgetPressesButtonsAndDoesNotEdit() async throws {
        let fixture = try await Fixture()
        await fixture.with {
            $0.backend.clientsAreWidgets = true
            $0.backend.updateAnswers[.disk] = .noData
        }
        let client = try fixture.connect()
        _ = try client.today("PerformAction", Self.disk(["action": "a"]))
        for editing in [true, false] {
            let error = try client.error(of: "org.todayd.Today.SetEditing", Self.disk(["editing": .bool(editing)]))
            #expect(error == .refused("a widget does not edit itself"))
        }
        #expect(await fixture.backend.interactions == [.action("a")])
    }

    @Test func aWidgetThatSetsDefaultsIsTheirWriter() async throws {
        let fixture = try await Fixture()
        await fixture.with {
            $0.backend.groups["group.g"] = [:]
            $0.backend.client = .load
        }
        _ = try fixture.connect().today("SetDefaults", ["group": "group.g", "key": "k", "value": ["value": 1]])
        #expect(
            await fixture.backend.requests == [.defaults(group: "group.g", key: "k", value: 1, writer: .load)])
    }

    /// A manifest that was just written counts, even before the registry is told of it.
    @Test(arguments: ["HasContent", "Show", "Update", "Enable", "Status"])
    func whatIsNotKnownIsLookedForOnDisk(method: String) async throws {
        let fixture = try await Fixture()
        await fixture.with { fixture in
            fixture.backend.updateAnswers[.load] = .refused
            fixture.backend.onCatchUp = { [unowned fixture] in
                guard fixture.backend.shown[.load] == nil else { return }
                fixture.backend.put(.showing("new", .load))
                fixture.service.announce(changed: [.load])
            }
        }
        _ = try fixture.connect().today(method, ["id": "org.example.load"])
        #expect(await fixture.backend.catchUps == 1)
    }

    @Test func whatIsKnownIsNotLookedForOnDisk() async throws {
        let fixture = try await Fixture()
        let client = try fixture.connect()
        _ = try client.today("HasContent", Self.disk())
        _ = try client.today("Show", Self.disk())
        #expect(await fixture.backend.catchUps == 0)
    }

    /// A client that lists or updates all widgets expects the state on disk, so the service never caches these replies.
    @Test(arguments: ["List", "Update", "Status"]) func whatIsAskedOfAllIsAsOnDisk(method: String) async throws {
        let fixture = try await Fixture()
        await fixture.with { $0.backend.updateAnswers = [.disk: .refused, .load: .refused] }
        let client = try fixture.connect()
        let key = method == "Update" ? "answers" : "widgets"
        #expect(try client.today(method)[key]?.arrayValue?.count == 1)
        await fixture.with { fixture in
            fixture.backend.onCatchUp = { [unowned fixture] in
                fixture.backend.onCatchUp = {}
                fixture.backend.put(.showing("new", .load))
                fixture.service.announce(changed: [.load])
            }
        }
        #expect(try client.today(method)[key]?.arrayValue?.count == 2)
        #expect(await fixture.backend.catchUps == 2)
    }

    /// A widget has content until a client says otherwise.
    @Test func aFlagThatWasNeverSetIsTrue() async throws {
        let fixture = try await Fixture()
        await fixture.with { $0.backend.flags = [:] }
        #expect(try fixture.connect().today("HasContent", Self.disk()) == ["hasContent": true])
    }

    @Test func anAnnouncementOfNothingChangesNothing() async throws {
        let fixture = try await Fixture()
        let client = try fixture.connect()
        let start = BootTime.now
        _ = try client.today("Show")
        let call = Array(#"{"method":"org.todayd.Today.Show"}"#.utf8)
        func isKept(_ fixture: Fixture, at time: BootTime) async -> Bool {
            await fixture.with {
                $0.service.replyCache.reply(to: call[...], hash: CallScan.hash(of: call), now: time.microseconds) != nil
            }
        }
        await fixture.with { $0.service.announce(changed: []) }
        #expect(await isKept(fixture, at: start))
        for announce in [
            { $0.announce(changed: [.load]) }, { $0.announceEverything() }, { $0.announce(defaultsOf: "group.a") },
        ] as [@LoopActor (QueryService) -> Void] {
            let before = BootTime.now
            _ = try client.today("Show")
            let after = BootTime.now
            // Replies are kept for one second at most, because the backend has to learn that hosts look.
            #expect(await isKept(fixture, at: before + .milliseconds(900)))
            #expect(await !isKept(fixture, at: after + .seconds(1)))
            await fixture.with { announce($0.service) }
            #expect(await !isKept(fixture, at: before))
        }
    }
}
