// SPDX-License-Identifier: MIT
import Testing
import TodayModel

@testable import SnapshotStore

/// What of a widget's history waits for the disk.
struct PendingHistoryTests {
    /// A history and what of it waits. A step adds a value: `a` to the series `a`; `-a` ends the series `a`; `-` forgets
    /// the widget.
    private struct Course {
        var history = History()
        var pending = PendingHistory()
        private var second: Int64 = 0

        init(of names: String = "", values: Int = 0) {
            for _ in 0..<values { for name in names { add(String(name)) } }
            pending = PendingHistory()
        }

        private mutating func add(_ name: String) {
            second += 1
            let numbers = Metric(name, Double(second)).map { [$0] } ?? []
            _ = history.append(numbers, at: WallTime(microseconds: second * 1_000_000), limit: 5)
            pending.add([name], of: history, hasDropped: false)
        }

        mutating func take(_ step: String) {
            if step == "-" {
                (history, pending) = (History(), .ofForgotten)
            } else if step.hasPrefix("-") {
                history = History(history.series.filter { $0.key.text != step.dropFirst() })
                pending.add([], of: history, hasDropped: true)
            } else {
                add(step)
            }
        }

        /// The rows in words: `=ab` leaves only the series `a` and `b`, `a3..5>1` writes the numbers 3 and 4 of `a` and
        /// removes those before 1.
        var words: [String] {
            pending.rows(of: id("w")).map { row in
                switch row {
                case .endOfHistory(_, let kept): "=" + kept.sorted().joined()
                case .samples(_, let name, let series, let from): "\(name)\(from)..\(series.end)>\(series.first)"
                default: "\(row)"
                }
            }
        }
    }

    @Test(
        arguments: [
            ("", ""), ("a", "a2..3>0"), ("a a b", "a2..4>0 b2..3>0"), ("a a a a", "a2..6>1"),
            ("a a a a a a a", "a2..9>4"),
            // Series that have gone leave nothing.
            ("a -b", "=a a2..3>0"), ("a b -a", "=b b2..3>0"), ("-a -b", "="),
            // One that comes back is a new one.
            ("-a a a", "=b a0..2>0"), ("a -a a", "=b a0..1>0"), ("-a a -a", "=b"), ("-a b a", "=b a0..1>0 b2..3>0"),
            // A widget that is forgotten, and comes back.
            ("a -", "="), ("a - a", "= a0..1>0"), ("- a -a", "="), ("- c c", "= c0..2>0"),
        ])
    func changesAreCollapsed(steps: String, rows: String) {
        let steps = steps.split(separator: " ").map(String.init)
        let rows = rows.split(separator: " ").map(String.init)
        var course = Course(of: "ab", values: 2)
        for step in steps { course.take(step) }
        #expect(
            course.words.prefix(1) == rows.prefix(1) || rows.first?.hasPrefix("=") != true, "series are removed first")
        #expect(Set(course.words) == Set(rows))
        // Wherever a commit failed in between, the same is to be written.
        for place in 0...steps.count where !steps[place...].contains("-") {
            var failed = Course(of: "ab", values: 2)
            for step in steps[..<place] { failed.take(step) }
            let older = failed.pending
            failed.pending = PendingHistory()
            for step in steps[place...] { failed.take(step) }
            failed.pending.putBack(older)
            #expect(Set(failed.words) == Set(rows), "the first \(place) steps were put back")
        }
    }

    /// The disk is full for long, and each run or every 64th has a new name: what waits is as much as the history is.
    @Test(arguments: [1, 64]) func whatWaitsIsBounded(runsPerName: Int64) {
        var (histories, pending) = (KeptWidgets(), PendingHistory())
        for second in 0..<Int64(2_000) {
            let numbers = ["a", "n\(second / runsPerName)"].compactMap { Metric($0, 1) }
            let date = WallTime(microseconds: second * 1_000_000)
            let hasDropped = histories.append(numbers, of: id("w"), at: date)
            // Each commit fails.
            var next = PendingHistory()
            next.add(numbers.map(\.name), of: histories[id("w")].history, hasDropped: hasDropped)
            next.putBack(pending)
            pending = next
            guard second % 100 == 99 else { continue }
            let rows = pending.rows(of: id("w"))
            #expect(rows.count <= histories[id("w")].history.series.count + 1)
            for case .endOfHistory(_, let kept) in rows { #expect(kept.count <= History.mostNames) }
        }
        #expect(histories[id("w")].history.series.count == min(History.mostNames, 2_000 / Int(runsPerName) + 2))
    }
}
