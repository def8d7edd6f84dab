// SPDX-License-Identifier: MIT
import QueryService
import TodayModel

/// The newest process of a resident. It may have several for a while, each with an extension context. Only the newest
/// counts, so the end of an older one changes nothing.
struct ResidentProcesses {
    private struct Process {
        let context: SessionID
        /// Whether its largest display mode is settled: it has chosen one, or has ended its first run without choosing.
        var hasDecidedMode = false
    }

    private var newest: Process?
    /// The process that was told to begin editing.
    private var edited: SessionID?

    var isRunning: Bool { newest != nil }

    mutating func began(_ context: SessionID) {
        guard newest.map({ $0.context < context }) ?? true else { return }
        newest = Process(context: context)
    }

    /// - Returns: whether the process was the newest.
    mutating func ended(_ context: SessionID) -> Bool {
        if edited == context { edited = nil }
        guard newest?.context == context else { return false }
        newest = nil
        return true
    }

    // MARK: Editing

    /// The newest process was told to begin editing.
    mutating func beganEditing() { edited = newest?.context }

    func isEdited(_ context: SessionID) -> Bool { edited == context }

    // MARK: The largest display mode

    /// A process chooses the largest display mode of its widget.
    ///
    /// - Returns: whether the choice counts: the process is the newest.
    mutating func acceptMode(from context: SessionID) -> Bool {
        guard newest?.context == context else { return false }
        newest?.hasDecidedMode = true
        return true
    }

    /// A run of the widget has succeeded.
    ///
    /// - Returns: whether this was the first run of its process, and the process has not chosen a largest display mode
    ///   in it. The choice of the process before then no longer counts.
    mutating func noteRunEnded() -> Bool {
        guard let process = newest, !process.hasDecidedMode else { return false }
        newest?.hasDecidedMode = true
        return true
    }
}
