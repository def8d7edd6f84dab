// SPDX-License-Identifier: MIT
import CLinux
import CSystemd
import Glibc

/// Watches the descriptors of all `IOSource`s with an epoll(7) instance, which is itself one source of sd-event.
///
/// sd-event delivers one event per round and makes several system calls in each; with fifty busy connections that costs
/// about as much as answering them. The poller delivers all ready descriptors as one batch. Within a batch a handler
/// may cancel sources, close descriptors and watch new ones under the same numbers, so each event carries the
/// generation of its watch.
@LoopActor
final class Poller {
    /// A descriptor, the events to report, and their handler.
    @LoopActor
    final class Watch {
        let descriptor: Int32
        /// Identifies this watch in epoll: the generation, and the descriptor, which is the index in `watches`.
        fileprivate let token: UInt64
        fileprivate var events: IOEvents
        fileprivate var handler: IOSource.Handler?
        private var owner: OwnedDescriptor?

        fileprivate init(
            _ descriptor: Int32, generation: UInt32, owner: OwnedDescriptor?, events: IOEvents,
            handler: @escaping IOSource.Handler
        ) {
            self.descriptor = descriptor
            token = UInt64(generation) << 32 | UInt64(descriptor)
            self.owner = owner
            self.events = events
            self.handler = handler
        }

        fileprivate func release() {
            handler = nil
            owner = nil
        }
    }

    /// Enough to share a round among many connections. A handler with more work does the rest in a turn.
    static let batchSize = 256

    private let epoll: OwnedDescriptor
    /// By descriptor number: the kernel always gives the lowest free number.
    private var watches: [Watch?] = []
    private var generation: UInt32 = 0
    /// Counts the batches.
    private(set) var round: UInt64 = 0
    private var batch = [epoll_event](repeating: epoll_event(), count: batchSize)

    init(in event: OpaquePointer?) throws(ReactorError) {
        let descriptor = try checkErrno(epoll_create1(Int32(EPOLL_CLOEXEC)), "create an epoll instance")
        epoll = OwnedDescriptor(adopting: descriptor)
        let added = sd_event_add_io(
            event, nil, descriptor, EPOLLIN.rawValue,
            { _, _, _, _ in
                LoopActor.assumeIsolated {
                    EventLoop.shared.poller?.deliver()
                    if !EventLoop.shared.isExiting { EventLoop.shared.turns?.run() }
                }
                return 0
            }, nil)
        try check(added, "watch the epoll instance")
    }

    /// Begins to watch. An old watch under the same number belongs to a closed descriptor, because the kernel would
    /// refuse to add an open one twice.
    func watch(
        _ descriptor: Int32, owner: OwnedDescriptor?, _ events: IOEvents, _ handler: @escaping IOSource.Handler
    ) throws(ReactorError) -> Watch {
        let action = "watch descriptor \(descriptor)"
        guard descriptor >= 0 else { throw ReactorError(action, code: EBADF) }
        generation &+= 1
        let watch = Watch(descriptor, generation: generation, owner: owner, events: events, handler: handler)
        if !events.isEmpty { try check(control(EPOLL_CTL_ADD, watch), action) }
        let missing = Int(descriptor) + 1 - watches.count
        if missing > 0 { watches.append(contentsOf: repeatElement(nil, count: missing)) }
        watches[Int(descriptor)] = watch
        return watch
    }

    /// Removes a watch without events from epoll, which would otherwise report its hang-ups and errors in every round.
    func change(_ watch: Watch, to events: IOEvents) {
        guard isCurrent(watch), watch.events != events else { return }
        let operation =
            watch.events.isEmpty ? EPOLL_CTL_ADD : events.isEmpty ? EPOLL_CTL_DEL : EPOLL_CTL_MOD
        watch.events = events
        guard control(operation, watch) < 0, !events.isEmpty else { return }
        // The kernel is out of memory or watches. The handler's next read or write finds out the state of the
        // descriptor.
        EventLoop.shared.post { watch.handler?(.error) }
    }

    func cancel(_ watch: Watch) {
        if isCurrent(watch) {
            if !watch.events.isEmpty { _ = control(EPOLL_CTL_DEL, watch) }
            watches[Int(watch.descriptor)] = nil
        }
        watch.release()
    }

    private func isCurrent(_ watch: Watch) -> Bool { watches[Int(watch.descriptor)] === watch }

    private func control(_ operation: Int32, _ watch: Watch) -> Int32 {
        var event = epoll_event(events: watch.events.rawValue, data: epoll_data_t(u64: watch.token))
        return epoll_ctl(epoll.number, operation, watch.descriptor, &event) < 0 ? -errno : 0
    }

    private func deliver() {
        let count = epoll_wait(epoll.number, &batch, Int32(Self.batchSize), 0)
        guard count > 0 else { return }
        round += 1
        for index in 0..<Int(count) {
            let token = batch[index].data.u64
            // A handler earlier in the batch may have cancelled this watch or changed its events.
            guard let watch = watches[Int(token & 0xffff_ffff)], watch.token == token, !watch.events.isEmpty else {
                continue
            }
            let events = watch.events.union([.hangup, .error]).intersection(IOEvents(rawValue: batch[index].events))
            if !events.isEmpty { watch.handler?(events) }
            // The remaining events are not lost: they are level-triggered.
            if EventLoop.shared.isExiting { return }
        }
    }
}
