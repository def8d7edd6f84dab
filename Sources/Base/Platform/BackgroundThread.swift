// SPDX-License-Identifier: MIT
import Glibc

/// A thread for a function that blocks in the kernel or in a C library. In a task it would block one of the few threads that
/// all tasks share, as many as there are processors, and on a loop or the main actor it would block the program.
package enum BackgroundThread {
    package struct Failure: Error, CustomStringConvertible {
        let code: Int32
        package var description: String { "cannot start a thread: \(String(cString: strerror(code)))" }
    }

    private final class Work {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// The usual stack of 8 MiB would count against a widget's `MemoryMax=` (RLIMIT_DATA), as every private writable
    /// mapping does (getrlimit(2)). SQLite, libcurl and TLS need a fraction of this one.
    private static let stackSize = 512 << 10

    /// Returns when the thread exists. It ends with `body`, and nothing waits for it.
    package static func start(_ body: @escaping @Sendable () -> Void) throws(Failure) {
        // The new thread inherits the mask (pthread_create(3)). The program handles its signals on another thread; and a
        // SIGPIPE or SIGXFSZ, which goes to the thread that writes, is an error of the write (EPIPE, EFBIG).
        var all = sigset_t()
        var before = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }

        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        pthread_attr_setstacksize(&attributes, stackSize)

        // C passes the closure as an untyped pointer. The new thread takes over the reference that passRetained has made.
        let work = Unmanaged.passRetained(Work(body))
        var thread = pthread_t()
        let code = pthread_create(
            &thread, &attributes,
            { context in
                context.map { Unmanaged<Work>.fromOpaque($0).takeRetainedValue().body() }
                return nil
            }, work.toOpaque())
        guard code != 0 else { return }
        work.release()
        throw Failure(code: code)
    }
}
