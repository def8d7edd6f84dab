// SPDX-License-Identifier: MIT
import TestSupport
import Testing
import TodayModel

@testable import SnapshotStore

/// What of histories waits for the disk.
struct PendingHistoriesTests {
    /// A change: `a0`, `a1` is a part of the series `a` with its number, `a3>2` one whose parts before 2 have gone; `=ab`
    /// says that only the series `a` and `b` stay; `-` forgets the widget.
    private static func add(_ steps: [String], to pending: inout PendingHistories) throws {
        for step in steps {
            if step == "-" {
                pending.forget(id("w"))
            } else if step.hasPrefix("=") {
                pending.add([.ends(except: step.dropFirst().map { String($0) })], of: id("w"))
            } else {
                let words = step.dropFirst().split(separator: ">")
                let number = try #require(words.first.flatMap { Int64($0) })
                let oldest = words.count > 1 ? try #require(Int64(words[1])) : 0
                let sample = Sample(1, at: WallTime(microseconds: 0))
                let part = SeriesPart(number, of: Series([sample], first: number * SeriesPart.length))
                pending.add([.part(name: String(step.prefix(1)), part, oldest: oldest)], of: id("w"))
            }
        }
    }

    /// The rows in the same words, those of one name in order.
    private static func words(_ pending: PendingHistories) -> [String] {
        var ends: [String] = []
        var parts: [String] = []
        var written: Set<WidgetID> = []
        for row in pending.rows {
            switch row {
            case .endOfHistory(let id, let kept):
                #expect(!written.contains(id), "series are removed before their rows are written")
                ends.append("=" + kept.joined())
            case .samples(let id, let name, let part, let oldest):
                written.insert(id)
                parts.append(oldest > 0 ? "\(name)\(part.number)>\(oldest)" : "\(name)\(part.number)")
            default: Issue.record("\(row)")
            }
        }
        return ends + parts.sorted()
    }

    @Test(
        arguments: [
            ([], []), (["a0"], ["a0"]), (["a0", "a0", "a1", "b0"], ["a0", "a1", "b0"]),
            // Old parts go.
            (["a0", "a1", "a2>1"], ["a1>1", "a2>1"]), (["a0", "a9>9"], ["a9>9"]),
            // Series that have gone leave nothing, however many they are.
            (["a0", "b0", "=b"], ["=b", "b0"]), (["a0", "=bc", "=cd", "=de"], ["="]),
            (["=abc", "=bcd", "=bce"], ["=bc"]),
            // One that comes back is a new one.
            (["a7", "=b", "a0"], ["=b", "a0"]), (["a7", "=b", "a0", "=ab"], ["=b", "a0"]),
            (["=b", "=ab"], ["=b"]),
            // A widget that is forgotten, and comes back.
            (["a0", "-"], ["="]), (["a0", "-", "b0"], ["=", "b0"]), (["-", "b0", "=b"], ["=", "b0"]),
            (["-", "b0", "-"], ["="]),
        ] as [([String], [String])])
    func changesAreCollapsed(steps: [String], rows: [String]) throws {
        var pending = PendingHistories()
        try Self.add(steps, to: &pending)
        #expect(Self.words(pending) == rows)
        #expect(pending.isEmpty == steps.isEmpty)
        // Wherever a commit failed in between, the same is to be written.
        for place in 0...steps.count {
            var older = PendingHistories()
            try Self.add(Array(steps.prefix(place)), to: &older)
            var newer = PendingHistories()
            try Self.add(Array(steps.dropFirst(place)), to: &newer)
            newer.putBack(older)
            #expect(Self.words(newer) == rows, "the first \(place) steps were put back")
        }
    }

    @Test func eachWidgetHasItsOwn() throws {
        var pending = PendingHistories()
        try Self.add(["a0", "=a"], to: &pending)
        pending.forget(id("other"))
        #expect(Set(Self.words(pending)) == ["=", "=a", "a0"])
        #expect(pending.rows.contains(.endOfHistory(id("other"), except: [])))
    }

    /// The disk is full for long, and each run or every 64th has a new name: what waits is as much as the histories are.
    @Test(arguments: [1, 64]) func whatWaitsIsBounded(runsPerName: Int64) throws {
        var (histories, pending) = (Histories(), PendingHistories())
        for second in 0..<Int64(2_000) {
            let numbers = ["a", "n\(second / runsPerName)"].compactMap { Metric($0, 1) }
            let changes = histories.append(numbers, of: id("w"), at: WallTime(microseconds: second * 1_000_000))
            var next = PendingHistories()
            for (id, changes) in changes { next.add(changes, of: id) }
            // Each commit fails.
            next.putBack(pending)
            pending = next
            guard second % 100 == 99 else { continue }
            let rows = pending.rows
            #expect(rows.count <= histories.rows.count + 1)
            for case .endOfHistory(_, let kept) in rows { #expect(kept.count <= History.mostNames) }
        }
        #expect(histories[id("w")].series.count == min(History.mostNames, 2_000 / Int(runsPerName) + 2))
    }
}
