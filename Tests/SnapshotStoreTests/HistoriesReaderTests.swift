// SPDX-License-Identifier: MIT
import SQLite
import TestSupport
import Testing
import TodayModel

@testable import SnapshotStore

/// From the rows of the table to histories.
struct HistoriesReaderTests {
    private static func words(_ samples: [Sample]) -> [UInt64] {
        samples.flatMap { [UInt64(bitPattern: $0.date.microseconds), $0.value.bitPattern] }
    }

    private static func samples(_ count: Int, from first: Int = 0) -> [Sample] {
        (first..<first + count).map { Sample(Double($0), at: WallTime(microseconds: Int64($0))) }
    }

    // MARK: Parts

    @Test func partsAreReadAsTheyAreWritten() throws {
        let samples = [(0, 1e308), (Int64.min, -0.0), (.max, .leastNonzeroMagnitude), (-1, -1e308)].map {
            Sample($0.1, at: WallTime(microseconds: $0.0))
        }
        let series = Series(samples, first: 30)
        let parts = [SeriesPart(0, of: series), SeriesPart(1, of: series)]
        #expect(parts.map(\.samples.count) == [2, 2] && parts.map(\.first) == [30, 32])
        // As SQLite keeps them.
        let database = try Database(path: ":memory:", mode: .memory)
        let statement = try database.prepare("SELECT ?")
        var reader = SeriesReader()
        for part in parts {
            statement.reset()
            try statement.bind([.blob(part.bytes)])
            #expect(try statement.step())
            let isAdded = reader.add(part.number, first: part.first, words: statement.words(0))
            #expect(isAdded)
        }
        let read = reader.end()
        #expect(read == series)
        let nothing = reader.end()
        #expect(nothing == nil)
    }

    /// A part between others is lost: the newest keep their numbers.
    @Test func theNewestSamplesKeepTheirNumbers() {
        var reader = SeriesReader()
        let isAdded = [
            reader.add(0, first: 0, words: Self.words(Self.samples(32))),
            reader.add(9, first: 300, words: Self.words(Self.samples(4, from: 300))),
        ]
        #expect(isAdded == [true, true])
        let series = reader.end()
        #expect(series?.end == 304 && series?.first == 268 && series?.samples.count == 36)
    }

    @Test func whatIsNoPartIsRefused() {
        let one = Self.words(Self.samples(1))
        let two: [UInt64] = one + one
        let odd: [UInt64] = one + [1]
        let notANumber: [UInt64] = [1, Double.nan.bitPattern]
        let endless: [UInt64] = one + [1, Double.infinity.bitPattern]
        let tooMany = Self.words(Self.samples(33))
        let bad: [(Int64, Int64, [UInt64]?)] = [
            (0, 0, nil), (0, 0, []), (0, 0, [1]), (0, 0, odd), (1, 0, one), (0, 32, one), (-1, -1, one),
            (Int64.max / 32, Int64.max, one), (0, 31, two), (0, 0, notANumber), (0, 0, endless), (0, 0, tooMany),
        ]
        var reader = SeriesReader()
        for (number, first, words) in bad {
            let isAdded = reader.add(number, first: first, words: words)
            #expect(!isAdded, "\(number), \(first), \(words ?? [])")
        }
        let nothing = reader.end()
        #expect(nothing == nil, "what is refused adds nothing")
        let isAdded = reader.add(0, first: 31, words: one)
        #expect(isAdded)
    }

    // MARK: Rows

    /// A row: the widget, the name and the samples from a number on.
    private typealias Line = (widget: String, name: String, first: Int, count: Int)

    private static func read(_ lines: [Line]) -> (histories: [WidgetID: History], losses: [HistoriesReader.Loss]) {
        var reader = HistoriesReader()
        var losses: [HistoriesReader.Loss] = []
        for line in lines {
            let number = Int64(line.first) / SeriesPart.length
            let words = words(samples(line.count, from: line.first))
            let loss = reader.add(line.widget, line.name, number, first: Int64(line.first), words: words)
            if let loss { losses.append(loss) }
        }
        return (reader.end(), losses)
    }

    private static func values(_ history: History?, _ name: String) -> [Int] {
        history?[name]?.samples.map { Int($0.value) } ?? []
    }

    @Test func seriesEndWithTheirNameAndTheirWidget() {
        let (histories, losses) = Self.read([
            ("org.example.a", "x", 0, 32), ("org.example.a", "x", 32, 2), ("org.example.a", "y", 5, 1),
            ("org.example.b", "y", 7, 2), ("org.example.b", "z", 1, 1),
        ])
        #expect(losses.isEmpty && histories.count == 2)
        let (a, b) = (histories[id("a")], histories[id("b")])
        #expect(a?.names == ["x", "y"] && b?.names == ["y", "z"])
        #expect(Self.values(a, "x") == Array(0..<34) && Self.values(a, "y") == [5])
        #expect(Self.values(b, "y") == [7, 8] && Self.values(b, "z") == [1])
        #expect(a?["y"]?.first == 5 && a?["x"]?.end == 34)
    }

    @Test func eachRowThatIsLostIsNamed() {
        let (histories, losses) = Self.read([
            ("", "x", 0, 1), ("nobody", "x", 0, 1), ("nobody", "x", 32, 1), ("org.example.a", "", 0, 1),
            ("org.example.a", "x", 0, 1), ("org.example.a", "x\u{1b}", 0, 1), ("org.example.a", "y", 0, 0),
            ("org.example.b", "y", 0, 33),
        ])
        let lost = HistoriesReader.Loss.noPart(of: id("a"))
        #expect(losses == [.noWidget, .noWidget, .noWidget, lost, lost, lost, .noPart(of: id("b"))])
        #expect(histories.count == 1 && histories[id("a")]?.names == ["x"])
    }

    /// A damaged table may have its rows in any order.
    @Test func rowsInAnotherOrderLoseNothing() {
        let (histories, losses) = Self.read([
            ("org.example.a", "x", 0, 2), ("org.example.b", "x", 0, 1), ("org.example.a", "y", 0, 1),
            ("org.example.a", "x", 32, 2), ("org.example.a", "y", 1, 1), ("org.example.a", "x", 64, 1),
        ])
        #expect(losses.isEmpty)
        let a = histories[id("a")]
        #expect(Self.values(a, "x") == [0, 1, 32, 33, 64] && Self.values(a, "y") == [0, 1])
        #expect(a?["x"]?.end == 65 && a?["x"]?.first == 60)
    }
}
