// SPDX-License-Identifier: MIT
import TodayModel

/// How much room there is in each display mode, by what was said last.
struct OfferedRoom: Hashable, Sendable {
    private var active: NCWidgetDisplayMode?
    private var sizes: [NCWidgetDisplayMode: WidgetSize] = [:]

    /// A call is about this mode, and has this room.
    mutating func take(_ size: WidgetSize, for mode: NCWidgetDisplayMode) {
        active = mode
        sizes[mode] = size
    }

    /// - Parameter described: what the daemon says now; nil where there is none.
    func size(for mode: NCWidgetDisplayMode, described: () -> WidgetSize?) -> WidgetSize {
        if mode == active, let size = sizes[mode] { return size }
        if let size = described() ?? sizes[mode] { return size }
        // One column of widgets is as wide as the other mode says, and the expanded mode offers no fewer rows.
        let standard = WidgetSize(mode.model.maximumSize)
        guard let other = active.flatMap({ sizes[$0] }) else { return standard }
        return WidgetSize(
            columns: other.columns,
            rows: mode == .expanded ? max(standard.rows, other.rows) : min(standard.rows, other.rows))
    }
}

/// The size that the widget would like in each display mode.
struct PreferredSizes: Hashable, Sendable {
    private var sizes: [NCWidgetDisplayMode: WidgetSize] = [:]

    subscript(mode: NCWidgetDisplayMode) -> WidgetSize? {
        get { sizes[mode] }
        set { sizes[mode] = newValue }
    }

    /// The height for hosts; nil where the widget takes as much as it draws.
    func rows(in mode: NCWidgetDisplayMode) -> Int? {
        guard let rows = sizes[mode]?.rows, rows > 0 else { return nil }
        return min(rows, ContentLimits.rows.upperBound)
    }
}
