// SPDX-License-Identifier: MIT
import Glibc
import JSON
import TestSupport
import Testing
import TodayModel
import Varlink

@testable import QueryService

/// Each limit: the last value that is allowed, and the first that is not.
@Suite struct QueryLimitsTests {
    init() { TestLoop.start() }

    private static func call(bytes: Int) -> String {
        let (start, end) = (#"{"method":"org.todayd.Today.Show""#, "}")
        return start + String(repeating: " ", count: bytes - start.utf8.count - end.utf8.count) + end
    }

    @Test(
        arguments: [
            (1_000, [1_001]), (1_000, [999, 1, 1]), (1_000, [1_000, 1]), (1_000, [1, 1_000]),
            (1_001, [1_002]), (1_001, [1_000, 2]), (1_001, [1_001]), (1_001, [500, 502]),
        ] as [(Int, [Int])])
    func aCallMayBeSoLong(bytes: Int, pieces: [Int]) async throws {
        var limits = QueryLimits()
        limits.callBytes = 1_000
        let fixture = try await Fixture(limits: limits)
        let client = try await fixture.admit()
        var rest = (Self.call(bytes: bytes) + "\0")[...]
        var received = 0
        for piece in pieces {
            guard client.sendIfOpen(String(rest.prefix(piece))) else { break }
            rest = rest.dropFirst(piece)
            received += piece
            let all = received
            // The service reads each piece separately, and counts bytes that are not a whole call.
            if !rest.isEmpty {
                try await fixture.eventually("the piece") {
                    $0.service.waitingInput == all || $0.service.connectionCount == 0
                }
            }
        }
        if bytes <= limits.callBytes {
            #expect(try client.receive().result().texts == ["42 %"])
            #expect(await fixture.service.waitingInput == 0)
        } else {
            try client.awaitClosing()
            let report = try await fixture.troubles.next().description
            #expect(report.hasSuffix("\(FramingError(limit: 1_000))"))
        }
    }

    @Test(arguments: [1_000, 1_001, 2_000, 2_001], [0, 1, 700])
    func aClientThatMayChangeNothingSaysLess(bytes: Int, piece: Int) async throws {
        for mayChange in [false, true] {
            var limits = QueryLimits()
            (limits.callBytes, limits.readerCallBytes) = (2_000, 1_000)
            let fixture = try await Fixture(limits: limits)
            await fixture.with { $0.backend.mayChange = mayChange }
            let client = try await fixture.admit()
            let call = Self.call(bytes: bytes) + "\0"
            _ = client.sendIfOpen(String(call.prefix(piece)))
            try await fixture.eventually("the piece") { $0.service.waitingInput == piece }
            _ = client.sendIfOpen(String(call.dropFirst(piece)))
            if bytes <= (mayChange ? 2_000 : 1_000) {
                #expect(try client.receive().result().texts == ["42 %"])
            } else {
                try client.awaitClosing()
                let report = try await fixture.troubles.next().description
                let limit = bytes > 2_000 ? "2000 bytes" : "1000 bytes from a client that may change nothing"
                #expect(report.hasSuffix("a message longer than \(limit)"))
            }
            #expect(await fixture.backend.asked.allSatisfy { $0 == .anything })
        }
    }

    /// Several calls together may be longer than the limit of one call.
    @Test func manyShortCallsMayExceedTheLengthOfOne() async throws {
        var limits = QueryLimits()
        limits.callBytes = 100
        limits.callsPerTurn = 7
        let fixture = try await Fixture(limits: limits)
        let client = try await fixture.admit()
        try client.sendRaw(String(repeating: Self.call(bytes: 90) + "\0", count: 40))
        for _ in 0..<40 { #expect(try client.receive().result().texts == ["42 %"]) }
        #expect(await fixture.service.waitingInput == 0)
    }

    @Test(arguments: [(256, "org.varlink.service.InterfaceNotFound"), (257, "org.varlink.service.MethodNotFound")])
    func aMethodMayHaveSoLongAName(bytes: Int, error: String) async throws {
        let method = "org." + String(repeating: "x", count: bytes - 6) + ".M"
        #expect(method.utf8.count == bytes)
        #expect(try await Fixture().connect().error(of: method)?.name == error)
    }

    @Test func aParameterThatDoesNotExistIsNamedByItsBeginning() async throws {
        let client = try await Fixture().connect()
        let letters = String(repeating: "x", count: 64)
        #expect(
            try client.error(of: "org.todayd.Today.List", [letters: 1]) == .invalidParameter(letters))
        #expect(
            try client.error(of: "org.todayd.Today.List", [letters + "y": 1])
                == .invalidParameter(letters + "…"))
    }

