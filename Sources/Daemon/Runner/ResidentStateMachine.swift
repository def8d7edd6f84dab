// SPDX-License-Identifier: MIT
import TodayModel

/// What to do when, in the life of a program that stays between calls: a decision without a process or a socket.
///
///     idle ── asked ──► calling ── answered ──► idle ── expired, dismissed ──► leaving
///       │                  └─ expired, broken ─► over (the program is ended)
///       └─ broken, answered ─► over
///
/// The end of the process itself, and of what it started, is RunStateMachine's.
struct ResidentStateMachine: Sendable {
    enum Event: Sendable {
        /// There is a request for it.
        case asked
        /// A whole message has come on the connection.
        case answered
        /// What came is no message, or nothing can come any more.
        case broken(String)
        /// The connection is closed from the other side.
        case closed
        /// The timer that was armed last.
        case expired
        case cancelled(String)
        /// It is not needed any more.
        case dismissed
    }

    enum Action: Hashable, Sendable {
        case arm(TimeSpan)
        case call
        /// Read the answer and tell what came of the call.
        case deliver
        /// It has misbehaved when it had not been asked anything.
        case complain(String)
        /// Close the connection: the program that serves it has nothing to do any more.
        case hangUp
        /// End the program; this is why the call failed, if there was one.
        case end(String)
    }

    struct Patience: Sendable {
        /// For an answer, in words too.
        var call: TimeSpan
        var callInWords: String
        /// Before a program that is not asked is let go.
        var idle: TimeSpan
        /// For a program to end after the connection was closed.
        var leave: TimeSpan
    }

    private enum Phase: Sendable { case idle, calling, leaving, over }

    var patience: Patience
    private var phase = Phase.idle
    /// It leaves after the answer.
    private var isDismissed = false

    init(patience: Patience) { self.patience = patience }

    /// Whether it can be asked now.
    var isIdle: Bool { phase == .idle }

    /// Whether it can be told something.
    var isThere: Bool { phase == .idle || phase == .calling }

    mutating func handle(_ event: Event) -> [Action] {
        switch (phase, event) {
        case (.idle, .asked):
            phase = .calling
            return [.call, .arm(patience.call)]
        case (.calling, .answered) where isDismissed:
            phase = .leaving
            return [.deliver, .hangUp, .arm(patience.leave)]
        case (.calling, .answered):
            phase = .idle
            return [.arm(patience.idle), .deliver]
        case (.idle, .answered):
            return misbehaved("it answered without being asked")
        case (.idle, .broken(let reason)):
            return misbehaved(reason)
        case (.idle, .closed), (.idle, .expired), (.idle, .dismissed):
            phase = .leaving
            return [.hangUp, .arm(patience.leave)]
        case (.calling, .broken(let reason)):
            return over(reason)
        case (.calling, .closed):
            // Mostly because it has ended; then how it did says more.
            phase = .leaving
            return [.hangUp, .arm(.milliseconds(200))]
        case (.calling, .expired):
            return over("timed out after \(patience.callInWords)")
        case (.leaving, .expired):
            return over("it closed its connection before it answered")
        case (.idle, .cancelled(let reason)), (.calling, .cancelled(let reason)), (.leaving, .cancelled(let reason)):
            return over(reason)
        case (.calling, .dismissed):
            isDismissed = true
            return []
        case (.leaving, _), (.over, _), (.calling, .asked):
            return []
        }
    }

    private mutating func over(_ reason: String) -> [Action] {
        phase = .over
        return [.hangUp, .end(reason)]
    }

    private mutating func misbehaved(_ reason: String) -> [Action] { [.complain(reason)] + over(reason) }
}
