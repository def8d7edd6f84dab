// SPDX-License-Identifier: MIT
import CLinux
import Glibc

/// Watches a descriptor, level-triggered.
@LoopActor
package final class IOSource {
    package typealias Handler = @LoopActor (IOEvents) -> Void

    private let poller: Poller
    private let watch: Poller.Watch

    /// The events to report. An empty set reports nothing, not even a hang-up.
    package var events: IOEvents {
        didSet { poller.change(watch, to: events) }
    }

    /// The caller owns the descriptor and cancels the source before closing it. epoll(7) refuses regular files and
    /// directories with EPERM, because they are always ready.
    package convenience init(
        descriptor: Int32, events: IOEvents, onEvents: @escaping Handler
    ) throws(ReactorError) {
        try self.init(descriptor, owner: nil, events, onEvents)
    }

    /// Keeps the descriptor open until the source is cancelled.
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

    /// Stops watching and releases the handler. Idempotent, and safe within the handler.
    package func cancel() { poller.cancel(watch) }
}

/// What can happen on a descriptor: epoll_ctl(2).
package struct IOEvents: OptionSet, Sendable, Hashable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Something can be read, an end of file included.
    package static let readable = IOEvents(rawValue: EPOLLIN.rawValue)
    package static let writable = IOEvents(rawValue: EPOLLOUT.rawValue)
    /// Both halves are closed. The kernel reports it always.
    package static let hangup = IOEvents(rawValue: EPOLLHUP.rawValue)
    /// An error is pending. The kernel reports it always.
    package static let error = IOEvents(rawValue: EPOLLERR.rawValue)
}

/// A file descriptor that is closed with the last reference.
package final class OwnedDescriptor: Sendable {
    package let number: Int32

    package init(adopting number: Int32) { self.number = number }

    deinit { close(number) }
}
