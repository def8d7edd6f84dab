// SPDX-License-Identifier: MIT
import Glibc

/// Watches a descriptor, level-triggered.
@LoopActor
package final class IOSource {
    package typealias Handler = @LoopActor (IOEvents) -> Void

    private let poller: Poller
    private let watch: Poller.Watch

    /// What to report. While empty nothing is, not even a hang-up.
    package var events: IOEvents {
        didSet { poller.change(watch, to: events) }
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
        guard let poller = EventLoop.shared.poller else {
            throw ReactorError("watch descriptor \(descriptor)", code: ENXIO, reason: "the event loop is not open")
        }
        self.poller = poller
        self.events = events
        watch = try poller.watch(descriptor, owner: owner, events, handler)
    }

    deinit {
        let (poller, watch) = (poller, watch)
        LoopActor.run { poller.cancel(watch) }
    }

    /// Stops watching and lets go of the handler. Idempotent, and safe within the handler.
    package func cancel() { poller.cancel(watch) }
}
