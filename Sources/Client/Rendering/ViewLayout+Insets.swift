// SPDX-License-Identifier: MIT

import TodayModel

extension ViewLayout {
    /// Room is for looks: where it would leave less than this of the width, there is none to the left and right.
    private static let narrowestInside = 16

    /// The view of a widget's content, with its insets around it.
    func lines(_ content: Content, width: Int) -> [Line] {
        inset(by: content.insets ?? Insets(), width: width) { lines(content.view(for: mode), width: $0) }
    }

    func lines(inset stack: View.Stack, width: Int) -> [Line] {
        var inner = stack
        inner.insets = nil
        return inset(by: stack.insets ?? Insets(), width: width) { lines(.stack(inner), width: $0) }
    }

    private func inset(by insets: Insets, width: Int, draw: (Int) -> [Line]) -> [Line] {
        let inside = width - insets.left - insets.right
        let fits = inside >= Self.narrowestInside
        let left = fits ? insets.left : 0
        let drawn = draw(fits ? inside : width).map { content in
            var line = Line()
            line.appendSpaces(left)
            line.append(content)
            return line
        }
        return Self.empty(insets.top) + drawn + Self.empty(insets.bottom)
    }

    private static func empty(_ rows: Int) -> [Line] { [Line](repeating: Line(), count: rows) }
}
