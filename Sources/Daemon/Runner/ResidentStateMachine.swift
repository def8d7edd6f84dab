// SPDX-License-Identifier: MIT
import TodayModel

/// Decides what happens in the life of a resident program, without a process or a socket.
///
///     phase    event                              next phase
///     idle     asked                              calling
///     idle     expired                            leaving, or idle as long as a host shows what the user has opened
///     idle     dismissed, closed                  leaving
///     idle     answered without being asked       over
///     idle     broken                             over
///     calling  answered                           idle, or leaving if it was dismissed meanwhile
///     calling  closed                             leaving
///     calling  expired, broken                    over
///     leaving  expired                            over
///     any      cancelled, ended                   over
///
/// A program that leaves has no connection any more and should exit by itself. When its life is over, the daemon ends it.
/// RunStateMachine decides how the process and all that it started are ended.
struct ResidentStateMachine: Sendable {
    enum Event: Sendable {
        /// A run is requested.
        case asked
        /// The next requested run is a press of a button by the user.
        case pressed
        /// A host begins to show the widget, or the last one stops.
        case watched(Bool)
        /// The program sent a whole reply.
        case answered
        /// The program sent something that is not a message, or too much of it.
        case broken(String)
        /// The program closed the connection.
        case closed
        /// The timer fired. The text, usually empty, helps the author of a program that forgets the NUL after a message.
        case expired(incomplete: String)
        case cancelled(String)
        /// The program is no longer needed.
        case dismissed
        /// The program and all that it started have ended.
        case ended
    }

    enum Action: Hashable, Sendable {
        case arm(TimeSpan)
        case call
        /// Read the answer and report the outcome of the call.
        case deliver
        /// Report a failure that happened while no call waited.
        case reportIdleFailure(String)
        /// Close the connection, so that the program exits.
        case hangUp
        /// End the program. The reason is the failure of the call, if one waits.
        case end(String)
    }

    struct Patience: Sendable {
        /// How long a call may take, and the same in words.
        var call: TimeSpan
        var callInWords: String
        /// How long the program may be idle before its connection is closed.
        var idle: TimeSpan
        /// How long the program may take to exit after its connection was closed.
        var leave: TimeSpan
    }

    private enum Phase: Hashable, Sendable {
        case idle, calling
        /// The connection is closed. If the program does not exit, it is ended for this reason.
        case leaving(String)
        case over
    }

    var patience: Patience
    private var phase = Phase.idle
    /// Close the connection after the answer.
    private var isDismissed = false
    private var isWatched = false
    /// Whether the user has pressed a button of this program, which may have opened something that only it remembers.
    private var wasPressed = false

    init(patience: Patience) { self.patience = patience }

    /// Whether the program can take a call now.
    var isIdle: Bool { phase == .idle }

    /// Whether the program can take a oneway call now.
    var isConnected: Bool { phase == .idle || phase == .calling }

    mutating func handle(_ event: Event) -> [Action] {
        switch (phase, event) {
        case (_, .pressed):
            wasPressed = true
            return []
        case (_, .watched(let isWatched)):
            self.isWatched = isWatched
            // The timer may have fired while a host showed the widget.
            return phase == .idle && !isWatched && wasPressed ? [.arm(patience.idle)] : []
        case (.idle, .asked):
            phase = .calling
            return [.call, .arm(patience.call)]
        case (.calling, .answered) where isDismissed:
            return [.deliver] + dismiss()
        case (.calling, .answered):
            phase = .idle
            return [.arm(patience.idle), .deliver]
        case (.idle, .answered):
            return failIdle("it answered without being asked")
        case (.idle, .broken(let reason)):
            return failIdle(reason)
        case (.idle, .expired) where isWatched && wasPressed:
            return []
        case (.idle, .closed), (.idle, .expired), (.idle, .dismissed):
            return dismiss()
        case (.calling, .broken(let reason)):
            return over(reason)
        case (.calling, .closed):
            // Usually the program has exited. Wait for its status, which says more than the closed connection.
            phase = .leaving("it closed its connection before it answered")
            return [.hangUp, .arm(.milliseconds(200))]
        case (.calling, .expired(let incomplete)):
            return over("timed out after \(patience.callInWords)\(incomplete)")
        case (.leaving(let reason), .expired(let incomplete)):
            return over(reason + incomplete)
        case (.idle, .cancelled(let reason)), (.calling, .cancelled(let reason)), (.leaving, .cancelled(let reason)):
            return over(reason)
        case (.calling, .dismissed):
            isDismissed = true
            return []
        case (_, .ended):
            phase = .over
            return []
        case (.leaving, _), (.over, _), (.calling, .asked):
            return []
        }
    }

    private mutating func dismiss() -> [Action] {
        phase = .leaving("it did not exit after its connection was closed")
        return [.hangUp, .arm(patience.leave)]
    }

    private mutating func over(_ reason: String) -> [Action] {
        phase = .over
        return [.hangUp, .end(reason)]
    }

    private mutating func failIdle(_ reason: String) -> [Action] { [.reportIdleFailure(reason)] + over(reason) }
}
