// SPDX-License-Identifier: MIT
import TodayModel

/// One view for the compact display mode and another for the expanded one.
///
///     ByDisplayMode {
///         Text("62 %")
///     } expanded: {
///         LineChart("30 days", points: history)
///     }
///
/// A widget draws both with every snapshot, so that the host has the other at once when the user changes the mode.
public struct ByDisplayMode<Compact: View, Expanded: View>: View {
    let compact: Compact
    let expanded: Expanded

    /// Makes the two views.
    public init(@ViewBuilder compact: () -> Compact, @ViewBuilder expanded: () -> Expanded) {
        self.compact = compact()
        self.expanded = expanded()
    }
}

extension ByDisplayMode: PrimitiveView {
    package func lower(_ inherited: Inherited) -> [TodayModel.View] {
        switch inherited.mode {
        case .compact: compact.lowered(inherited)
        case .expanded: expanded.lowered(inherited)
        }
    }
}

extension View {
    /// Shows this view in one display mode only.
    public func only(in mode: NCWidgetDisplayMode) -> some View { OneMode(content: self, mode: mode) }
}

private struct OneMode<Content: View>: PrimitiveView {
    let content: Content
    let mode: NCWidgetDisplayMode

    func lower(_ inherited: Inherited) -> [TodayModel.View] {
        inherited.mode == mode ? content.lowered(inherited) : []
    }
}
