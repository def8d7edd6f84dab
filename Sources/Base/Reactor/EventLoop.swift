// SPDX-License-Identifier: MIT
import CLinux
import CSystemd
import Glibc
import Platform
import Synchronization

/// The process's one sd-event loop: waits for everything there is to wait for, and is the executor of `LoopActor`.
package final class EventLoop: SerialExecutor {
    package static let shared = EventLoop()

    /// The thread that called `run`, or zero: set once, so that isolation still holds for what happens after the loop.
    private let thread = Atomic<pthread_t>(0)
    let inbox = Mutex(Inbox())

    /// The sd-event object, from `open` on. Sources hand it to sd_event_add_…(3), which refuse nil.
    @LoopActor private(set) var event: OpaquePointer?
    /// Watches the descriptors of `IOSource`s, from `open` on.
    @LoopActor private(set) var poller: Poller?
    /// The turns of `TurnSource`s, from `open` on.
    @LoopActor private(set) var turns: Turns?
    /// What `DirectorySource`s share, from the first one on.
    @LoopActor private var directoryEvents: DirectoryEventQueue?
    @LoopActor private(set) var isExiting = false
    /// The work being drained; kept to reuse its storage.
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

    /// Answers the service manager's watchdog from the loop, if it asked for that: sd_event_set_watchdog(3).
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

    /// Counts how often descriptors were found ready: all handlers that are called for them together see one number.
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
        // Peers and children may go away while something is written to them. That is the writer's EPIPE to handle.
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

/// Something the kernel or libsystemd refused, in words: "cannot watch descriptor 7: Operation not permitted".
package struct ReactorError: Error, Equatable, CustomStringConvertible {
    /// What was attempted, as the end of a sentence that begins with "cannot".
    package let action: String
    /// The errno value.
    package let code: Int32
    /// Why it failed, where there is more to say than errno's text.
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
