// SPDX-License-Identifier: MIT
import TodayModel

extension View {
    /// What the texts in this view are to the reader.
    public func font(_ font: Font) -> some View { inheriting { $0.font = font } }

    /// How strong the texts in this view are.
    public func fontWeight(_ weight: Font.Weight) -> some View { inheriting { $0.weight = weight } }

    /// Makes the texts in this view stronger.
    public func bold() -> some View { fontWeight(.bold) }

    /// The colour of the texts in this view.
    public func foregroundColor(_ color: Color) -> some View { inheriting { $0.color = color } }

    /// The colour of the bars and charts in this view.
    public func tint(_ color: Color) -> some View { inheriting { $0.tint = color } }

    /// The colour of what is left of the bars in this view.
    public func trackTint(_ color: Color) -> some View { inheriting { $0.track = color } }

    /// Where the lines of the texts in this view begin.
    public func multilineTextAlignment(_ alignment: TextAlignment) -> some View {
        inheriting { $0.alignment = alignment }
    }

    /// Shows at most so many lines of each text in this view; nil shows all.
    public func lineLimit(_ lines: Int?) -> some View { inheriting { $0.lineLimit = lines } }

    /// Leaves room around this view, in rows and columns: 0 to 16 each.
    public func padding(_ insets: EdgeInsets) -> some View { Padded(content: self, insets: insets) }

    /// Leaves the same room on all sides: so many rows, and twice as many columns, which looks the same.
    public func padding(_ rows: Int = 1) -> some View {
        padding(EdgeInsets(top: rows, left: 2 * rows, bottom: rows, right: 2 * rows))
    }

    /// Makes a button of this view: touched, it calls the widget's `widgetPerformAction(_:)`.
    public func onTap(_ action: String) -> some View { TapArea(action: action) { self } }

    private func inheriting(_ change: @escaping (inout Inherited) -> Void) -> Inheriting<Self> {
        Inheriting(content: self, change: change)
    }
}

/// Changes what is inherited. The innermost change counts, as it is made last.
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
