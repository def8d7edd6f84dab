// SPDX-License-Identifier: MIT
import CSystemd

/// Runs once after the events of this turn of the loop, however often it was scheduled: the place to do for many
/// events together what is too costly to do for each.
@LoopActor
package final class TurnSource {
    private let registration: PlainRegistration

    package init(onTurn: @escaping @LoopActor () -> Void) throws(ReactorError) {
        registration = PlainRegistration(onTurn)
        try registration.attach("create a turn source") { source, userdata in
            sd_event_add_defer(
                EventLoop.shared.event, source, { _, userdata in PlainRegistration.fire(userdata) }, userdata)
        }
        sd_event_source_set_enabled(registration.source, Int32(SD_EVENT_OFF))
    }

    deinit { registration.retire() }

    package func schedule() {
        guard let source = registration.source else { return }
        sd_event_source_set_enabled(source, Int32(SD_EVENT_ONESHOT))
    }

    /// Stops for good and lets go of the handler. Idempotent, and safe within the handler.
    package func cancel() { registration.cancel() }
}
