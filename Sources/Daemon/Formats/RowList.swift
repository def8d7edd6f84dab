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
    private var haveColumns = false

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

    /// Adds a line of output.
    mutating func add(line: String) {
        let line = LenientText.withoutSpaceAtTheEnd(LenientText.line(line))
        haveColumns = haveColumns || Self.hasColumns(line)
        add(Self.row(line, isMonospaced: true), bytes: line.utf8.count)
    }

    /// Whether spaces align parts of the line with those of other lines.
    static func hasColumns(_ line: String) -> Bool { line.includes("  ") }

    /// A line of output. A monospaced font keeps columns aligned.
    static func row(_ line: String, isMonospaced: Bool) -> View {
        var text = View.Text(line)
        if isMonospaced { text.style = .monospace }
        return .text(text)
    }

    /// Counts rows that were not made because there are too many.
    mutating func leaveOut(_ count: Int) { leftOut += max(0, count) }

    /// The rows, with a remark about those that are left out: "… 3 more lines". Lines are prose if none of them has columns.
    func views(_ noun: String = "line") -> [View] {
        let shown = haveColumns ? rows : rows.map(Self.prose)
        return leftOut > 0 ? shown + [Self.remark(leftOut, noun)] : shown
    }

    private static func prose(_ row: View) -> View {
        if case .text(let text) = row, text.style == .monospace {
            Self.row(text.text, isMonospaced: false)
        } else {
            row
        }
    }

    static func remark(_ leftOut: Int, _ noun: String = "line") -> View {
        var remark = View.Text("… \(leftOut.counted("more " + noun))")
        remark.style = .caption
        return .text(remark)
    }
}
