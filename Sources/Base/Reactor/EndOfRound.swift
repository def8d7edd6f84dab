// SPDX-License-Identifier: MIT
import CSystemd
import Glibc

/// Runs once after the events of this round of the loop, also when it was scheduled several times. It does for many
/// events together what would cost too much for each.
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
