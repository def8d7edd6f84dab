// SPDX-License-Identifier: MIT
import TodayModel

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
