// SPDX-License-Identifier: MIT
import Glibc

/// A thread of its own for what waits in the kernel: a task that did would keep one of the few threads that all tasks
/// share, and on the main actor the widget itself. (The daemon, which has no such threads, never links this module.)
enum BackgroundThread {
    private final class Work {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// - Returns: whether there is such a thread now.
    static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        var thread = pthread_t()
        // C carries the closure as an untyped pointer; the thread that gets it takes over the one reference that was made here.
        let work = Unmanaged.passRetained(Work(body))
        let result = pthread_create(
            &thread, nil,
            { context in
                context.map { Unmanaged<Work>.fromOpaque($0).takeRetainedValue().body() }
                return nil
            }, work.toOpaque())
        guard result == 0 else {
            work.release()
            return false
        }
        pthread_detach(thread)
        return true
    }
}
