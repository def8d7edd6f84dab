// SPDX-License-Identifier: MIT

import TodayModel

/// The lines of a block of i3blocks: full text, short text and colour. All widgets together are one block.
enum I3BlocksForm {
    /// i3blocks shows a block whose command exits like this as urgent.
    static let urgentStatus: Int32 = 33

    /// Whether the bar is to draw attention to the widget.
    static func isUrgent(_ item: Item) -> Bool {
        item.isVisible && item.content?.severity == .critical
    }

    /// Nothing where there is no text, because i3blocks leaves out a block without a full text. The short text is never
    /// empty, because i3bar shows it as it is where there is little room.
    static func text(_ segments: [BarSegment]) -> String {
        let shown = segments.shown
        if shown.isEmpty { return "" }
        let short = shown.map { $0.shortText ?? $0.text }.joined(separator: BarSegment.gap)
        let color = shown.mostUrgent?.color.map { $0.digits + "\n" } ?? ""
        return "\(shown.joinedText)\n\(short)\n\(color)"
    }
}
