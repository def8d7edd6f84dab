// SPDX-License-Identifier: MIT

import JSON
import Testing
import TodayModel
import Varlink

@testable import TodayClient

@Suite struct LiveItemsTests {
    @Test func changesAreMergedInTheUsersOrder() throws {
        var live = LiveItems()
        _ = try live.apply(
            ["items": [Wire.item("org.a.b", position: 1), Wire.item("org.a.a", position: 0)], "removed": []],
            isFirst: true)
        #expect(live.items.map(\.id.text) == ["org.a.a", "org.a.b"])
        let changed = try live.apply(["items": [Wire.item("org.a.b", position: -1, text: "new")]], isFirst: false)
        #expect(changed.map(\.id.text) == ["org.a.b"])
        #expect(live.items.map(\.id.text) == ["org.a.b", "org.a.a"])
        #expect(live.items.first?.content?.text == "new")
    }

    @Test func whatHasLeftIsGone() throws {
        var live = LiveItems()
        _ = try live.apply(["items": [Wire.item("org.a.b"), Wire.item("org.a.c")]], isFirst: true)
        _ = try live.apply(["items": [], "removed": ["org.a.b"]], isFirst: false)
        #expect(live.items.map(\.id.text) == ["org.a.c"])
    }

    @Test func firstReplyAfterAReconnectIsEverything() throws {
        var live = LiveItems()
        _ = try live.apply(["items": [Wire.item("org.a.b")]], isFirst: true)
        _ = try live.apply(["items": [Wire.item("org.a.c")]], isFirst: true)
        #expect(live.items.map(\.id.text) == ["org.a.c"])
    }

    @Test(arguments: [
        (0, 60), (59, 1), (61, 59), (3_599, 1), (3_600, 3_600), (7_201, 3_599), (90_000, 82_800), (-5, 5),
    ])
    func nextChangeOfAnAgeIsKnown(age: Int64, seconds: Int64) throws {
        var live = LiveItems()
        _ = try live.apply(["items": [Wire.item("org.a.b")]], isFirst: true)
        #expect(live.nextAgeChange(after: WallTime(microseconds: age * 1_000_000)) == .seconds(seconds))
    }

    @Test(
        arguments: [
            ([], ExitCode.ok), ([.newData, .noData], .ok), ([.newData, .failed], .updateFailed),
            ([.refused], .updateFailed),
            ([.started], .timedOut), ([.deferred], .timedOut), ([.failed, .started], .timedOut),
        ] as [([UpdateAnswer.Answer], ExitCode)])
    func exitCodeIsOfTheWorst(answers: [UpdateAnswer.Answer], code: ExitCode) throws {
        var tally = UpdateTally()
        for (index, answer) in answers.enumerated() {
            let id = try #require(WidgetID("org.a.w\(index)"))
            _ = tally.apply([UpdateAnswer(id: id, answer: answer)])
        }
        #expect(tally.exitCode == code)
    }

    @Test func progressNamesWhoIsWaitedFor() throws {
        var tally = UpdateTally()
        let first = try #require(WidgetID("org.a.a"))
        let second = try #require(WidgetID("org.a.b"))
        #expect(tally.apply([.init(id: first, answer: .started), .init(id: second, answer: .joined)]).isEmpty)
        #expect(tally.apply([.init(id: first, answer: .newData)]).map(\.id) == [first])
        #expect(tally.line(after: .seconds(3)) == "1 of 2 updated, waiting for org.a.b (3 s)")
        #expect(tally.unfinishedList == "; not finished: org.a.b")
    }
}
