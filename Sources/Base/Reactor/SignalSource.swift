// SPDX-License-Identifier: MIT
import CSystemd
import Glibc

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
