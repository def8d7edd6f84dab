// SPDX-License-Identifier: MIT
import CLinux
import CSystemd
import Glibc

/// Watches the descriptors of all `IOSource`s with an epoll(7) instance, which is itself one source of sd-event.
///
/// sd-event delivers one event per round and makes a round of system calls and bookkeeping for each; with fifty busy
/// connections that costs about as much as answering them. Here a round finds all that is ready and delivers it as a
/// batch. A handler may cancel sources, close descriptors and watch new ones under the same numbers while the rest of
/// its batch is still to come, so each event carries the generation of the watch it belongs to.
@LoopActor
final class Poller {
    /// A descriptor and what to do when something happens on it.
    @LoopActor
    final class Watch {
        let descriptor: Int32
        /// Names this watch in epoll: its generation, and the descriptor as its place in `watches`.
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

    /// Enough to share a round among many connections. Handlers who may take long leave what is left for a turn.
    static let batchSize = 256

    private let epoll: OwnedDescriptor
    /// By descriptor number, which the kernel keeps small.
    private var watches: [Watch?] = []
    private var generation: UInt32 = 0
    /// Counts the batches.
    private(set) var round: UInt64 = 0
    private var batch = [epoll_event](repeating: epoll_event(), count: batchSize)

    init(in event: OpaquePointer?) throws(ReactorError) {
        let descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard descriptor >= 0 else { throw ReactorError("create an epoll instance", code: errno) }
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

    /// Begins to watch. A watch that was left behind under the same number is of a descriptor closed since: otherwise
    /// the kernel would refuse the new one.
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

    /// Epoll reports hang-ups and errors for an empty set too, over and over; so such a watch leaves it for the time.
    func change(_ watch: Watch, to events: IOEvents) {
        guard isCurrent(watch), watch.events != events else { return }
        let operation =
            watch.events.isEmpty ? EPOLL_CTL_ADD : events.isEmpty ? EPOLL_CTL_DEL : EPOLL_CTL_MOD
        watch.events = events
        guard control(operation, watch) < 0, !events.isEmpty else { return }
        // The kernel is out of memory or watches. Whoever reads or writes next finds out what is left to do.
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
            // Handlers earlier in the batch may have cancelled this watch, or want other events by now.
            guard let watch = watches[Int(token & 0xffff_ffff)], watch.token == token, !watch.events.isEmpty else {
                continue
            }
            let events = watch.events.union([.hangup, .error]).intersection(IOEvents(rawValue: batch[index].events))
            if !events.isEmpty { watch.handler?(events) }
            // Events that are left are level-triggered, and the sources that wanted them are gone.
            if EventLoop.shared.isExiting { return }
        }
    }
}
