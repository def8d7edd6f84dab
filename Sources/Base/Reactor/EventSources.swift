// SPDX-License-Identifier: MIT
import CLinux
import CSystemd
import Glibc
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

/// Receives a signal as an event of the loop.
@LoopActor
package final class SignalSource {
    private let registration: PlainRegistration

    /// Blocks the signal in the loop's thread, as signalfd(2) wants it, and leaves it blocked when cancelled: one
    /// that is still pending then must not kill the process in the middle of an orderly shutdown. Threads started
    /// earlier would take the signal instead, so create signal sources first.
    package init(_ signal: Int32, onSignal: @escaping @LoopActor () -> Void) throws(ReactorError) {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, signal)
        try check(-pthread_sigmask(SIG_BLOCK, &signals, nil), "block signal \(signal)")
        registration = PlainRegistration(onSignal)
        try registration.attach("watch signal \(signal)") { source, userdata in
            sd_event_add_signal(
                EventLoop.shared.event, source, signal,
                { _, _, userdata in PlainRegistration.fire(userdata) }, userdata)
        }
    }

    deinit { registration.retire() }

    /// Stops receiving and lets go of the handler. Idempotent, and safe within the handler.
    package func cancel() { registration.cancel() }
}

/// Tells when the clock on the wall is set: a timer that never fires, but is cancelled by that (TFD_TIMER_CANCEL_ON_SET,
/// timerfd_create(2)). Slewing is no setting.
@LoopActor
package final class ClockChangeSource {
    private let descriptor: OwnedDescriptor
    private var source: IOSource?
    private let onChange: @LoopActor () -> Void

    package init(onChange: @escaping @LoopActor () -> Void) throws(ReactorError) {
        let number = clinux_clock_change_timer()
        try check(number, "watch the clock")
        descriptor = OwnedDescriptor(adopting: number)
        self.onChange = onChange
        source = try IOSource(owning: descriptor, events: .readable) { [weak self] _ in self?.handle() }
    }

    /// The timer has to be armed again after each time.
    private func handle() {
        clinux_rearm_clock_change_timer(descriptor.number)
        onChange()
    }
}

/// What sd-event holds on to of a source: its handler. It outlives the source object until it is cancelled on the
/// loop's thread, so a source may be dropped anywhere, even while its event is being delivered.
@LoopActor
class Registration {
    private(set) var source: OpaquePointer?

    /// Registers with one of the sd_event_add_…(3) functions, which gets the place for the source and the userdata.
    final func attach(
        _ action: @autoclosure () -> String,
        _ add: (UnsafeMutablePointer<OpaquePointer?>, UnsafeMutableRawPointer) -> Int32
    ) throws(ReactorError) {
        // sd-event knows nothing of reference counts: this retain is its reference, given back in `cancel`.
        let retained = Unmanaged.passRetained(self)
        let result = add(&source, retained.toOpaque())
        if result < 0 { retained.release() }
        try check(result, action())
    }

    /// Idempotent. Within the handler, sd-event keeps its source and the running closure its captures until it returns.
    final func cancel() {
        guard let source else { return }
        self.source = nil
        sd_event_source_disable_unref(source)
        dropHandler()
        Unmanaged.passUnretained(self).release()
    }

    /// `cancel` for a deinit.
    nonisolated final func retire() {
        LoopActor.run { self.cancel() }
    }

    /// Lets go of the handler and what it captured.
    func dropHandler() {}
}

/// The registration of a source whose events carry nothing: a timer, a signal.
@LoopActor
final class PlainRegistration: Registration {
    private var handler: (@LoopActor () -> Void)?

    init(_ handler: @escaping @LoopActor () -> Void) { self.handler = handler }

    override func dropHandler() { handler = nil }

    /// Calls the handler of the registration that sd-event passes as userdata.
    nonisolated static func fire(_ userdata: UnsafeMutableRawPointer?) -> Int32 {
        guard let userdata else { return 0 }
        // The pointer comes from `attach`, whose retain keeps it valid until `cancel`; from there on there is no event.
        let registration = Unmanaged<PlainRegistration>.fromOpaque(userdata).takeUnretainedValue()
        LoopActor.assumeIsolated { registration.handler?() }
        return 0
    }
}
