// SPDX-License-Identifier: MIT
import CSystemd

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
