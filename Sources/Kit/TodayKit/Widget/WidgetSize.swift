// SPDX-License-Identifier: MIT
import TodayModel

/// A size in columns and rows of a terminal. A column is as wide as a letter and a row is as high as a line, at the user's
/// text size.
///
/// Compared with the points of iOS, at its default text size:
///
/// | | columns × rows | points |
/// | --- | --- | --- |
/// | compact | up to 60 × 4, fixed | 359 × 110, fixed |
/// | expanded | up to 60 × 16 | 359 × 110 to 440 |
/// | one row | 1 | 27.5 |
///
/// The sizes change with the text size of the host, as on iOS: `widgetMaximumSize(for:)` returns the current ones.
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

    /// As much of this size as fits into another. A side of 0 has no preference and becomes the other's.
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

extension WidgetSize {
    private static let pointsInColumn = 6.0
    private static let pointsInRow = 27.5
    /// The largest size that a request may offer, see `WidgetRequest`.
    private static let longestSide = 10_000.0

    /// Makes a size of points, at the default text size of iOS: 6 points a column, 27.5 points a row, rounded up.
    ///
    ///     preferredContentSize = WidgetSize(points: (0, 200))    // 8 rows, and all columns
    public init(points: (width: Double, height: Double)) {
        self.init(
            columns: Self.count(points.width, Self.pointsInColumn), rows: Self.count(points.height, Self.pointsInRow))
    }

    /// The same, in the words of `CGSize`: `preferredContentSize = WidgetSize(width: 0, height: 150)`.
    public init(width: Double, height: Double) { self.init(points: (width, height)) }

    /// The width in points.
    public var width: Double { Double(columns) * Self.pointsInColumn }

    /// The height in points.
    public var height: Double { Double(rows) * Self.pointsInRow }

    private static func count(_ points: Double, _ unit: Double) -> Int {
        points.isNaN ? 0 : Int(min(max((points / unit).rounded(.up), 0), longestSide))
    }
}

/// Margins: top and bottom in rows, left and right in columns, 0 to 16 each.
public struct EdgeInsets: Hashable, Sendable {
    /// Rows above.
    public var top: Int
    /// Columns before.
    public var left: Int
    /// Rows below.
    public var bottom: Int
    /// Columns after.
    public var right: Int

    /// Makes margins; each side defaults to 0.
    public init(top: Int = 0, left: Int = 0, bottom: Int = 0, right: Int = 0) {
        self.top = top
        self.left = left
        self.bottom = bottom
        self.right = right
    }

    /// No margins.
    public static let zero = EdgeInsets()

    /// The margins that are proposed to every widget, as for content without insets: two columns at the left, so that all
    /// widgets begin in the same column, below their names. A widget that returns `.zero` begins at the left edge.
    public static let standard = EdgeInsets(left: Insets.standard.left)

    var model: Insets { Insets(top: top, left: left, bottom: bottom, right: right) }
}

/// The maximum size in each display mode, by the last call or by the daemon.
struct OfferedRoom: Hashable, Sendable {
    private var active: NCWidgetDisplayMode?
    private var sizes: [NCWidgetDisplayMode: WidgetSize] = [:]

    /// Notes the mode of a call and its size.
    mutating func note(_ size: WidgetSize, for mode: NCWidgetDisplayMode) {
        active = mode
        sizes[mode] = size
    }

    /// - Parameter described: asks the daemon for the size; nil without a daemon.
    func size(for mode: NCWidgetDisplayMode, described: () -> WidgetSize?) -> WidgetSize {
        if mode == active, let size = sizes[mode] { return size }
        if let size = described() ?? sizes[mode] { return size }
        // Both modes have the same width, and the expanded mode has at least as many rows as the compact one.
        let standard = WidgetSize(mode.model.maximumSize)
        guard let other = active.flatMap({ sizes[$0] }) else { return standard }
        return WidgetSize(
            columns: other.columns,
            rows: mode == .expanded ? max(standard.rows, other.rows) : min(standard.rows, other.rows))
    }
}

/// The size that the widget prefers in each display mode.
struct PreferredSizes: Hashable, Sendable {
    private var sizes: [NCWidgetDisplayMode: WidgetSize] = [:]

    subscript(mode: NCWidgetDisplayMode) -> WidgetSize? {
        get { sizes[mode] }
        set { sizes[mode] = newValue }
    }

    /// The height for hosts; nil if that is the height which the widget draws.
    func rows(in mode: NCWidgetDisplayMode) -> Int? {
        guard let rows = sizes[mode]?.rows, rows > 0 else { return nil }
        return min(rows, ContentLimits.rows.upperBound)
    }
}
