// SPDX-License-Identifier: MIT
import JSON
import Testing
import TodayModel

@testable import SnapshotStore

struct GroupCommitTests {
    private var commit = GroupCommit()

    @Test mutating func nothingToDoIsNoCommit() {
        #expect(commit.begin() == nil)
        #expect(commit.isIdle)
    }

    @Test mutating func everythingThatWaitsIsOneCommit() throws {
        try commit.enqueue(.choice(id("a"), .enabled(true)), 1)
        try commit.enqueue(.choice(id("b"), .enabled(true)), 2)
        commit.record { $0.add(own: own("x"), of: id("c"), contentChanged: true) }
        #expect(commit.begin()?.count == 3)
        #expect(commit.begin() == nil)
        let settlement = commit.succeed()
        #expect(settlement.succeeded == [1, 2])
        #expect(settlement.widgets == [id("a"), id("b")])
        #expect(commit.isIdle)
    }

    @Test mutating func aChangeIsVisibleAfterItsCommit() throws {
        try commit.enqueue(.choice(id("a"), .enabled(true)), 1)
        #expect(commit.committed.choices.isEmpty)
        _ = commit.begin()
        #expect(commit.committed.choices.isEmpty)
        _ = commit.succeed()
        #expect(commit.committed.choices[id("a")]?.enabled == true)
    }

    @Test mutating func whatComesDuringACommitWaitsForTheNext() throws {
        try commit.enqueue(.choice(id("a"), .enabled(true)), 1)
        _ = commit.begin()
        try commit.enqueue(.choice(id("b"), .enabled(true)), 2)
        #expect(commit.succeed().succeeded == [1])
        commit.record { $0.add(own: own("own"), of: id("c"), contentChanged: true) }
        var enabled = Choices()
        enabled.enabled = true
        let change = Row.choices(id("b"), enabled)
        let rows = commit.begin()
        #expect(rows == [change, .own(id("c"), own("own"), contentChanged: true)])
        #expect(commit.changesUnderWay == [change])
        #expect(commit.succeed().succeeded == [2])
        #expect(commit.changesUnderWay.isEmpty)
    }

    @Test mutating func changesInARowBuildOnEachOther() throws {
        let all = ids("a b c")
        try commit.enqueue(.move(id("c"), .up, among: all), 1)
        _ = commit.begin()
        try commit.enqueue(.move(id("c"), .up, among: all), 2)
        _ = commit.succeed()
        _ = commit.begin()
        _ = commit.succeed()
        #expect(commit.committed.order(of: all) == ids("c a b"))
    }

    /// Also on one that has waited for the commit before.
    @Test mutating func aChangeBuildsOnThoseThatWait() throws {
        let all = ids("a b c")
        try commit.enqueue(.choice(id("a"), .enabled(true)), 1)
        _ = commit.begin()
        try commit.enqueue(.move(id("c"), .up, among: all), 2)
        _ = commit.succeed()
        try commit.enqueue(.move(id("c"), .up, among: all), 3)
        _ = commit.begin()
        #expect(commit.succeed().succeeded == [2, 3])
        #expect(commit.committed.order(of: all) == ids("c a b"))
    }

    @Test mutating func afterAFailureTheWaitingAreMadeOnWhatIsCommitted() throws {
        let all = ids("a b c")
        try commit.enqueue(.move(id("c"), .first, among: all), 1)
        _ = commit.begin()
        try commit.enqueue(.move(id("b"), .up, among: all), 2)
        let settlement = commit.fail(keepingRecords: true)
        #expect(settlement.failed == [1])
        #expect(settlement.widgets.isEmpty)
        _ = commit.begin()
        #expect(commit.succeed().succeeded == [2])
        #expect(commit.committed.order(of: all) == ids("b a c"))
    }

    @Test mutating func whatWaitsIsBoundedByItsMemory() throws {
        // 64 KB as text, and far more in memory.
        let value = JSON.array(Array(repeating: 0, count: 30_000))
        #expect(value.bytes > 30_000 * 8)
        var taken = 0
        let refusal: Refusal?
        do throws(Refusal) {
            while true {
                try commit.enqueue(.defaults(group: "g.g", key: "k", value: value), UInt64(taken))
                taken += 1
            }
        } catch {
            refusal = error
        }
        #expect(refusal?.isNotStored == true)
        #expect(taken <= GroupCommit.mostWaitingBytes / value.bytes + 1)
        _ = commit.begin()
        _ = commit.succeed()
        try commit.enqueue(.defaults(group: "g.g", key: "k", value: value), 1_000)
    }

    /// A group with room for one more key; the commit that would make room for another is under way, and `x` waits for it.
    private mutating func failToMakeRoom() throws {
        for number in 0..<StoreLimits.keysPerGroup - 1 {
            try commit.enqueue(.defaults(group: "g.g", key: "\(number)", value: 1), UInt64(number))
        }
        _ = commit.begin()
        _ = commit.succeed()
        try commit.enqueue(.defaults(group: "g.g", key: "0", value: nil), 2_000)
        _ = commit.begin()
        try commit.enqueue(.defaults(group: "g.g", key: "x", value: 1), 2_001)
    }

    @Test mutating func aChangeThatIsImpossibleAfterAFailureIsRefused() throws {
        try failToMakeRoom()
        try commit.enqueue(.defaults(group: "g.g", key: "y", value: 1), 2_002)
        _ = commit.fail(keepingRecords: true)
        _ = commit.begin()
        let settlement = commit.succeed()
        #expect(settlement.succeeded == [2_001])
        #expect(settlement.refused.map(\.ticket) == [2_002])
    }

