// SPDX-License-Identifier: MIT
import TodayModel

/// A size in columns and rows of a terminal, the unit in which hosts offer room: one column is as wide as a letter, one row
/// as high as a line at the user's text size.
///
/// Beside the points of iOS, at its default text size:
///
/// | | columns × rows | points |
/// | --- | --- | --- |
/// | compact | up to 60 × 4, fixed | 359 × 110, fixed |
/// | expanded | up to 60 × 16 | 359 × 110 to 440 |
/// | one row | 1 | 27.5 |
///
/// Both change with the text size of the host, here as there: ask `widgetMaximumSize(for:)`.
public struct WidgetSize: Hashable, Sendable {
    /// The width.
    public var columns: Int
    /// The height.
    public var rows: Int

    /// Makes a size.
    public init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
    }

    init(_ size: TodayModel.Size) { self.init(columns: size.columns, rows: size.rows) }

    /// As much of this size as fits into another. A side of 0 wants nothing in particular, and gets what there is.
    func fitting(_ other: WidgetSize) -> WidgetSize {
        WidgetSize(
            columns: columns > 0 ? min(columns, other.columns) : other.columns,
            rows: rows > 0 ? min(rows, other.rows) : other.rows)
    }
}

extension NCWidgetDisplayMode {
    package init(_ mode: DisplayMode) { self = mode == .compact ? .compact : .expanded }

    package var model: DisplayMode { self == .compact ? .compact : .expanded }
}
