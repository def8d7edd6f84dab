// SPDX-License-Identifier: MIT
import JSON
import Reactor
import TestSupport
import Testing
import TodayModel
import Varlink

@testable import QueryService

/// The method History.
@Suite struct HistoryTests {
    init() { TestLoop.start() }

    private static let id: JSON = "org.example.disk"

    private static func fixture() async throws -> Fixture {
        let fixture = try await Fixture()
        await fixture.with {
            for (second, value) in [62, 61.5, -0.0].enumerated() {
                let numbers = [Metric("used", value), Metric("é", 1)].compactMap { $0 }
                _ = $0.backend.numbers.append(numbers, at: WallTime(microseconds: Int64(second) * 1_000_000))
            }
        }
        return fixture
    }

    @Test func valuesOfOneNumberComeWithTheirDates() async throws {
        let client = try await Self.fixture().connect()
        #expect(
            try client.today("History", ["id": Self.id, "name": "used"])["series"] == [
                [
                    "name": "used", "count": 3,
                    "samples": [
                        ["time": 0, "value": 62.0], ["time": 1_000_000, "value": 61.5],
                        ["time": 2_000_000, "value": -0.0],
                    ],
                ]
            ])
        #expect(
            try client.today("History", ["id": Self.id, "name": "used", "last": 1])["series"]
                == [["name": "used", "count": 3, "samples": [["time": 2_000_000, "value": -0.0]]]])
    }

    @Test func withoutANameTheLastValuesOfAllCome() async throws {
        let client = try await Self.fixture().connect()
        #expect(
            try client.today("History", ["id": Self.id])["series"] == [
                ["name": "used", "count": 3, "samples": [["time": 2_000_000, "value": -0.0]]],
                ["name": "é", "count": 3, "samples": [["time": 2_000_000, "value": 1.0]]],
            ])
        let two = try client.today("History", ["id": Self.id, "last": 2])["series"]?.arrayValue ?? []
        #expect(two.map { $0["samples"]?.arrayValue?.count } == [2, 2])
        #expect(
            try client.today("History", ["id": Self.id, "name": nil, "last": 0])["series"] == [
                ["name": "used", "count": 3, "samples": []], ["name": "é", "count": 3, "samples": []],
            ])
        #expect(try client.today("History", ["id": Self.id, "name": "e\u{301}"])["series"] == [])
        #expect(try client.today("History", ["id": Self.id, "name": ""])["series"] == [])
    }

    @Test(
        arguments: [
            ("id", ["name": "used"]), ("last", ["id": id, "last": -1]), ("last", ["id": id, "last": 1.5]),
            ("last", ["id": id, "last": 1_000_000_000_000]), ("name", ["id": id, "name": 1]),
            ("first", ["id": id, "first": 1]),
        ] as [(String, JSONObject)])
    func wrongParametersAreNamed(parameter: String, parameters: JSONObject) async throws {
        let client = try await Self.fixture().connect()
        #expect(try client.error(of: "org.todayd.Today.History", parameters) == .invalidParameter(parameter))
    }

    @Test func anUnknownWidgetIsAnErrorAndEveryClientMayRead() async throws {
        let fixture = try await Self.fixture()
        await fixture.with { $0.backend.mayChange = false }
        let client = try fixture.connect()
        #expect(
            try client.error(of: "org.todayd.Today.History", ["id": "x"])?.name == "org.todayd.Today.NoSuchWidget")
        #expect(try client.today("History", ["id": Self.id])["series"]?.arrayValue?.count == 2)
        #expect(await fixture.backend.asked.isEmpty)
    }

    /// What a call may cost: all names with their values are no longer a reply than one full series.
    @Test(arguments: [(nil, 1), (0, 0), (10, 10), (1_000, 15), (2_147_483_647, 15)] as [(Int?, Int)])
    func allNumbersShareOneReply(last: Int?, length: Int) async throws {
        let fixture = try await Fixture()
        await fixture.with { fixture in
            let names = (0..<History.mostNames).map { String(repeating: "n", count: 60) + "\($0)" }
            let numbers = names.compactMap { Metric($0, -1.2345678901234567e-300) }
            for second in 0..<Int64(Series.most) {
                let date = WallTime(microseconds: (second + 1 << 30) * 1_000_000)
                _ = fixture.backend.numbers.append(numbers, at: date)
            }
        }
        let client = try fixture.connect()
        var parameters: JSONObject = ["id": Self.id]
        if let last { parameters["last"] = JSON(last) }
        let reply = try client.today("History", parameters)["series"]?.arrayValue ?? []
        #expect(reply.count == History.mostNames)
        #expect(reply.allSatisfy { $0["count"] == JSON(Series.most) })
        #expect(reply.allSatisfy { $0["samples"]?.arrayValue?.count == length })
        let newest: JSON = .int(((Int64(Series.most) - 1) + 1 << 30) * 1_000_000)
        if length > 0 { #expect(reply.allSatisfy { $0["samples"]?.arrayValue?.last?["time"] == newest }) }
        // Of one number all can be had.
        parameters["name"] = reply.first?["name"]
        let one = try client.today("History", parameters)["series"]?.arrayValue ?? []
        #expect(one.first?["samples"]?.arrayValue?.count == min(last ?? Series.most, Series.most))
    }
}
