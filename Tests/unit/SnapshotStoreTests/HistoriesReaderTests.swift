// SPDX-License-Identifier: MIT
import Testing
import TodayModel

@testable import SnapshotStore

/// From the rows of the table to histories.
struct HistoriesReaderTests {
    private typealias Line = (widget: String, name: String, number: Int64, value: Double)

    private static func read(_ lines: [Line]) -> (histories: [WidgetID: History], losses: [HistoriesReader.Loss]) {
        var reader = HistoriesReader()
        let losses = lines.compactMap {
            reader.add($0.widget, $0.name, $0.number, Sample($0.value, at: WallTime(microseconds: $0.number)))
        }
        return (reader.end(), losses)
    }

    @Test func eachSeriesHasItsRows() {
        let (histories, losses) = Self.read([
            ("org.example.a", "x", 5, 1), ("org.example.a", "x", 6, 2), ("org.example.a", "y", 0, 3),
            ("org.example.b", "y", 0, 4), ("org.example.b", "z", 9, 5),
        ])
        #expect(losses.isEmpty && histories.count == 2)
        let (a, b) = (histories[id("a")], histories[id("b")])
        #expect(a?.names == ["x", "y"] && b?.names == ["y", "z"])
        #expect(a?["x"]?.samples.map(\.value) == [1, 2] && a?["x"]?.first == 5 && a?["x"]?.end == 7)
        #expect(a?["y"]?.samples.map(\.value) == [3] && b?["y"]?.samples.map(\.value) == [4])
        #expect(a?["x"]?.samples.map(\.date.microseconds) == [5, 6] && b?["z"]?.first == 9)
        #expect(Self.read([]).histories.isEmpty)
    }

    static let unreadable: [(widget: String, name: String, number: Int64, value: Double)] = [
        ("org.example.a", "x\u{1b}", 8, 1), ("org.example.a", "", 8, 1), ("org.example.a", "x", -1, 1),
        ("org.example.a", "x", 1 << 53 + 1, 1), ("org.example.a", "x", 7, 1), ("org.example.a", "x", 6, 1),
        ("org.example.a", "x", 8, .infinity), ("org.example.a", "x", 8, .nan),
    ]

    @Test(arguments: unreadable)
    func aRowThatIsNoSampleIsLost(_ line: (widget: String, name: String, number: Int64, value: Double)) {
        let (histories, losses) = Self.read([("org.example.a", "x", 7, 1), line, ("org.example.b", "x", 0, 2)])
        #expect(losses == [.noSample(of: id("a"))])
        #expect(histories[id("a")]?["x"]?.samples.count == 1 && histories[id("b")]?["x"]?.samples.count == 1)
    }

    @Test func theRowsOfNoWidgetAreLost() {
        let (histories, losses) = Self.read([
            ("nobody", "x", 0, 1), ("nobody", "x", 1, 1), ("org.example.a", "x", 0, 2),
        ])
        #expect(losses == [.noWidget, .noWidget])
        #expect(histories.count == 1 && histories[id("a")]?["x"]?.samples.map(\.value) == [2])
    }

    /// The series goes on after its last number.
    @Test func aRowThatIsMissingCostsOneValue() {
        let (histories, losses) = Self.read([4, 5, 8].map { ("org.example.a", "x", $0, Double($0)) })
        #expect(losses.isEmpty)
        #expect(histories[id("a")]?["x"]?.samples.map(\.value) == [4, 5, 8])
        #expect(histories[id("a")]?["x"]?.end == 9 && histories[id("a")]?["x"]?.first == 6)
    }
}
