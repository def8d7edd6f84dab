// SPDX-License-Identifier: MIT

/// The tags of the generic monitor in Xfce's panel (xfce4-genmon-plugin). Text and tooltip are Pango markup.
enum GenmonForm {
    /// - Parameter menu: the command for a click; nil for none.
    static func text(_ segments: [BarSegment], menu: String? = nil) -> String {
        let shown = segments.shown
        let text = shown.map(coloured).joined(separator: BarSegment.gap)
        let tooltip = shown.map { Markup.escaped($0.tooltip) }.joined(separator: "\n\n")
        var tags = "<txt>\(text)</txt>\n<tool>\(tooltip)</tool>\n"
        if let menu { tags += "<txtclick>\(menu)</txtclick>\n" }
        // The panel has one bar.
        if shown.count == 1, let percentage = shown[0].wholePercentage {
            tags += "<bar>\(min(max(percentage, 0), 100))</bar>\n"
        }
        return tags
    }

    private static func coloured(_ segment: BarSegment) -> String {
        let text = Markup.escaped(segment.text)
        return segment.color.map { "<span foreground=\"\($0.digits)\">\(text)</span>" } ?? text
    }
}
