// SPDX-License-Identifier: MIT
import QueryService
import TodayModel

/// The newest process of each resident. A resident may have several processes for a while, each with an extension
/// context. Only the newest counts, so the end of an older one changes nothing.
final class NewestProcesses {
    private struct Process {
        let context: SessionID
        /// Whether its largest display mode is settled: it has chosen one, or has ended its first run without choosing.
        var hasDecidedMode = false
    }

    private var newest: [WidgetID: Process] = [:]
    /// The process that was told to begin editing.
    private var edited: [WidgetID: SessionID] = [:]

    func began(_ context: SessionID, of widget: WidgetID) {
        guard newest[widget].map({ $0.context < context }) ?? true else { return }
        newest[widget] = Process(context: context)
    }

    func isRunning(_ widget: WidgetID) -> Bool { newest[widget] != nil }

    /// - Returns: whether the process was the newest of its widget.
    func ended(_ context: SessionID, of widget: WidgetID) -> Bool {
        if edited[widget] == context { edited[widget] = nil }
        guard newest[widget]?.context == context else { return false }
        newest[widget] = nil
        return true
    }

    // MARK: Editing

    /// The newest process of a widget was told to begin editing.
    func beganEditing(_ widget: WidgetID) { edited[widget] = newest[widget]?.context }

    func isEdited(_ context: SessionID, of widget: WidgetID) -> Bool { edited[widget] == context }

    // MARK: The largest display mode

    /// A process chooses the largest display mode of its widget.
    ///
    /// - Returns: whether the choice counts: the process is the newest.
    func acceptMode(from context: SessionID, of widget: WidgetID) -> Bool {
        guard newest[widget]?.context == context else { return false }
        newest[widget]?.hasDecidedMode = true
        return true
    }

    /// A run of the widget has succeeded.
    ///
    /// - Returns: whether this was the first run of its process, and the process has not chosen a largest display mode
    ///   in it. The choice of the process before then no longer counts.
    func noteRunEnded(of widget: WidgetID) -> Bool {
        guard let process = newest[widget], !process.hasDecidedMode else { return false }
        newest[widget]?.hasDecidedMode = true
        return true
    }
}
