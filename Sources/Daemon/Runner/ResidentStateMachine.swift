// SPDX-License-Identifier: MIT
import TodayModel

/// Decides what happens in the life of a resident program, without a process or a socket.
///
///     idle ── asked ──► calling ── answered ──► idle ── expired, dismissed ──► leaving
///       │                  └─ expired, broken ─► over (the program is ended)
///       └─ broken, answered ─► over
///
/// RunStateMachine decides how the process and all that it started are ended.
struct ResidentStateMachine: Sendable {
    enum Event: Sendable {
        /// A run is requested.
        case asked
        /// The program sent a whole reply.
        case answered
        /// The program sent something that is no message, or too much of it.
        case broken(String)
        /// The program closed the connection.
        case closed
        /// The timer fired.
        case expired
        case cancelled(String)
        /// The program is no longer needed.
        case dismissed
    }

    enum Action: Hashable, Sendable {
        case arm(TimeSpan)
        case call
        /// Read the answer and report the outcome of the call.
        case deliver
        /// Report a failure that happened while no call waited.
        case reportUnaskedFailure(String)
        /// Close the connection, so that the program exits.
        case hangUp
        /// End the program. The reason is the failure of the call, if one waits.
        case end(String)
    }

    struct Patience: Sendable {
        /// How long a call may take, also in words.
        var call: TimeSpan
        var callInWords: String
        /// How long the program may be idle before its connection is closed.
        var idle: TimeSpan
        /// How long the program may take to exit after its connection was closed.
        var leave: TimeSpan
    }

    private enum Phase: Sendable { case idle, calling, leaving, over }

    var patience: Patience
    private var phase = Phase.idle
    /// Close the connection after the answer.
    private var isDismissed = false

    init(patience: Patience) { self.patience = patience }

    /// Whether the program can take a call now.
    var isIdle: Bool { phase == .idle }

    /// Whether the program can take a oneway call now.
    var isConnected: Bool { phase == .idle || phase == .calling }

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
            return failUnasked("it answered without being asked")
        case (.idle, .broken(let reason)):
            return failUnasked(reason)
        case (.idle, .closed), (.idle, .expired), (.idle, .dismissed):
            phase = .leaving
            return [.hangUp, .arm(patience.leave)]
        case (.calling, .broken(let reason)):
            return over(reason)
        case (.calling, .closed):
            // Mostly the program has exited. Wait for its status, which says more than the closed connection.
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

    private mutating func failUnasked(_ reason: String) -> [Action] { [.reportUnaskedFailure(reason)] + over(reason) }
}
