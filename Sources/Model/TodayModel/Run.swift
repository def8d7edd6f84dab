// SPDX-License-Identifier: MIT

/// Why a run takes place; the widget reads it in TODAY_REASON.
package enum RunReason: String, CaseIterable, Sendable {
    /// `defaults` is for all that a widget may have read before: its groups' defaults, and the display mode of a program
    /// that does not stay; one that stays draws itself anew for `mode`.
    case boot, schedule, appear, request, action, editing, mode, defaults, wake, retry

    /// Whether the widget is asked for more, or for less, than what is new. It says nothing of how fresh its content is,
    /// and nothing of whether the next update will succeed.
    package var isErrand: Bool {
        switch self {
        case .action, .editing, .mode: true
        case .boot, .schedule, .appear, .request, .defaults, .wake, .retry: false
        }
    }
}

/// What a run is for where that is no update.
package enum Errand: Hashable, Sendable {
    /// A button with this action was pressed.
    case action(String)
    case beginEditing
    /// Editing is done, or what was edited is to be as before.
    case endEditing(isCancelled: Bool)
    /// To a program that stays: draw what is there for another display mode.
    case displayMode

    /// Whether it is for a host that a user sits before, and for no other client.
    package var isOfHosts: Bool {
        switch self {
        case .beginEditing, .endEditing: true
        case .action, .displayMode: false
        }
    }

    package var reason: RunReason {
        switch self {
        case .action: .action
        case .beginEditing, .endEditing: .editing
        case .displayMode: .mode
        }
    }
}

/// One perform-update that is due: everything a runner needs to know.
package struct RunRequest: Sendable {
    /// Counts up over all widgets while the daemon lives; tells the runs of one widget apart.
    package let run: UInt64
    package let manifest: Manifest
    package let reason: RunReason
    package var mode: DisplayMode
    package var errand: Errand?
    /// What the last good run gave, so that unchanged output is `noData`. Nil: nothing of the widget is known, so it
    /// cannot say that this still holds.
    package var previous: Content?
    /// The widget is being edited, or begins to be: what it draws is an editor.
    package var isEditing = false
    /// The room in each display mode.
    package var sizes = DisplaySizes.standard

    package init(run: UInt64, manifest: Manifest, reason: RunReason, mode: DisplayMode) {
        self.run = run
        self.manifest = manifest
        self.reason = reason
        self.mode = mode
    }

    /// Whether what the last good run gave is what the widget has drawn last, and for this mode and size.
    package var fits = true

    package var widget: WidgetID { manifest.id }
    /// Whether the widget may say that what is known of it still holds, and need not draw it anew.
    package var isKnown: Bool { previous != nil && fits }
}

/// What became of a run. A widget's failure is an outcome, never a thrown error.
package struct RunOutcome: Sendable {
    package enum Result: Hashable, Sendable {
        case newData(Content)
        case noData
        case failed(String)
    }

    package let widget: WidgetID
    package let run: UInt64
    package let reason: RunReason
    package var errand: Errand?
    /// It ran while the widget was edited.
    package var isEditing = false
    package let started: WallTime
    package var duration: TimeSpan
    package var result: Result { didSet { result = result.inOneLine } }
    /// How the program ended, in words: `exited with status 3`; nil where none was started.
    package var exit: String?
    /// The end of standard error.
    package var errorOutput: String
    /// When the widget wants to be asked next; also of a `noData` run. A run that failed may say so, too, and is then not
    /// tried again before.
    package var nextAsk: NextAsk?

    package var isFailure: Bool { if case .failed = result { true } else { false } }

    /// It was no update, but for a button, another display mode or editing, or it succeeded while the widget was edited: it
    /// makes nothing younger.
    package var isErrand: Bool { errand != nil || reason.isErrand || isEditing && !isFailure }

    package init(
        widget: WidgetID, run: UInt64, reason: RunReason, started: WallTime, duration: TimeSpan, result: Result,
        exit: String? = nil, errorOutput: String = "", nextAsk: NextAsk? = nil
    ) {
        self.widget = widget
        self.run = run
        self.reason = reason
        self.started = started
        self.duration = duration
        self.result = result.inOneLine
        self.exit = exit
        self.errorOutput = errorOutput
        self.nextAsk = nextAsk
    }

    /// What is kept of it in the update log.
    package var record: RunRecord {
        let (word, failure): (RunRecord.Result, String?) =
            switch result {
            case .newData: (.newData, nil)
            case .noData: (.noData, nil)
            case .failed(let reason): (.failed, reason)
            }
        // An update to an editor says nothing of how the widget is.
        return RunRecord(
            started: started, duration: duration, reason: isErrand && !reason.isErrand ? .editing : reason,
            result: word, failure: failure, exit: exit,
            errorOutput: errorOutput)
    }
}

extension RunOutcome.Result {
    /// A reason goes to the journal, into the log and to every host, and quotes what programs say.
    fileprivate var inOneLine: RunOutcome.Result {
        guard case .failed(let reason) = self else { return self }
        return .failed(PlainText.line(reason, upTo: RunRecord.reasonBytes))
    }
}

/// One line of a widget's update log.
package struct RunRecord: Hashable, Sendable {
    package enum Result: String, CaseIterable, Sendable {
        case newData, noData, failed
    }

    /// Bytes of a reason, which may quote anything.
    package static let reasonBytes = 1_024
    /// Bytes kept of the end of standard error.
    package static let errorOutputBytes = 4_096

    package var started: WallTime
    package var duration: TimeSpan
    package var reason: RunReason
    package var result: Result
    package var failure: String?
    package var exit: String?
    package var errorOutput: String

    package init(
        started: WallTime, duration: TimeSpan, reason: RunReason, result: Result, failure: String?, exit: String?,
        errorOutput: String
    ) {
        self.started = started
        self.duration = duration
        self.reason = reason
        self.result = result
        self.failure = failure
        self.exit = exit
        self.errorOutput = errorOutput
    }
}
