// SPDX-License-Identifier: MIT
import TodayModel

extension View {
    /// Sets the font of the texts in this view.
    public func font(_ font: Font) -> some View { inheriting { $0.font = font } }

    /// Sets the weight of the texts in this view.
    public func fontWeight(_ weight: Font.Weight) -> some View { inheriting { $0.weight = weight } }

    /// Makes the texts in this view bold.
    public func bold() -> some View { fontWeight(.bold) }

    /// Sets the colour of the texts in this view.
    public func foregroundColor(_ color: Color) -> some View { inheriting { $0.color = color } }

    /// Sets the colour of the bars and charts in this view.
    public func tint(_ color: Color) -> some View { inheriting { $0.tint = color } }

    /// Sets the colour of the unfilled part of the bars in this view.
    public func trackTint(_ color: Color) -> some View { inheriting { $0.track = color } }

    /// Aligns the lines of the texts in this view.
    public func multilineTextAlignment(_ alignment: TextAlignment) -> some View {
        inheriting { $0.alignment = alignment }
    }

    /// Limits the lines of each text in this view; nil shows all.
    public func lineLimit(_ lines: Int?) -> some View { inheriting { $0.lineLimit = lines } }

    /// Adds margins around this view, in rows and columns: 0 to 16 each.
    public func padding(_ insets: EdgeInsets) -> some View { Padded(content: self, insets: insets) }

    /// Adds margins of the same width on all sides: two columns are about as wide as a row is high.
    public func padding(_ rows: Int = 1) -> some View {
        padding(EdgeInsets(top: rows, left: 2 * rows, bottom: rows, right: 2 * rows))
    }

    /// Makes a button of this view. Pressing it calls the widget's `widgetPerformAction(_:)` with the action.
    public func onTap(_ action: String) -> some View { TapArea(action: action) { self } }

    private func inheriting(_ change: @escaping (inout Inherited) -> Void) -> Inheriting<Self> {
        Inheriting(content: self, change: change)
    }
}

/// Changes what its content inherits. The innermost change is made last, so it wins.
private struct Inheriting<Content: View>: PrimitiveView {
    let content: Content
    let change: (inout Inherited) -> Void

    func lower(_ inherited: Inherited) -> [TodayModel.View] {
        var inherited = inherited
        change(&inherited)
        return content.lowered(inherited)
    }
}

private struct Padded<Content: View>: PrimitiveView {
    let content: Content
    let insets: EdgeInsets

    func lower(_ inherited: Inherited) -> [TodayModel.View] {
        var stack = TodayModel.View.Stack(.vertical, content.lowered(inherited))
        stack.insets = insets.model
        return [.stack(stack)]
    }
}
