// SPDX-License-Identifier: MIT
import JSON

/// Why a run takes place. The widget reads it in TODAY_REASON.
package enum RunReason: String, WireWord {
    case boot, schedule, appear, request, action, editing, mode, wake, retry
    /// The widget is behind: its program, its settings, its groups' defaults, its display mode or its room have changed since
    /// its last answer. A resident gets `mode` for a new display mode.
    case behind = "defaults"

    /// Whether the run is not an ordinary update. Such a run says nothing about how fresh the content is, nor whether
    /// the next update will succeed.
    package var isInteraction: Bool {
        switch self {
        case .action, .editing, .mode: true
        case .boot, .schedule, .appear, .request, .behind, .wake, .retry: false
        }
    }
}

/// A step in the editing of a widget, requested by a host.
package enum EditStep: String, CaseIterable, Sendable {
    case begin, done, cancel

    /// The parameters of SetEditing.
    package func parameters(of widget: String) -> JSONObject {
        var parameters: JSONObject = ["id": .string(widget), "editing": .bool(self == .begin)]
        if self == .cancel { parameters["cancel"] = true }
        return parameters
    }
}

/// What a run is for when it is not an update.
package enum Interaction: Hashable, Sendable {
    /// A button with this action was pressed; `isLocked`: by a host that shows widgets while the session is locked.
    case action(String, isLocked: Bool = false)
    case beginEditing
    /// The user has finished editing, or has cancelled it and wants the former state back.
    case endEditing(isCancelled: Bool)
    /// A resident draws its present data for another display mode.
    case displayMode

    /// Whether a widget's process may not request it, because the user decides it at a host.
    package var isForbiddenToWidgets: Bool {
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

/// One run that begins, with everything that the runner needs: a perform-update, or an interaction.
package struct RunRequest: Sendable {
    /// Increases across all widgets while the daemon runs. It tells the runs of one widget apart.
    package let run: UInt64
    package let manifest: Manifest
    package let reason: RunReason
    package var mode: DisplayMode
    package var interaction: Interaction?
    /// The widget's last good answer: equal output is `noData`. Nil: the daemon has none, so the widget cannot answer
    /// `noData`.
    package var previous: Layers.Own?
    /// Whether the user is editing the widget or begins to: what it draws is an editor.
    package var isEditing = false
    /// The room in each display mode.
    package var sizes = DisplaySizes.standard
    /// The values of the widget's settings, by name.
    package var settings: [String: String] = [:]
    /// The variables of the user's session, such as `DISPLAY`.
    package var session: [String: String] = [:]

    package init(run: UInt64, manifest: Manifest, reason: RunReason, mode: DisplayMode) {
        self.run = run
        self.manifest = manifest
        self.reason = reason
        self.mode = mode
    }

    /// Whether `previous` is the widget's latest drawing, for the same mode and size.
    package var fits = true

    package var widget: WidgetID { manifest.id }
    /// Whether the widget is told that its latest drawing is still right for the display, so that `noData` suffices.
    package var isKnown: Bool { previous != nil && fits }
}

/// What the processes of a run have used together.
package struct RunUsage: Hashable, Sendable {
    package var processor: TimeSpan
    /// The most at one time; nil if the kernel does not count it.
    package var memory: ByteSize?

    package init(processor: TimeSpan, memory: ByteSize?) {
        self.processor = processor
        self.memory = memory
    }

    /// The usage of one call to a program that has been called before.
    package func since(_ earlier: RunUsage?) -> RunUsage {
        RunUsage(processor: processor - (earlier?.processor ?? .zero), memory: memory)
    }
}

/// How a run ended. A widget's failure is an outcome, never a thrown error.
package struct RunOutcome: Sendable {
    package enum Result: Hashable, Sendable {
        indirect case newData(Content)
        case noData
        case failed(String)
    }

    package let widget: WidgetID
    package let run: UInt64
    package let reason: RunReason
    package var interaction: Interaction?
    /// Whether the run took place while the user edited the widget.
    package var isEditing = false
    package let started: WallTime
    package var duration: TimeSpan
    package var result: Result { didSet { result = result.inOneLine } }
    /// How the program ended, as text: `exited with status 3`; nil if none was started.
    package var exit: String?
    /// The end of the program's standard error.
    package var errorOutput: String
    /// When the widget wants its next update; a `noData` run may also say so. After a failed run, the widget is not
    /// tried again earlier.
    package var nextAsk: NextAsk?
    /// What the program printed, if the runner keeps it; nil for a resident, which answers calls.
    package var printed: Printed?
    /// Notes on output that was not understood, for the program's author.
    package var notes: [String] = []
    /// What the run has used, if the kernel counts that.
    package var usage: RunUsage?
    /// Whether the widget has given the same content again, so that the result is `noData`. Its numbers count as new values.
    package var isRepeated = false
    /// How old the answer already was when the program gave it.
    package var age = TimeSpan.zero
    /// Whether the program of a stream stays, so that updates may follow.
    package var stays = false
    /// Whether the program of a stream has printed nothing within its time-out: that says nothing about its content.
    package var isSilent = false

    package var isFailure: Bool { if case .failed = result { true } else { false } }

    /// Whether the run does not make the content fresher: it was for a button, another display mode or editing, or it
    /// succeeded while the user edited the widget.
    package var isInteraction: Bool { interaction != nil || reason.isInteraction || isEditing && !isFailure }

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

    /// The entry for the update log.
    package var logEntry: RunRecord {
        let (word, failure): (RunRecord.Result, String?) =
            switch result {
            case .newData: (.newData, nil)
            case .noData: (.noData, nil)
            case .failed(let reason): (.failed, reason)
            }
        // An update during editing does not show whether the widget works.
        var record = RunRecord(
            started: started, duration: duration, reason: isInteraction && !reason.isInteraction ? .editing : reason,
            result: word, failure: failure, exit: exit,
            errorOutput: errorOutput)
        record.usage = usage
        return record
    }
}

extension RunOutcome.Result {
    /// A reason quotes what programs print. The journal, the log and every host show it, so it is one line.
    fileprivate var inOneLine: RunOutcome.Result {
        guard case .failed(let reason) = self else { return self }
        return .failed(PlainText.line(reason, upTo: RunRecord.reasonBytes))
    }
}

/// One entry of a widget's update log.
package struct RunRecord: Hashable, Sendable {
    package enum Result: String, WireWord {
        case newData, noData, failed
    }

    /// Bytes of a reason, which may quote any text.
    package static let reasonBytes = 1_024
    /// How many bytes of the end of standard error are kept.
    package static let errorOutputBytes = 4_096

    package var started: WallTime
    package var duration: TimeSpan
    package var reason: RunReason
    package var result: Result
    package var failure: String?
    package var exit: String?
    package var errorOutput: String
    package var usage: RunUsage?

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
