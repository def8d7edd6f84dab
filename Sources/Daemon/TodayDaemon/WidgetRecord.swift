// SPDX-License-Identifier: MIT
import Reactor
import TodayModel

/// What the daemon keeps in memory of one widget beside the stages: its runs, its programs and what they have printed.
/// `Catalog` has one record for each identifier, and the daemon looks it up where an event comes in.
@LoopActor
final class WidgetRecord {
    let id: WidgetID
    /// The choices, and whether there was a draft, when the daemon last derived what follows from them.
    var choices: Choices
    var wasEdited = false
    /// The run in progress: a widget has one at a time.
    private(set) var run: Run?
    /// The clients that wait for its runs.
    var waiters = UpdateWaiters()
    /// The processes of a resident.
    var processes = ResidentProcesses()
    /// The program of a stream.
    var stream = StreamRecord()
    var output = LastOutput()
    var press = ButtonPress.none
    /// Who has run it last for the fleet.
    var fleetOrigin: FleetOrigin?
    /// Whether its last update drew an editor: it runs again after editing.
    var drewEditor = false
    /// Whether its stored answer may not be its latest, because the last daemon was killed.
    var mayBeOutdated = false

    struct Run {
        let number: UInt64
        /// No other run makes a widget's answer newer.
        let isUpdate: Bool
        fileprivate(set) var inputs: UpdateInputs
    }

    init(_ id: WidgetID, _ choices: Choices) {
        self.id = id
        self.choices = choices
    }

    /// Whether something of it still runs or is waited for, so that an event may come.
    var isBusy: Bool { run != nil || processes.isRunning || stream.isRunning || !waiters.isEmpty }

    /// A run starts.
    func began(_ run: UInt64, isUpdate: Bool, from inputs: UpdateInputs, _ manifest: Manifest, at now: WallTime) {
        self.run = Run(number: run, isUpdate: isUpdate, inputs: inputs)
        if manifest.update.stays { stream.began(run, of: manifest, at: now) }
        waiters.started(run: run, widget: id)
    }

    /// The inputs of a run that has ended; nil for a run that never began.
    func ended(_ number: UInt64) -> UpdateInputs? {
        guard let ended = run, ended.number == number else { return nil }
        run = nil
        return ended.inputs
    }

    /// The user has pressed a button, and its run starts.
    func pressBegan(isLocked: Bool) {
        press = isLocked ? .locked : .withoutURL
        output.refusedOpen = nil
    }

    /// The defaults of one of its groups have changed. The program knows its own changes during an update.
    func changed(_ group: AppGroup, to revision: Int64, by writers: [WidgetID?]) {
        if run?.isUpdate == true { run?.inputs.follow(group, to: revision, by: writers, own: id) }
        stream.changed(group, to: revision, by: writers, own: id)
    }
}

/// What the last output of a program was: the beginning of one that failed, and what todayd did not understand of one that
/// it could read; and the last URL that it refused to open.
struct LastOutput: Equatable {
    private(set) var printed: Printed?
    private var unread: [String] = []
    /// Until the user presses a button again.
    fileprivate(set) var refusedOpen: String?

    var notes: [String] { unread + (refusedOpen.map { [$0] } ?? []) }

    mutating func note(_ outcome: RunOutcome) {
        printed = outcome.isFailure ? outcome.printed : nil
        unread = outcome.notes
    }

    mutating func refusedToOpen(_ url: String, because reason: String) {
        refusedOpen = PlainText.line("todayd did not open \(url): \(reason)", upTo: RunRecord.reasonBytes)
    }
}

/// A press of a button, and the URL that the widget wants opened. The daemon opens none itself, because it has no screen
/// and perhaps no user: the host where the user pressed the button gets the URL in the answer.
enum ButtonPress: Equatable {
    case none
    case withoutURL
    /// The session of the user is locked.
    case locked
    case opens(String)

    /// - Returns: the URL that the host has to open.
    mutating func end() -> String? {
        defer { self = .none }
        if case .opens(let url) = self { return url }
        return nil
    }

    /// Keeps a URL for the answer, or returns why it is refused.
    mutating func open(_ url: String, for manifest: Manifest) -> String? {
        if let reason = URLScheme.refusal(of: url, for: manifest.id, declaring: manifest.urlSchemes) { return reason }
        switch self {
        case .none:
            return "the user has pressed no button of \(manifest.id): URLs are opened while an action is performed"
        case .opens: return "one action opens one URL"
        case .locked: return Refusal.whileLocked
        case .withoutURL:
            self = .opens(url)
            return nil
        }
    }
}
