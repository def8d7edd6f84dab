// SPDX-License-Identifier: MIT
import CLinux
import CSystemd
import Glibc

/// The one actor of the daemon: everything marked `@LoopActor` runs on the event loop's thread, and nowhere else.
@globalActor
package actor LoopActor {
    package static let shared = LoopActor()

    package nonisolated var unownedExecutor: UnownedSerialExecutor { EventLoop.shared.asUnownedSerialExecutor() }

    /// Runs `body` as the isolated code that it already is: the door through which C callbacks come in. Traps on any
    /// other thread than the loop's.
    package static func assumeIsolated<T: Sendable>(_ body: @LoopActor () throws -> T) rethrows -> T {
        EventLoop.shared.checkIsolated()
        return try withoutActuallyEscaping(body) { body in
            // A global actor's isolation is part of a function's type but not of its calling convention, and the line
            // above has proved that it holds. The standard library does the same for MainActor and offers it for no
            // other global actor.
            try unsafeBitCast(body, to: (() throws -> T).self)()
        }
    }

    /// Runs `body` on the loop: now if this is the loop's thread, and soon otherwise. For a deinit, which runs wherever
    /// the last reference happened to be dropped.
    static func run(_ body: @escaping @Sendable @LoopActor () -> Void) {
        if EventLoop.shared.isCurrent { assumeIsolated(body) } else { EventLoop.shared.post(body) }
    }
}

extension EventLoop {
    /// A piece of work for the loop's thread.
    enum Work {
        case job(UnownedJob)
        case closure(@Sendable @LoopActor () -> Void)
    }

    /// Work that other threads, or the loop itself, left for the loop, and the eventfd(2) that wakes it.
    struct Inbox {
        var work: [Work] = []
        /// Absent until the loop is open: until then work waits, and is drained when the loop starts.
        var bell: Int32?
    }

    /// Runs `work` on the loop, after what is in its inbox already. From any thread.
    package func post(_ work: @escaping @Sendable @LoopActor () -> Void) {
        append(.closure(work))
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        append(.job(UnownedJob(job)))
    }

    package func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        UnownedSerialExecutor(ordinary: self)
    }

    package func checkIsolated() {
        precondition(isCurrent, "this code belongs to the event loop's thread")
    }

    /// Asked instead of `checkIsolated` by Swift 6.2 and later; an ordinary method before.
    package func isIsolatingCurrentContext() -> Bool? { isCurrent }

    /// Rings once for any amount of work: the caller that finds the inbox empty rings.
    private func append(_ work: Work) {
        let bell = inbox.withLock { inbox -> Int32? in
            inbox.work.append(work)
            return inbox.work.count == 1 ? inbox.bell : nil
        }
        if let bell { eventfd_write(bell, 1) }
    }

    /// Watches the inbox. The bell and its source live as long as the process, as the loop does.
    @LoopActor
    func openInbox() throws(ReactorError) {
        let bell = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        guard bell >= 0 else { throw ReactorError("create an eventfd", code: errno) }
        let added = sd_event_add_io(
            event, nil, bell, EPOLLIN.rawValue,
            { _, bell, _, _ in
                LoopActor.assumeIsolated { EventLoop.shared.drain(bell) }
                return 0
            }, nil)
        try check(added, "watch the inbox")
        let isWaiting = inbox.withLock { inbox in
            inbox.bell = bell
            return !inbox.work.isEmpty
        }
        if isWaiting { eventfd_write(bell, 1) }
    }

    /// Runs what is in the inbox now. What that adds in turn waits for the next round, so that work which begets work
    /// cannot keep the loop from its descriptors and timers.
    @LoopActor
    private func drain(_ bell: Int32) {
        var rings: eventfd_t = 0
        eventfd_read(bell, &rings)
        inbox.withLock { swap(&$0.work, &batch) }
        for work in batch {
            switch work {
            case .job(let job): job.runSynchronously(on: asUnownedSerialExecutor())
            case .closure(let closure): closure()
            }
        }
        batch.removeAll(keepingCapacity: true)
    }
}
