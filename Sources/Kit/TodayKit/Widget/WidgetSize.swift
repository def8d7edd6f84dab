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

extension WidgetSize {
    private static let pointsInColumn = 6.0
    private static let pointsInRow = 27.5
    /// Far more than any host has, and far less than an overflow.
    private static let longestSide = 10_000.0

    /// Makes a size of one in points, as widgets on iOS have it at its default text size: 6 points a column, 27.5 points a
    /// row, and what has begun counts.
    ///
    ///     preferredContentSize = WidgetSize(points: (0, 200))    // 8 rows, and as many columns as there are
    public init(points: (width: Double, height: Double)) {
        self.init(
            columns: Self.count(points.width, Self.pointsInColumn), rows: Self.count(points.height, Self.pointsInRow))
    }

    private static func count(_ points: Double, _ unit: Double) -> Int {
        points.isNaN ? 0 : Int(min(max((points / unit).rounded(.up), 0), longestSide))
    }
}

/// Room around something: top and bottom in rows, left and right in columns, 0 to 16 each.
public struct EdgeInsets: Hashable, Sendable {
    /// Rows above.
    public var top: Int
    /// Columns before.
    public var left: Int
    /// Rows below.
    public var bottom: Int
    /// Columns after.
    public var right: Int

    /// Makes insets; sides that are not given have none.
    public init(top: Int = 0, left: Int = 0, bottom: Int = 0, right: Int = 0) {
        self.top = top
        self.left = left
        self.bottom = bottom
        self.right = right
    }

    /// None at all.
    public static let zero = EdgeInsets()

    /// What is proposed to every widget: none, as hosts have it for content without insets. So all begin below their titles.
    public static let standard = EdgeInsets()

    var model: Insets { Insets(top: top, left: left, bottom: bottom, right: right) }
}

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