    /// What comes after a failure is judged by what is committed, and not by what has failed.
    @Test mutating func afterAFailureAFullGroupTakesNoMore() throws {
        try failToMakeRoom()
        _ = commit.fail(keepingRecords: true)
        #expect(throws: Refusal.self) { try commit.enqueue(.defaults(group: "g.g", key: "y", value: 1), 2_002) }
    }

    /// The change was refused when its commit began, so it gets that refusal although the commit failed.
    @Test mutating func aChangeThatWasRefusedIsRefusedWhenItsCommitFails() throws {
        try failToMakeRoom()
        try commit.enqueue(.defaults(group: "g.g", key: "y", value: 1), 2_002)
        _ = commit.fail(keepingRecords: true)
        _ = commit.begin()
        let settlement = commit.fail(keepingRecords: true)
        #expect(settlement.succeeded.isEmpty)
        #expect(settlement.failed == [2_001])
        #expect(settlement.refused.map(\.ticket) == [2_002])
    }

    @Test mutating func recordsAreTriedAgainWithTheNextCommitOnly() throws {
        commit.record { $0.add(own: own("x"), of: id("a"), contentChanged: true) }
        _ = commit.begin()
        _ = commit.fail(keepingRecords: true)
        #expect(commit.begin() == nil)
        #expect(!commit.isIdle)
        try commit.enqueue(.choice(id("b"), .enabled(true)), 1)
        let rows = commit.begin() ?? []
        #expect(rows.contains(.own(id("a"), own("x"), contentChanged: true)))
        #expect(rows.count == 2)
    }

    @Test mutating func aNewerSnapshotReplacesTheOneThatFailed() {
        commit.record { $0.add(own: own("old"), of: id("a"), contentChanged: true) }
        _ = commit.begin()
        var confirmed = own("old")
        confirmed.confirmed = WallTime(microseconds: 7)
        commit.record { [confirmed] in $0.add(own: confirmed, of: id("a"), contentChanged: false) }
        _ = commit.fail(keepingRecords: true)
        #expect(commit.begin() == [.own(id("a"), confirmed, contentChanged: true)])
    }

    /// A forgotten record does not come back either.
    @Test mutating func whatHasComeSinceIsNewerThanWhatFailed() {
        var log = UpdateLog()
        let entry = log.append(outcome("gone", .noData).logEntry)
        commit.record {
            $0.add(pushed: pushed("old"), to: id("a"))
            $0.add(WidgetMemory(largestMode: .compact), of: id("a"))
            $0.add(entry, of: id("gone"))
        }
        _ = commit.begin()
        commit.record {
            $0.add(pushed: pushed("new"), to: id("a"))
            $0.add(WidgetMemory(largestMode: .expanded), of: id("a"))
            $0.forget(id("gone"))
        }
        _ = commit.fail(keepingRecords: true)
        let rows = commit.begin() ?? []
        #expect(rows.contains(.pushed(id("a"), pushed("new"))))
        #expect(rows.contains(.memory(id("a"), WidgetMemory(largestMode: .expanded))))
        #expect(rows.contains(.endOfLog(id("gone"))))
        #expect(!rows.contains(.run(id("gone"), entry)))
    }

    /// There must be as many writers as revisions, or a widget's own changes would count as another client's.
    @Test mutating func aDefaultThatStaysTheSameHasNoWriter() throws {
        try commit.enqueue(.defaults(group: "g.g", key: "k", value: 1, writer: id("a")), 1)
        try commit.enqueue(.defaults(group: "g.g", key: "k", value: 1, writer: id("b")), 2)
        _ = commit.begin()
        let settlement = commit.succeed()
        #expect(settlement.groups == ["g.g": [id("a")]])
        #expect(commit.committed.revisions == ["g.g": 1])
    }

    @Test mutating func aRemovedSnapshotStaysRemoved() {
        commit.record { $0.add(own: own("old"), of: id("a"), contentChanged: true) }
        _ = commit.begin()
        commit.record { $0.add(own: nil, of: id("a"), contentChanged: true) }
        _ = commit.fail(keepingRecords: true)
        #expect(commit.begin() == [.own(id("a"), nil, contentChanged: true)])
    }

    @Test mutating func recordsToBlameAreDropped() {
        commit.record { $0.add(own: own("x"), of: id("a"), contentChanged: true) }
        _ = commit.begin()
        _ = commit.fail(keepingRecords: false)
        #expect(commit.isIdle)
    }

    @Test mutating func runsThatWaitAreBounded() {
        var log = UpdateLog()
        for _ in 0..<3 {
            for _ in 0..<40 {
                let entry = log.append(outcome("a", .noData).logEntry)
                commit.record { $0.add(entry, of: id("a")) }
            }
            _ = commit.begin()
            _ = commit.fail(keepingRecords: true)
        }
        #expect(commit.begin(evenWithoutNews: true) == log.entries.map { .run(id("a"), $0) })
    }

    @Test mutating func aChangeOfNothingHasNoRows() throws {
        try commit.enqueue(.choice(id("a"), .hasContent(true)), 1)
        #expect(commit.begin() == [])
        #expect(commit.succeed().succeeded == [1])
    }
}
