// SPDX-License-Identifier: MIT

/// A line for `#(…)` in the status line of tmux.
enum TmuxForm {
    static func text(_ segments: [BarSegment]) -> String {
        segments.shown.map(styled).joined(separator: BarSegment.gap) + "\n"
    }

    /// The style that is in force before the segment is the one after it.
    private static func styled(_ segment: BarSegment) -> String {
        let styles = [("fg", segment.color), ("bg", segment.face.background)].compactMap { name, color in
            color.map { "\(name)=\($0.digits)" }
        }
        if styles.isEmpty { return escaped(segment.paddedText) }
        let text = escaped(segment.paddedText, beforeStyle: true)
        return "#[push-default \(styles.joined(separator: ","))]\(text)#[default pop-default]"
    }

    /// tmux expands the output of a command as a format, and then draws it. Both make one `#` of two, but expanding leaves
    /// alone what stands before `[`.
    static func escaped(_ text: String, beforeStyle: Bool = false) -> String {
        var escaped = String.UnicodeScalarView()
        var signs = 0
        func signsInFront(ofBracket: Bool) -> String.UnicodeScalarView {
            String(repeating: "#", count: signs * (ofBracket ? 2 : 4)).unicodeScalars
        }
        for scalar in text.unicodeScalars {
            if scalar == "#" {
                signs += 1
                continue
            }
            escaped.append(contentsOf: signsInFront(ofBracket: scalar == "["))
            signs = 0
            escaped.append(scalar)
        }
        escaped.append(contentsOf: signsInFront(ofBracket: beforeStyle))
        return String(escaped)
    }
}
