// SPDX-License-Identifier: MIT
import Glibc

/// Runs once after the events of this turn of the loop, however often it was scheduled: the place to do for many
/// events together what is too costly to do for each.
@LoopActor
package final class TurnSource {
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

    /// Stops for good and lets go of the handler. Idempotent, and safe within the handler.
    package func cancel() { turn.handler = nil }
}
