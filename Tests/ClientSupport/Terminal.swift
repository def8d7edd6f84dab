// SPDX-License-Identifier: MIT

import Glibc
import Platform
import Synchronization

/// Standard input belongs to the process: only one test at a time may put something in its place.
package enum StandardInput {
    private static let lock = Mutex(())

    package static func replaced<Result>(by body: () throws -> Result) rethrows -> Result {
        try lock.withLock { _ in try body() }
    }

    /// Puts /dev/null in its place.
    package static func empty<Result>(_ body: () throws -> Result) rethrows -> Result {
        try replaced {
            let before = dup(STDIN_FILENO)
            let null = open("/dev/null", O_RDONLY | O_CLOEXEC)
            dup2(null, STDIN_FILENO)
            defer {
                dup2(before, STDIN_FILENO)
                for descriptor in [before, null] { close(descriptor) }
            }
            return try body()
        }
    }
}

/// A terminal that takes the place of standard input, and a user who types on it: ptmx(4).
package final class Terminal {
    private let user: Int32
    private let line: Int32
    private let before = dup(STDIN_FILENO)
    private var thread = pthread_t()

    /// Nil where there are no pseudo-terminals, as in a bare chroot.
    package init?() {
        user = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        // TIOCSPTLCK and TIOCGPTN of ioctl_tty(2), which Swift's Glibc module lacks.
        var (lock, number): (Int32, Int32) = (0, 0)
        guard user >= 0, ioctl(user, 0x4004_5431, &lock) == 0, ioctl(user, 0x8004_5430, &number) == 0 else {
            return nil
        }
        line = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard line >= 0 else { return nil }
        dup2(line, STDIN_FILENO)
    }

    package func release() {
        dup2(before, STDIN_FILENO)
        for descriptor in [before, line, user] { close(descriptor) }
    }

    /// Types on another thread, as soon as the terminal does not show what is typed.
    package func typeWhenSilent(_ keys: String) {
        let typing = Unmanaged.passRetained(Typing(user: user, keys: Array(keys.utf8)))
        pthread_create(
            &thread, nil,
            { context in
                context.map { Unmanaged<Typing>.fromOpaque($0).takeRetainedValue().run() }
                return nil
            }, typing.toOpaque())
    }

    package func waitForKeys() { pthread_join(thread, nil) }

    package var isEchoing: Bool { Typing.isEchoing(user) }

    /// What the terminal shows.
    package var shown: [UInt8] {
        _ = fcntl(user, F_SETFL, O_NONBLOCK)
        var bytes = [UInt8](repeating: 0, count: 1_024)
        let count = read(user, &bytes, bytes.count)
        return Array(bytes.prefix(max(0, count)))
    }

    private final class Typing {
        private let user: Int32
        private let keys: [UInt8]

        package init(user: Int32, keys: [UInt8]) {
            self.user = user
            self.keys = keys
        }

        package func run() {
            for _ in 0..<1_000 where Self.isEchoing(user) { usleep(10_000) }
            _ = Descriptor.writeAll(keys, to: user)
        }

        package static func isEchoing(_ terminal: Int32) -> Bool {
            var state = termios()
            return tcgetattr(terminal, &state) == 0 && state.c_lflag & tcflag_t(ECHO) != 0
        }
    }
}
