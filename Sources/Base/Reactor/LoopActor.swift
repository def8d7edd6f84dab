// SPDX-License-Identifier: MIT
import CLinux
import CSystemd
import Glibc

/// The one actor of the loop: all code marked `@LoopActor` runs on the event loop's thread.
@globalActor
package actor LoopActor {
    package static let shared = LoopActor()

    package nonisolated var unownedExecutor: UnownedSerialExecutor { EventLoop.shared.asUnownedSerialExecutor() }

    /// Runs `body` as isolated code. Callbacks of C libraries enter the actor here. Traps on any thread but the loop's.
    package static func assumeIsolated<T: Sendable>(_ body: @LoopActor () throws -> T) rethrows -> T {
        EventLoop.shared.checkIsolated()
        // The check of withoutActuallyEscaping has the length of this file's path, and programs of two directories would differ.
        #sourceLocation(file:"LoopActor.assumeIsolated",line:18)
        return try withoutActuallyEscaping(body) { body in
            // Unsafe: isolation to a global actor is part of a function's type but not of its calling convention, and
            // the call above has checked the thread. The standard library does the same, but only for MainActor.
            try unsafeBitCast(body, to: (() throws -> T).self)()
        }
        #sourceLocation()
    }

    /// Runs `body` on the loop: at once on the loop's thread, and later from another thread. For a deinit, which runs
    /// on the thread that drops the last reference.
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

    /// Work that any thread has left for the loop, and the eventfd(2) that wakes the loop.
    struct Inbox {
        var work: [Work] = []
        /// Nil until the loop is open. Work that was posted before runs when the loop starts.
        var bell: Int32?
    }

    /// Runs `work` on the loop, after the work that is already in the inbox. Any thread may call it.
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

    /// Swift 6.2 and later call it instead of `checkIsolated`; for earlier versions it is an ordinary method.
    package func isIsolatingCurrentContext() -> Bool? { isCurrent }

    /// Only the caller that finds the inbox empty wakes the loop, so one wake-up serves any amount of work.
    private func append(_ work: Work) {
        let bell = inbox.withLock { inbox -> Int32? in
            inbox.work.append(work)
            return inbox.work.count == 1 ? inbox.bell : nil
        }
        if let bell { eventfd_write(bell, 1) }
    }

    /// Watches the inbox. The bell and its source are never freed, because the loop lives as long as the process.
    @LoopActor
    func openInbox() throws(ReactorError) {
        let bell = try checkErrno(eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK)), "create an eventfd")
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

    /// Runs the work that is in the inbox now. Work that this adds waits for the next round; otherwise work that posts
    /// work would keep the loop from its descriptors and timers.
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
