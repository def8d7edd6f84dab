// SPDX-License-Identifier: MIT

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
