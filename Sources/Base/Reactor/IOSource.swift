// SPDX-License-Identifier: MIT
import CSystemd

/// Watches a descriptor, level-triggered.
@LoopActor
package final class IOSource {
    package typealias Handler = @LoopActor (IOEvents) -> Void

    private let registration: IORegistration

    /// What to report. While empty nothing is, not even a hang-up.
    package var events: IOEvents {
        didSet {
            if events != oldValue { registration.watch(events) }
        }
    }

    /// The descriptor stays the caller's: cancel the source before closing it. Regular files and directories are
    /// always ready, and epoll(7) refuses them with EPERM.
    package convenience init(
        descriptor: Int32, events: IOEvents, onEvents: @escaping Handler
    ) throws(ReactorError) {
        try self.init(descriptor, owner: nil, events, onEvents)
    }

    /// Keeps the descriptor open for as long as it is watched.
    package convenience init(
        owning descriptor: OwnedDescriptor, events: IOEvents, onEvents: @escaping Handler
    ) throws(ReactorError) {
        try self.init(descriptor.number, owner: descriptor, events, onEvents)
    }

    private init(
        _ descriptor: Int32, owner: OwnedDescriptor?, _ events: IOEvents, _ handler: @escaping Handler
    ) throws(ReactorError) {
        registration = IORegistration(owner, handler)
        self.events = events
        try registration.attach("watch descriptor \(descriptor)") { source, userdata in
            sd_event_add_io(
                EventLoop.shared.event, source, descriptor, events.rawValue,
                { _, _, events, userdata in IORegistration.fire(userdata, IOEvents(rawValue: events)) }, userdata)
        }
        if events.isEmpty { registration.watch(events) }
    }

    deinit { registration.retire() }

    /// Stops watching and lets go of the handler. Idempotent, and safe within the handler.
    package func cancel() { registration.cancel() }
}

/// The registration of an `IOSource`.
@LoopActor
final class IORegistration: Registration {
    private var owner: OwnedDescriptor?
    private var handler: IOSource.Handler?

    init(_ owner: OwnedDescriptor?, _ handler: @escaping IOSource.Handler) {
        self.owner = owner
        self.handler = handler
    }

    override func dropHandler() {
        handler = nil
        owner = nil
    }

    /// Hang-ups are reported for an empty set of events too, and would spin: only a source that is off is silent.
    func watch(_ events: IOEvents) {
        guard let source else { return }
        var result: Int32
        if events.isEmpty {
            result = sd_event_source_set_enabled(source, Int32(SD_EVENT_OFF))
        } else {
            result = sd_event_source_set_io_events(source, events.rawValue)
            if result >= 0 { result = sd_event_source_set_enabled(source, Int32(SD_EVENT_ON)) }
        }
        // The kernel may be out of memory or watches; whoever reads or writes next finds out what is left to do.
        if result < 0 { EventLoop.shared.post { self.handler?(.error) } }
    }

    nonisolated static func fire(_ userdata: UnsafeMutableRawPointer?, _ events: IOEvents) -> Int32 {
        guard let userdata else { return 0 }
        // The pointer comes from `attach`, whose retain keeps it valid until `cancel`; from there on there is no event.
        let registration = Unmanaged<IORegistration>.fromOpaque(userdata).takeUnretainedValue()
        LoopActor.assumeIsolated { registration.handler?(events) }
        return 0
    }
}
