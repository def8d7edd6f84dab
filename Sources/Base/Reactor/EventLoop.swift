// SPDX-License-Identifier: MIT
import CLinux
import CSystemd
import Glibc
import Platform
import Synchronization

/// The process's one sd-event loop, and the executor of `LoopActor`.
package final class EventLoop: SerialExecutor {
    package static let shared = EventLoop()

    /// The thread that called `run`, or zero. It is never reset, so that isolation also holds for code that runs after
    /// the loop.
    private let thread = Atomic<pthread_t>(0)
    let inbox = Mutex(Inbox())

    /// The sd-event object; nil until `open`. The functions sd_event_add_…(3) refuse nil with an error.
    @LoopActor private(set) var event: OpaquePointer?
    /// Watches the descriptors of `IOSource`s; nil until `open`.
    @LoopActor private(set) var poller: Poller?
    /// Runs the turns of `EndOfRound`s; nil until `open`.
    @LoopActor private(set) var turns: Turns?
    /// All `DirectorySource`s share it; the first one creates it.
    @LoopActor private var directoryEvents: DirectoryEventQueue?
    @LoopActor private(set) var isExiting = false
    /// The work that is being drained. A property, to reuse its storage.
    @LoopActor var batch: [Work] = []

    init() {}

    /// Makes the calling thread the loop's thread, runs `setup` and then the loop until `exit`, whose code it returns.
    package static func run(_ setup: @LoopActor () throws -> Void) throws -> Int32 {
        shared.adoptThread()
        return try LoopActor.assumeIsolated {
            try shared.open()
            try setup()
            return try shared.loop()
        }
    }

    /// Ends the loop after the handler that is running.
    @LoopActor
    package static func exit(_ code: Int32) {
        shared.end(code)
    }

    /// The time of a clock, in microseconds.
    package static func now(_ clock: SystemClock) -> Int64 { clock.microseconds }

    /// Sends keep-alive messages to the service manager if the unit has a watchdog: sd_event_set_watchdog(3).
    @LoopActor
    package static func enableWatchdog() throws(ReactorError) -> Bool {
        try check(sd_event_set_watchdog(shared.event, 1), "answer the watchdog") > 0
    }

    /// Whether the calling thread is the loop's thread.
    package var isCurrent: Bool { pthread_self() == thread.load(ordering: .relaxed) }

    private func adoptThread() {
        let (isFirst, _) = thread.compareExchange(expected: 0, desired: pthread_self(), ordering: .relaxed)
        precondition(isFirst, "the event loop runs only once in a process")
    }

    /// The number of the current batch of ready descriptors. All handlers that are called in one batch see the same
    /// number.
    @LoopActor
    package static var round: UInt64 { shared.poller?.round ?? 0 }

    @LoopActor
    func directoryEvents(for action: String) throws(ReactorError) -> DirectoryEventQueue {
        guard poller != nil else { throw ReactorError(action, code: ENXIO, reason: "the event loop is not open") }
        if let directoryEvents { return directoryEvents }
        let queue = try DirectoryEventQueue()
        directoryEvents = queue
        return queue
    }

    @LoopActor
    func end(_ code: Int32) {
        isExiting = true
        sd_event_exit(event, code)
    }

    @LoopActor
    func open() throws(ReactorError) {
        // Peers and children may exit while this process writes to them. The writer then gets EPIPE instead of a
        // signal.
        signal(SIGPIPE, SIG_IGN)
        try check(sd_event_new(&event), "create the event loop")
        poller = try Poller(in: event)
        turns = try Turns(in: event)
        try openInbox()
    }

    @LoopActor
    func loop() throws(ReactorError) -> Int32 {
        try check(sd_event_loop(event), "run the event loop")
    }
}

/// An error of the kernel or of libsystemd: "cannot watch descriptor 7: Operation not permitted".
package struct ReactorError: Error, Equatable, CustomStringConvertible {
    /// What was attempted, as the end of a sentence that begins with "cannot".
    package let action: String
    /// The errno value.
    package let code: Int32
    /// Why it failed: errno's text unless the caller knows more.
    package let reason: String

    package init(_ action: String, code: Int32, reason: String? = nil) {
        self.action = action
        self.code = code
        self.reason = reason ?? String(cString: strerror(code))
    }

    package var description: String { "cannot \(action): \(reason)" }
}

/// Turns libsystemd's convention, a negative errno, into a thrown error.
@discardableResult
func check(_ result: Int32, _ action: @autoclosure () -> String) throws(ReactorError) -> Int32 {
    guard result >= 0 else { throw ReactorError(action(), code: -result) }
    return result
}

/// The same for the C library's convention: -1, and the reason in errno.
@discardableResult
func checkErrno(_ result: Int32, _ action: @autoclosure () -> String) throws(ReactorError) -> Int32 {
    try check(result < 0 ? -errno : result, action())
}

/// Runs once after the events of this round of the loop, even if it was scheduled several times. It does for many events
/// together what would cost too much for each.
@LoopActor
package final class EndOfRound {
    private let turns: Turns
    private let turn: Turns.Turn

    package init(onTurn: @escaping @LoopActor () -> Void) throws(ReactorError) {
        guard let turns = EventLoop.shared.turns else {
            throw ReactorError("create a turn source", code: ENXIO, reason: "the event loop is not open")
        }
        self.turns = turns
        turn = Turns.Turn(onTurn)
    }

    deinit {
        let turn = turn
        LoopActor.run { turn.handler = nil }
    }

    package func schedule() { turns.schedule(turn) }

    /// Stops for good and releases the handler. Idempotent, and safe within the handler.
    package func cancel() { turn.handler = nil }
}

/// The turns that are due. They run after each batch of events, or at once when no descriptor is ready.
///
/// They share one deferred source. Of all pending sources sd-event dispatches the one that has been pending for
/// longest, and a deferred source counts as pending since it was added: a turn with its own source that schedules
/// itself would keep the loop from all descriptors.
@LoopActor
final class Turns {
    @LoopActor
    final class Turn {
        var handler: (@LoopActor () -> Void)?
        fileprivate var isDue = false

        init(_ handler: @escaping @LoopActor () -> Void) { self.handler = handler }
    }

    private var due: [Turn] = []
    /// The turns that are running. A property, to reuse its storage.
    private var batch: [Turn] = []
    /// Wakes the loop when no descriptor is ready.
    private var alarm: OpaquePointer?

    init(in event: OpaquePointer?) throws(ReactorError) {
        let added = sd_event_add_defer(
            event, &alarm,
            { _, _ in
                LoopActor.assumeIsolated { EventLoop.shared.turns?.run() }
                return 0
            }, nil)
        try check(added, "create a deferred source")
        // After descriptors, because their batch runs the turns as well.
        sd_event_source_set_priority(alarm, Int64(SD_EVENT_PRIORITY_NORMAL) + 1)
    }

    func schedule(_ turn: Turn) {
        guard !turn.isDue else { return }
        turn.isDue = true
        due.append(turn)
        if due.count == 1 { sd_event_source_set_enabled(alarm, Int32(SD_EVENT_ONESHOT)) }
    }

    /// A turn that is scheduled by a turn runs after the next batch.
    func run() {
        sd_event_source_set_enabled(alarm, Int32(SD_EVENT_OFF))
        swap(&due, &batch)
        for turn in batch {
            turn.isDue = false
            turn.handler?()
            if EventLoop.shared.isExiting { break }
        }
        batch.removeAll(keepingCapacity: true)
    }
}
