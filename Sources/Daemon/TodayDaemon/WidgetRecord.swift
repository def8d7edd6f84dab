// SPDX-License-Identifier: MIT
import QueryService
import Reactor
import TodayModel

/// What the daemon keeps in memory of one widget, besides the stages: its runs, its programs and their output. `Catalog` has
/// one record for each identifier, and the daemon looks it up once for each event.
@LoopActor
final class WidgetRecord {
    let id: WidgetID
    /// The choices, and whether there was a draft, when the daemon last derived the consequences of them.
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
    /// The member that last ran it for the fleet.
    var fleetOrigin: FleetOrigin?
    /// Whether its last update drew an editor: it runs again after editing.
    var drewEditor = false
    /// Whether its stored answer may not be its latest, because the last daemon was killed.
    var mayBeOutdated = false

    struct Run: Equatable {
        let number: UInt64
        /// No other run makes a widget's answer newer.
        let isUpdate: Bool
        fileprivate(set) var inputs: UpdateInputs
        /// The revision of the session whose variables it has.
        let session: Int
    }

    init(_ id: WidgetID, _ choices: Choices) {
        self.id = id
        self.choices = choices
    }

    /// Whether something of it still runs or is waited for, so that an event may come.
    var isBusy: Bool { run != nil || processes.isRunning || stream.isRunning || !waiters.isEmpty }

    /// A run starts.
    func began(_ run: Run, _ manifest: Manifest, at now: WallTime) {
        self.run = run
        if manifest.update.stays { stream.began(run.number, at: now) }
        waiters.started(run: run.number, widget: id)
    }

    /// A run has ended; nil for one that never began.
    func ended(_ number: UInt64) -> Run? {
        guard let ended = run, ended.number == number else { return nil }
        run = nil
        return ended
    }

    /// The user has pressed a button, and its run starts.
    func pressBegan(isLocked: Bool) {
        press = isLocked ? .locked : .withoutURL
        output.refusedOpen = nil
    }

    /// The defaults of one of its groups have changed. During an update, the program knows its own changes.
    func changed(_ group: AppGroup, to revision: Int64, by writers: [WidgetID?]) {
        if run?.isUpdate == true { run?.inputs.follow(group, to: revision, by: writers, own: id) }
        stream.changed(group, to: revision, by: writers, own: id)
    }
}

/// The last output of a program: the beginning of a failed one, and notes on what todayd did not understand of a good one; and
/// the last URL that it refused to open.
struct LastOutput: Equatable {
    private(set) var printed: Printed?
    private var unread: [String] = []
    /// Kept until the user presses a button again.
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

/// The clients that wait for runs of a widget, until each run has its final answer.
struct UpdateWaiters {
    private struct Waiter {
        weak var listener: (any UpdateListener)?
    }

    /// The clients that wait for one run. When their number has doubled, it removes those that have left.
    private struct RunWaiters {
        private(set) var waiters: [Waiter] = []
        private var countBeforeRemoval = 64

        mutating func add(_ listener: any UpdateListener) {
            if waiters.count >= countBeforeRemoval {
                waiters.removeAll { $0.listener == nil }
                countBeforeRemoval = max(64, 2 * waiters.count)
            }
            waiters.append(Waiter(listener: listener))
        }
    }

    private var waiting: [UInt64: RunWaiters] = [:]

    var isEmpty: Bool { waiting.isEmpty }

    /// The number of listeners, including clients that have left.
    var count: Int { waiting.values.reduce(0) { $0 + $1.waiters.count } }

    mutating func add(run: UInt64, _ listener: any UpdateListener) { waiting[run, default: RunWaiters()].add(listener) }

    @LoopActor func started(run: UInt64, widget: WidgetID) {
        tell(waiting[run], UpdateAnswer(id: widget, answer: .started))
    }

    /// Answers the clients of a run that has ended or will not take place.
    @LoopActor mutating func finished(run: UInt64, _ answer: UpdateAnswer) {
        tell(waiting.removeValue(forKey: run), answer)
        if waiting.isEmpty { waiting = [:] }  // An empty dictionary keeps its storage.
    }

    @LoopActor private func tell(_ run: RunWaiters?, _ answer: UpdateAnswer) {
        run?.waiters.forEach { $0.listener?.receive(answer) }
    }
}

extension UpdateAnswer {
    /// The final answer for an outcome.
    init(_ outcome: RunOutcome) {
        switch outcome.result {
        case .newData: self.init(id: outcome.widget, answer: .newData)
        case .noData where outcome.isSilent:
            self.init(id: outcome.widget, answer: .noData, reason: "its program runs, and has printed no update yet")
        case .noData: self.init(id: outcome.widget, answer: .noData)
        case .failed(let reason): self.init(id: outcome.widget, answer: .failed, reason: reason)
        }
    }
}

/// The newest process of a resident. There may be several for a while, each with an extension context. Only the newest counts,
/// so the end of an older one changes nothing.
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
