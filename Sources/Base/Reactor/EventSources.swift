// SPDX-License-Identifier: MIT
import CLinux
import CSystemd
import Glibc
import Platform

/// Fires once at the time for which it is armed, and can then be armed again. Timers that are due in the same round
/// fire in any order.
@LoopActor
package final class TimerSource {
    /// How late a timer may fire by default, in microseconds. 250 ms is the finest grain at which sd-event shares
    /// wake-ups between all processes of the machine (sd_event_add_time(3)), and people do not notice a quarter of a
    /// second in a time-out.
    package static let defaultSlack: Int64 = 250_000

    private let clock: SystemClock
    private let registration: PlainRegistration

    /// Makes a timer that is not armed.
    package init(_ clock: SystemClock, onFire: @escaping @LoopActor () -> Void) throws(ReactorError) {
        self.clock = clock
        registration = PlainRegistration(onFire)
        try registration.attach("create a timer") { source, userdata in
            sd_event_add_time(
                EventLoop.shared.event, source, clock.identifier, UInt64.max, 0,
                { _, _, userdata in PlainRegistration.fire(userdata) }, userdata)
        }
    }

    deinit { registration.retire() }

    /// Fires at a time of the clock, or at once if it has passed, and at most `slack` microseconds later.
    package func arm(at time: Int64, slack: Int64 = defaultSlack) {
        guard let source = registration.source else { return }
        sd_event_source_set_time(source, UInt64(max(time, 0)))
        // Zero means sd-event's default.
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

    /// Stops for good and releases the handler. Idempotent, and safe within the handler.
    package func cancel() { registration.cancel() }
}

/// Receives a signal as an event of the loop.
@LoopActor
package final class SignalSource {
    private let registration: PlainRegistration

    /// Blocks the signal in the loop's thread, as signalfd(2) requires. The signal stays blocked after `cancel`,
    /// because a pending one would kill the process during its shutdown. Create signal sources before any thread: a
    /// thread that does not block the signal would receive it.
    package init(_ signal: Int32, onSignal: @escaping @LoopActor () -> Void) throws(ReactorError) {
        var signals = sigset_t()
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

    /// Stops receiving and releases the handler. Idempotent, and safe within the handler.
    package func cancel() { registration.cancel() }
}

/// Reports that the wall clock was set. A timer that never fires is cancelled then (TFD_TIMER_CANCEL_ON_SET,
/// timerfd_create(2)). Slewing the clock does not cancel it.
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

    /// Each change of the clock disarms the timer.
    private func handle() {
        clinux_rearm_clock_change_timer(descriptor.number)
        onChange()
    }
}

/// The part of a source to which sd-event keeps a pointer. It lives until it is cancelled on the loop's thread, so any thread
/// may drop the source object, even while its event is being delivered.
@LoopActor
class Registration {
    private(set) var source: OpaquePointer?

    /// Registers with one of the functions sd_event_add_…(3), which `add` calls with a place for the source and the
    /// userdata.
    final func attach(
        _ action: @autoclosure () -> String,
        _ add: (UnsafeMutablePointer<OpaquePointer?>, UnsafeMutableRawPointer) -> Int32
    ) throws(ReactorError) {
        // Unsafe: this retain is sd-event's reference, which `cancel` releases.
        let retained = Unmanaged.passRetained(self)
        let result = add(&source, retained.toOpaque())
        if result < 0 { retained.release() }
        try check(result, action())
    }

    /// Idempotent, and safe within the handler: sd-event keeps the source, and the running closure its captures, until
    /// the handler returns.
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

    /// Releases the handler and its captures.
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
        // Unsafe: the pointer comes from `attach`, whose retain keeps it valid until `cancel`. After `cancel` sd-event
        // delivers no event.
        let registration = Unmanaged<PlainRegistration>.fromOpaque(userdata).takeUnretainedValue()
        LoopActor.assumeIsolated { registration.handler?() }
        return 0
    }
}
