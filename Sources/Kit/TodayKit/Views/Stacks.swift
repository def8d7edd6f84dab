// SPDX-License-Identifier: MIT
import TodayModel

/// Views side by side. A host that has too little width puts them below each other.
public struct HStack<Content: View>: View {
    let content: Content

    /// Puts the views of a closure side by side.
    public init(@ViewBuilder content: () -> Content) { self.content = content() }
}

/// Views one below the other.
public struct VStack<Content: View>: View {
    let content: Content

    /// Puts the views of a closure one below the other.
    public init(@ViewBuilder content: () -> Content) { self.content = content() }
}

/// Views in columns, filled row by row. A column is as wide as its widest cell.
public struct Grid<Content: View>: View {
    let columns: Int
    let content: Content

    /// Puts the views of a closure into cells from left to right.
    ///
    /// - Parameters:
    ///   - columns: the number of columns, 1 to 32.
    ///   - content: the views; each is a cell.
    public init(columns: Int, @ViewBuilder content: () -> Content) {
        self.columns = columns
        self.content = content()
    }
}

/// Empty space. In an `HStack` it takes the width that is left; in a `VStack` it is an empty line.
public struct Spacer: View {
    /// Makes a space.
    public init() {}
}

/// A line between the views before and after it.
public struct Divider: View {
    /// Makes a line.
    public init() {}
}

/// A title with details below it. A host with too little room shows the title only.
public struct DisclosureGroup<Content: View>: View {
    let title: String
    let content: Content

    /// Makes a title with details.
    public init(_ title: String, @ViewBuilder content: () -> Content) {
        self.title = title
        self.content = content()
    }
}

extension HStack: PrimitiveView {
    package func lower(_ inherited: Inherited) -> [TodayModel.View] {
        [.stack(.init(.horizontal, content.lowered(inherited)))]
    }
}

extension VStack: PrimitiveView {
    package func lower(_ inherited: Inherited) -> [TodayModel.View] {
        [.stack(.init(.vertical, content.lowered(inherited)))]
    }
}

extension Grid: PrimitiveView {
    package func lower(_ inherited: Inherited) -> [TodayModel.View] {
        [.grid(.init(columns: columns, content.lowered(inherited)))]
    }
}

extension Spacer: PrimitiveView {
    package func lower(_ inherited: Inherited) -> [TodayModel.View] { [.spacer] }
}

extension Divider: PrimitiveView {
    package func lower(_ inherited: Inherited) -> [TodayModel.View] { [.divider] }
}

extension DisclosureGroup: PrimitiveView {
    package func lower(_ inherited: Inherited) -> [TodayModel.View] {
        [.item(.init(title: title, children: content.lowered(inherited)))]
    }
}

/// One view for the compact display mode and another for the expanded one.
///
///     ByDisplayMode {
///         Text("62 %")
///     } expanded: {
///         LineChart("30 days", points: history)
///     }
///
/// Every snapshot has both, so that a host can show the other at once when the user changes the mode.
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
    /// Shows this view only in one display mode.
    public func only(in mode: NCWidgetDisplayMode) -> some View { OneMode(content: self, mode: mode) }
}

private struct OneMode<Content: View>: PrimitiveView {
    let content: Content
    let mode: NCWidgetDisplayMode

    func lower(_ inherited: Inherited) -> [TodayModel.View] {
        inherited.mode == mode ? content.lowered(inherited) : []
    }
}
