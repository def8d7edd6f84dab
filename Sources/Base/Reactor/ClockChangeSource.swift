// SPDX-License-Identifier: MIT
import CLinux
import Glibc

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
