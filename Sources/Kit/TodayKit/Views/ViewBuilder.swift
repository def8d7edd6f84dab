// SPDX-License-Identifier: MIT
import TodayModel

/// Puts the views of a closure together: one after the other, with `if`, `switch` and `for`.
@resultBuilder
public enum ViewBuilder {
    /// One statement that makes a view.
    public static func buildExpression(_ view: some View) -> ViewList { ViewList([view]) }

    /// All statements of a closure.
    public static func buildBlock(_ parts: ViewList...) -> ViewList { ViewList(parts.flatMap(\.views)) }

    /// An `if` without an `else`.
    public static func buildOptional(_ part: ViewList?) -> ViewList { part ?? ViewList([]) }

    /// The first way of an `if` or `switch`.
    public static func buildEither(first part: ViewList) -> ViewList { part }

    /// The other way of an `if` or `switch`.
    public static func buildEither(second part: ViewList) -> ViewList { part }

    /// A `for` loop.
    public static func buildArray(_ parts: [ViewList]) -> ViewList { ViewList(parts.flatMap(\.views)) }

    /// An `if #available`.
    public static func buildLimitedAvailability(_ part: ViewList) -> ViewList { part }
}

/// The views of a closure, in their order. Where they are is decided by what they are in: a stack, a grid or the widget.
public struct ViewList: View {
    let views: [any View]

    init(_ views: [any View]) { self.views = views }
}

extension ViewList: PrimitiveView {
    package func lower(_ inherited: Inherited) -> [TodayModel.View] { views.flatMap { $0.lowered(inherited) } }
}