    @Test func aReplyMayBeAsLongAsTheLimit() async throws {
        let reply = try await Fixture().connect().today("Show")
        let size = VarlinkReply(reply).encoded().count
        for (limit, isAnswered) in [(size, true), (size - 1, false)] {
            var limits = QueryLimits()
            limits.replyBytes = limit
            let client = try await Fixture(limits: limits).connect()
            if isAnswered {
                #expect(try client.today("Show") == reply)
            } else {
                let reason =
                    "the answer has \(size) bytes, and one reply \(limit): ask for less, as for one widget"
                #expect(try client.error(of: "org.todayd.Today.Show") == .limitReached(reason))
            }
        }
    }

    @Test func incompleteCallsMayHoldAsMuchAsTheLimit() async throws {
        var limits = QueryLimits()
        limits.waitingInputBytes = 1_000
        let fixture = try await Fixture(limits: limits)
        let client = try await fixture.admit()
        try client.sendRaw(String(repeating: "x", count: 1_000))
        try await fixture.eventually("what was sent") { $0.service.waitingInput == 1_000 }
        #expect(await fixture.service.connectionCount == 1)
        try client.sendRaw("x")
        try client.awaitClosing()
        #expect(await fixture.service.waitingInput == 0)
        let report = try await fixture.troubles.next().description
        #expect(report == "limit reached for user 7000: too many calls that are not complete")
    }

    @Test func unreadRepliesMayHoldAsMuchAsTheLimit() async throws {
        // What the socket does not take is as much each time.
        var held = QueryLimits().waitingOutputBytes
        for (excess, isKept) in [(0, true), (0, true), (1, false)] {
            var limits = QueryLimits()
            limits.waitingOutputBytes = held - excess
            let fixture = try await Fixture(limits: limits)
            await fixture.with {
                $0.backend.groups["group.a"] = ["k": .string(String(repeating: "y", count: 900_000))]
            }
            let deaf = try await fixture.admit()
            try deaf.send(VarlinkCall("org.todayd.Today.GetDefaults", ["group": "group.a"]))
            if isKept {
                try await fixture.eventually("what waits") { $0.service.waitingOutput > 300_000 }
                try await fixture.passRound()
                #expect(await fixture.service.connectionCount == 1)
                held = await fixture.service.waitingOutput
                #expect(try deaf.receive().result()["values"] != nil)
            } else {
                try await fixture.eventually("its end") { $0.service.connectionCount == 0 }
                #expect(try await fixture.troubles.next().description.hasSuffix("too many replies that are not read"))
            }
            try await fixture.eventually("nothing that waits") { $0.service.waitingOutput == 0 }
        }
    }

    @Test func aClientThatLeavesUnreadRepliesHoldsNothing() async throws {
        let fixture = try await Fixture()
        await fixture.with { $0.backend.groups["group.a"] = ["k": .string(String(repeating: "y", count: 900_000))] }
        let deaf = try fixture.connect()
        try deaf.follow("GetDefaults", ["group": "group.a"])
        try await fixture.eventually("the reply that waits") { $0.service.waitingOutput > 300_000 }
        deaf.connection.close()
        try await fixture.eventually("the end") { $0.service.connectionCount == 0 }
        try await fixture.passRound()
        #expect(await fixture.with { $0.service.waitingOutput } == 0)
    }

