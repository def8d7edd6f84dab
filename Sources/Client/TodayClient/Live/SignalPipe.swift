// SPDX-License-Identifier: MIT

import Glibc

/// Signals as bytes of a pipe, so that poll(2) waits for them beside sockets. One exists at a time: signal handlers belong to
/// the process.
final class SignalPipe {
    /// Made once and kept, because a handler may run at any moment and must find it.
    private static let ends: (reading: Int32, writing: Int32)? = {
        var descriptors: [Int32] = [-1, -1]
        guard pipe(&descriptors) == 0 else { return nil }
        for descriptor in descriptors {
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        }
        return (descriptors[0], descriptors[1])
    }()

    let descriptor: Int32
    private let signals: [Int32]

    init(_ signals: [Int32]) throws {
        guard let ends = Self.ends else { throw ClientError("cannot make a pipe: \(String(cString: strerror(errno)))") }
        descriptor = ends.reading
        self.signals = signals
        for number in signals {
            _ = signal(number) { number in
                // Only what signal-safety(7) allows, and errno is the interrupted code's.
                let saved = errno
                var byte = UInt8(truncatingIfNeeded: number)
                if let writing = SignalPipe.ends?.writing { _ = write(writing, &byte, 1) }
                errno = saved
            }
        }
    }

    deinit {
        for number in signals { _ = signal(number, SIG_DFL) }
    }

    /// The signals that have come.
    func take() -> [Int32] {
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = read(descriptor, &bytes, bytes.count)
        return bytes.prefix(max(0, count)).map(Int32.init)
    }
}
