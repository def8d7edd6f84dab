// SPDX-License-Identifier: MIT
import Testing
import TodayModel

@testable import Rendering

/// Blocks of lines in a frame, in one column or two.
@Suite struct FramedBoxTests {
    private static let ascii = Presentation(width: 80, charset: .ascii, now: WallTime(microseconds: 0))

    private func lines(_ width: Int, _ blocks: [[String]]) -> [String] {
        let box = FramedBox(title: "T", width: width, Self.ascii)
        return box.lines(blocks.map { $0.map { StyledLine(Printable($0, .ascii)) } }).map { $0.text() }
    }

    @Test func oneColumnHasBlankLinesBetweenBlocks() {
        #expect(
            lines(10, [["ab"], ["cd", "ef"]]) == [
                "+ T -----+", "| ab     |", "|        |", "| cd     |", "| ef     |", "+--------+",
            ])
        #expect(FramedBox(title: "T", width: 10, Self.ascii).room == 6)
        #expect(FramedBox(title: "T", width: 1, Self.ascii).room == 1)
    }

    @Test func twoColumnsShareTheRoom() {
        let width = 96
        #expect(FramedBox(title: "T", width: width, Self.ascii).room == (width - 6) / 2)
        let rows = lines(width, [["a1", "a2", "a3"], ["b1", "b2"]])
        #expect(rows.count == 5 && rows.allSatisfy { $0.count == width })
        let (one, other) = ("a1" + String(repeating: " ", count: 43), "b1" + String(repeating: " ", count: 43))
        #expect(rows[1] == "| \(one)  \(other) |")
        #expect(rows[3].hasPrefix("| a3 ") && !rows[3].contains("b"))
    }
}
