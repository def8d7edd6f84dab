// SPDX-License-Identifier: MIT
import Spelling
import TodayModel

/// The rows of a view. Only the first ones are kept: hosts show a few dozen, but a program may print any number.
struct RowList {
    /// More rows than any display mode has.
    static let most = 200
    static let mostBytes = 262_144
    private static let mostButtons = 8

    private(set) var rows: [View] = []
    private var bytes = 0
    private var leftOut = 0

    /// - Parameter bytes: the length of the texts in the row, which the caller has shortened.
    mutating func add(_ row: View, bytes length: Int) {
        guard rows.count < Self.most, leftOut == 0, bytes + length <= Self.mostBytes else {
            leftOut += 1
            return
        }
        rows.append(row)
        bytes += length
    }

    /// Consecutive buttons are placed side by side.
    mutating func add(button: View.Button) {
        let bytes = button.title.utf8.count + button.action.utf8.count
        switch rows.last {
        case .button? where leftOut == 0:
            rows[rows.count - 1] = .stack(.init(.horizontal, [rows[rows.count - 1], .button(button)]))
        case .stack(var stack)?
        where stack.axis == .horizontal && stack.children.count < Self.mostButtons && leftOut == 0:
            stack.children.append(.button(button))
            rows[rows.count - 1] = .stack(stack)
        default: return add(.button(button), bytes: bytes)
        }
        self.bytes += bytes
    }

    /// Adds a line of output. A monospaced font keeps columns aligned.
    mutating func add(line: String) {
        let line = LenientText.withoutSpaceAtTheEnd(LenientText.line(line))
        var text = View.Text(line)
        text.style = .monospace
        add(.text(text), bytes: line.utf8.count)
    }

    /// Counts rows that were not made because there are too many.
    mutating func leaveOut(_ count: Int) { leftOut += max(0, count) }

    /// The rows, with a remark about those that are left out: "… 3 more lines".
    func views(_ noun: String = "line") -> [View] { leftOut > 0 ? rows + [Self.remark(leftOut, noun)] : rows }

    static func remark(_ leftOut: Int, _ noun: String = "line") -> View {
        var remark = View.Text("… \(leftOut.counted("more " + noun))")
        remark.style = .caption
        return .text(remark)
    }
}
