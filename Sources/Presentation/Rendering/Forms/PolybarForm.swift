// SPDX-License-Identifier: MIT

/// A line with the formatting tags of polybar, as a `custom/script` module prints it.
enum PolybarForm {
    /// - Parameter click: the command for a button of the mouse, 4 and 5 for the wheel; nil for none.
    static func text(_ segments: [BarSegment], click: ((BarSegment, Int) -> String?)? = nil) -> String {
        let texts = segments.shown.map { segment in
            guard let click else { return tagged(segment) }
            return (1...5).reduce(tagged(segment)) { text, button in
                // A colon ends the command, unless a backslash stands before it.
                guard let command = click(segment, button)?.split(separator: ":", omittingEmptySubsequences: false)
                else { return text }
                return "%{A\(button):\(command.joined(separator: "\\:")):}\(text)%{A}"
            }
        }
        return texts.joined(separator: BarSegment.gap) + "\n"
    }

    private static func tagged(_ segment: BarSegment) -> String {
        var text = escaped(segment.paddedText)
        if let color = segment.color { text = "%{F\(color.digits)}\(text)%{F-}" }
        return segment.face.background.map { "%{B\($0.digits)}\(text)%{B-}" } ?? text
    }

    /// polybar has no escape for `%{`, which begins a tag. An offset of no width between both characters keeps them apart.
    static func escaped(_ text: String) -> String {
        var escaped = String.UnicodeScalarView()
        var previous: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            if previous == "%", scalar == "{" { escaped.append(contentsOf: "%{O0}".unicodeScalars) }
            escaped.append(scalar)
            previous = scalar
        }
        return String(escaped)
    }
}
