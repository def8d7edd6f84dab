// SPDX-License-Identifier: MIT
import JSON
import Reactor
import TestSupport
import Testing
import TodayModel

@testable import QueryService

/// What the service looks for on disk before it answers, and how long it keeps an answer.
@Suite struct CatchingUpTests {
    init() { TestLoop.start() }

    private static let disk: JSONObject = ["id": "org.example.disk"]

    @Test(
        arguments: [
            ("Show", [:]), ("Show", disk), ("List", [:]), ("Status", [:]), ("GetDefaults", ["group": "group.g"]),
        ] as [(String, JSONObject)])
    func readingNeedsNoPermission(method: String, parameters: JSONObject) async throws {
        let fixture = try await Fixture()
        await fixture.with {
            $0.backend.groups["group.g"] = [:]
            $0.backend.mayChange = false
        }
        _ = try fixture.connect().today(method, parameters)
        #expect(await fixture.backend.askers.isEmpty)
    }

    /// A manifest that was just written counts, even before the registry is told of it.
    @Test(arguments: ["HasContent", "Show", "Enable", "Status"])
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
        _ = try client.today("HasContent", Self.disk)
        _ = try client.today("Show", Self.disk)
        #expect(await fixture.backend.catchUps == 0)
    }

    /// A client that lists or updates all widgets expects the state on disk, so the service never caches these replies.
    @Test(arguments: ["List", "Status"]) func whatIsAskedOfAllIsAsOnDisk(method: String) async throws {
        let fixture = try await Fixture()
        let client = try fixture.connect()
        #expect(try client.today(method)["widgets"]?.arrayValue?.count == 1)
        await fixture.with { fixture in
            fixture.backend.onCatchUp = { [unowned fixture] in
                fixture.backend.onCatchUp = {}
                fixture.backend.put(.showing("new", .load))
                fixture.service.announce(changed: [.load])
            }
        }
        #expect(try client.today(method)["widgets"]?.arrayValue?.count == 2)
        #expect(await fixture.backend.catchUps == 2)
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
