// SPDX-License-Identifier: MIT
import CSystemd
import Platform

/// Fires once, when armed for a time; may be armed again and again. Timers that are due in the same round fire in any
/// order.
@LoopActor
package final class TimerSource {
    /// How late a timer may fire, in microseconds, when its user has no opinion: 250 ms is the finest grain at which
    /// sd-event moves wake-ups of all processes on the machine to common points (sd_event_add_time(3)), and no user
    /// notices a quarter of a second in a time-out.
    package static let defaultSlack: Int64 = 250_000

    private let clock: SystemClock
    private let registration: PlainRegistration

    /// Disarmed at first.
    package init(_ clock: SystemClock, onFire: @escaping @LoopActor () -> Void) throws(ReactorError) {
        self.clock = clock
        registration = PlainRegistration(onFire)
        try registration.attach("create a timer") { source, userdata in
            sd_event_add_time(
                EventLoop.shared.event, source, clock.identifier, UInt64.max, 0,
                { _, _, userdata in PlainRegistration.fire(userdata) }, userdata)
        }
        disarm()
    }

    deinit { registration.retire() }

    /// Fires at a time of the clock, or at once if it has passed, and at most `slack` microseconds later.
    package func arm(at time: Int64, slack: Int64 = defaultSlack) {
        guard let source = registration.source else { return }
        sd_event_source_set_time(source, UInt64(max(time, 0)))
        // Zero would mean sd-event's default.
        sd_event_source_set_time_accuracy(source, UInt64(max(slack, 1)))
        sd_event_source_set_enabled(source, Int32(SD_EVENT_ONESHOT))
    }

    package func arm(after delay: Int64, slack: Int64 = defaultSlack) {
        let (time, isOverflow) = clock.microseconds.addingReportingOverflow(max(delay, 0))
        arm(at: isOverflow ? Int64.max : time, slack: slack)
    }

    package func disarm() {
        sd_event_source_set_enabled(registration.source, Int32(SD_EVENT_OFF))
    }

    /// Stops for good and lets go of the handler. Idempotent, and safe within the handler.
    package func cancel() { registration.cancel() }
}
