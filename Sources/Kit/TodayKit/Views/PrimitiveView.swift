// SPDX-License-Identifier: MIT
import TodayModel

/// A view that hosts know, or one that only arranges others: it says what it is in the words of the model.
package protocol PrimitiveView: View {
    /// More than one where it has no shape of its own; none where it shows nothing.
    @MainActor func lower(_ inherited: Inherited) -> [TodayModel.View]
}

extension PrimitiveView {
    /// Hosts draw this view themselves.
    public var body: Never { return fatalError("\(Self.self) has no body") }
}

/// What a view takes from those around it.
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

    /// As one view, where there is place for one: several are below each other.
    @MainActor package func loweredToOne(_ inherited: Inherited) -> TodayModel.View? {
        let views = lowered(inherited)
        if views.count > 1 { return .stack(.init(.vertical, views)) }
        return views.first
    }
}

extension EmptyView: PrimitiveView {
    package func lower(_ inherited: Inherited) -> [TodayModel.View] { [] }
}
