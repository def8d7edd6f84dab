// SPDX-License-Identifier: MIT
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
