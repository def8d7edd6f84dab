// SPDX-License-Identifier: MIT

import Glibc
import Link

/// Signals as bytes in a pipe, so that poll(2) waits for them and for sockets. At most one object exists at a time, because
/// signal handlers belong to the process.
package final class SignalPipe {
    /// Created once and never closed, because a handler can run at any moment.
    private static let ends: (reading: Int32, writing: Int32)? = {
        var descriptors: [Int32] = [-1, -1]
        guard pipe(&descriptors) == 0 else { return nil }
        for descriptor in descriptors {
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        }
        return (descriptors[0], descriptors[1])
    }()

    package let descriptor: Int32
    private let signals: [Int32]

    package init(_ signals: [Int32]) throws {
        guard let ends = Self.ends else { throw ClientError("cannot make a pipe: \(String(cString: strerror(errno)))") }
        descriptor = ends.reading
        // A signal that this process was started to ignore stays ignored, as nohup(1) asks. SIGCHLD is the exception: the end
        // of a child must be noticed.
        self.signals = signals.filter { $0 == SIGCHLD || !Self.isIgnored($0) }
        for number in self.signals { Self.handle(number) }
    }

    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        guard sigaction(number, nil, &action) == 0 else { return false }
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
            == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    private static func handle(_ number: Int32) {
        _ = signal(number) { number in
            // signal-safety(7) allows write(2), and asks a handler to restore errno.
            let saved = errno
            var byte = UInt8(truncatingIfNeeded: number)
            if let writing = SignalPipe.ends?.writing { _ = write(writing, &byte, 1) }
            errno = saved
        }
    }

    /// During `body`, the signal has its default action.
    package func leave(_ number: Int32, during body: () -> Void) {
        guard signals.contains(number) else { return body() }
        _ = signal(number, SIG_DFL)
        body()
        Self.handle(number)
    }

    deinit {
        for number in signals { _ = signal(number, SIG_DFL) }
    }

    /// The signals since the last call.
    package func received() -> [Int32] {
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = read(descriptor, &bytes, bytes.count)
        return bytes.prefix(max(0, count)).map(Int32.init)
    }
}