    /// The service ignores what a client sends after a violation.
    @Test func afterAViolationNoCallIsCarriedOut() async throws {
        let fixture = try await Fixture()
        for rest in [#"{"method":"org.todayd.Today.Enable","parameters":{"id":"org.example.disk"}}"# + "\0", "xxxx"] {
            let client = try await fixture.admit()
            try client.sendRaw("nonsense\0" + rest)
            try client.awaitClosing()
            #expect(await fixture.service.waitingInput == 0)
            #expect(await fixture.service.connectionCount == 0)
        }
        #expect(await fixture.backend.requests.isEmpty)
        let report = try await fixture.troubles.next().description
        #expect(report.hasPrefix("closed a connection of process \(getpid()) of user 7000: "))
    }

    /// Limits that docs/protocol.md does not list: how long connections and the loop wait for each other.
    @Test func eachLimitHasItsDefault() {
        let limits = QueryLimits()
        #expect([limits.connections, limits.connectionsPerUser, limits.connectionsForRoot] == [4_096, 1_024, 32])
        #expect([limits.callsPerTurn, limits.gatheredBytes] == [64, 65_536])
        #expect([limits.callBytes, limits.readerCallBytes] == [4_194_304, 65_536])
        #expect([limits.replyBytes, limits.viewBytes] == [16_777_216, 12_582_912])
        #expect([limits.waitingInputBytes, limits.waitingOutputBytes] == [67_108_864, 67_108_864])
        let times = [
            limits.timePerTurn, limits.timePerRound, limits.silentPatience, limits.stopPatience, limits.updatePatience,
        ]
        #expect(times.map(\.microseconds) == [1_000, 2_000, 500_000, 5_000_000, 40_000_000])
    }

    @Test(
        arguments: [
            (0, [64, 16, 8]), (319, [64, 16, 8]), (320, [64, 16, 8]), (321, [65, 16, 8]), (4_351, [4_095, 1_023, 32]),
            (4_352, [4_096, 1_024, 32]), (1 << 30, [4_096, 1_024, 32]),
        ])
    func theNumberOfDescriptorsLimitsConnections(descriptors: Int, expected: [Int]) {
        let limits = QueryLimits(descriptors: descriptors)
        #expect([limits.connections, limits.connectionsPerUser, limits.connectionsForRoot] == expected)
    }

    @Test func aViewThatIsTooLongLosesTheLargestContents() async throws {
        var limits = QueryLimits()
        limits.viewBytes = 100_000
        let long = Item.showing(String(repeating: "x", count: 90_000), .numbered(1))
        let others = [Item.showing("before", .numbered(0)), .showing("after", .numbered(2))]
        let fixture = try await Fixture([others[0], long, others[1]], limits: limits)
        let client = try fixture.connect()
        #expect(try client.today("Show").texts.count == 3)
        await fixture.change(Item.showing(String(repeating: "y", count: 50_000), .numbered(2)))
        let follower = try fixture.connect()
        try follower.follow("Show")
        for reply in [try client.today("Show"), try follower.news(of: "Show")] {
            let items = try #require(reply["items"]?.arrayValue)
            #expect(items.map { $0["content"] != nil } == [true, false, true])
            let failure = try #require(items[1]["failure"]?.stringValue)
            #expect(failure.hasSuffix("is too much for one reply with all others"))
        }
        #expect(try client.today("List")["widgets"]?.arrayValue?.count == 3)
        #expect(try client.today("Show", ["id": "org.example.w1"]).texts.first?.utf8.count == 90_000)
    }

    @Test func aReplyBeyondWhatClientsReadIsAnError() async throws {
        var limits = QueryLimits()
        limits.replyBytes = 1_000
        let fixture = try await Fixture([.showing(String(repeating: "x", count: 1_000))], limits: limits)
        let error = try fixture.connect().error(of: "org.todayd.Today.Show")
        #expect(error?.name == "org.todayd.Today.LimitReached")
        #expect(error?.parameters["reason"]?.stringValue?.hasSuffix("ask for less, as for one widget") == true)
    }
}
