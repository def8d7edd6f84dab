// SPDX-License-Identifier: MIT

import TodayModel

extension ViewLayout {
    /// Room is for looks: where it would leave less than this to what needs as much, there is none to the left and right.
    private static let narrowestInside = 16

    /// The view of a widget's content, with its insets around it.
    func lines(_ content: Content, width: Int) -> [Line] {
        lines(content.view(for: mode), inset: content.insets ?? Insets(), width: width)
    }

    func lines(inset stack: View.Stack, width: Int) -> [Line] {
        var inner = stack
        inner.insets = nil
        return lines(.stack(inner), inset: stack.insets ?? Insets(), width: width)
    }

    private func lines(_ view: View, inset insets: Insets, width: Int) -> [Line] {
        if insets.isZero { return lines(view, width: width) }
        let inside = width - insets.left - insets.right
        let fits = inside >= min(demand(view).least, Self.narrowestInside)
        let left = fits ? insets.left : 0
        let drawn = lines(view, width: fits ? inside : width).map { content in
            var line = Line()
            line.appendSpaces(left)
            line.append(content)
            return line
        }
        return Self.empty(insets.top) + drawn + Self.empty(insets.bottom)
    }

    private static func empty(_ rows: Int) -> [Line] { [Line](repeating: Line(), count: rows) }
}
