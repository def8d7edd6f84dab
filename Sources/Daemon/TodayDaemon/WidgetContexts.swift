// SPDX-License-Identifier: MIT
import QueryService
import TodayModel

/// The extension contexts of widgets that stay. A widget may have several processes for a while: the newest speaks for
/// it, and the end of an old one changes nothing.
final class WidgetContexts {
    private struct Current {
        let id: ContextID
        /// It has chosen a largest display mode, or its first run has shown that it chooses none.
        var hasSpoken = false
    }

    private var current: [WidgetID: Current] = [:]
    /// The context of the process that was told to begin editing.
    private var edited: [WidgetID: ContextID] = [:]

    func began(_ id: ContextID, of widget: WidgetID) {
        guard current[widget].map({ $0.id < id }) ?? true else { return }
        current[widget] = Current(id: id)
    }

    /// Whether a process of the widget is there.
    func isServed(_ widget: WidgetID) -> Bool { current[widget] != nil }

    /// The newest process of a widget has begun to be edited.
    func beganEditing(_ widget: WidgetID) { edited[widget] = current[widget]?.id }

    func isEdited(_ id: ContextID, of widget: WidgetID) -> Bool { edited[widget] == id }

    /// False when it was not the newest of the widget.
    func ended(_ id: ContextID, of widget: WidgetID) -> Bool {
        if edited[widget] == id { edited[widget] = nil }
        guard current[widget]?.id == id else { return false }
        current[widget] = nil
        return true
    }

    /// Whether a context may choose the largest display mode of its widget.
    func choose(_ id: ContextID, of widget: WidgetID) -> Bool {
        guard current[widget]?.id == id else { return false }
        current[widget]?.hasSpoken = true
        return true
    }

    /// A run of the widget has ended. True when its process has chosen no largest display mode by the end of its first
    /// run: what the process before it chose counts no longer.
    func ranWithoutChoice(_ widget: WidgetID) -> Bool {
        guard let context = current[widget], !context.hasSpoken else { return false }
        current[widget]?.hasSpoken = true
        return true
    }
}
