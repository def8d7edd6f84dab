// SPDX-License-Identifier: MIT
import TodayModel

/// What a widget shows, or a part of it: a value that says what to draw. Every host draws it in its own way.
///
/// A view of your own is a structure with a `body` of other views:
///
///     struct Price: View {
///         let amount: String
///         var body: some View { Text(amount).font(.title).foregroundColor(.accent) }
///     }
public protocol View {
    /// The type of the body, which the compiler infers.
    associatedtype Body: View

    /// The views that this one is made of.
    @ViewBuilder @MainActor var body: Body { get }
}

/// Shows nothing.
public struct EmptyView: View {
    /// Makes a view that shows nothing.
    public init() {}
}

/// Collects the views of a closure in their order, with `if`, `switch` and `for`.
@resultBuilder
public enum ViewBuilder {
    /// A statement that makes a view.
    public static func buildExpression(_ view: some View) -> ViewList { ViewList([view]) }

    /// All statements of a closure.
    public static func buildBlock(_ parts: ViewList...) -> ViewList { ViewList(parts.flatMap(\.views)) }

    /// An `if` without an `else`.
    public static func buildOptional(_ part: ViewList?) -> ViewList { part ?? ViewList([]) }

    /// The first branch of an `if` or `switch`.
    public static func buildEither(first part: ViewList) -> ViewList { part }

    /// The other branch of an `if` or `switch`.
    public static func buildEither(second part: ViewList) -> ViewList { part }

    /// A `for` loop.
    public static func buildArray(_ parts: [ViewList]) -> ViewList { ViewList(parts.flatMap(\.views)) }

    /// An `if #available`.
    public static func buildLimitedAvailability(_ part: ViewList) -> ViewList { part }
}

/// The views of a closure, in their order. The stack, the grid or the widget around them arranges them.
public struct ViewList: View {
    let views: [any View]

    init(_ views: [any View]) { self.views = views }
}

extension ViewList: PrimitiveView {
    package func lower(_ inherited: Inherited) -> [TodayModel.View] { views.flatMap { $0.lowered(inherited) } }
}

/// A view that hosts draw themselves, or that arranges other views. It lowers itself to views of the model.
package protocol PrimitiveView: View {
    /// Several views if this one only collects them; none if it shows nothing.
    @MainActor func lower(_ inherited: Inherited) -> [TodayModel.View]
}

extension PrimitiveView {
    /// Hosts draw this view themselves.
    public var body: EmptyView { EmptyView() }
}

/// What a view inherits from the views around it.
package struct Inherited {
    package var mode: NCWidgetDisplayMode
    var font = Font.body
    var weight: Font.Weight?
    var alignment = TextAlignment.leading
    var color: Color?
    var tint: Color?
    var track: Color?
    var lineLimit: Int?

    package init(mode: NCWidgetDisplayMode) { self.mode = mode }
}

extension View {
    @MainActor package func lowered(_ inherited: Inherited) -> [TodayModel.View] {
        if let primitive = self as? any PrimitiveView { return primitive.lower(inherited) }
        return body.lowered(inherited)
    }

    /// Lowers to one view: several become a vertical stack.
    @MainActor package func loweredToOne(_ inherited: Inherited) -> TodayModel.View? {
        let views = lowered(inherited)
        if views.count > 1 { return .stack(.init(.vertical, views)) }
        return views.first
    }
}

extension EmptyView: PrimitiveView {
    package func lower(_ inherited: Inherited) -> [TodayModel.View] { [] }
}
