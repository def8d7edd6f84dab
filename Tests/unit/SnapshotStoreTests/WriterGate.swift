// SPDX-License-Identifier: MIT
import Glibc
import Synchronization
import TestSupport

/// Holds commits: each one waits here until the test lets it pass.
final class WriterGate: Sendable {
    private let reading: Int32
    private let writing: Int32
    /// Arrives when a commit begins to wait.
    let arrivals = Arrivals<Void>("commit")

    init() {
        var ends: [Int32] = [-1, -1]
        precondition(pipe(&ends) == 0, "no pipe")
        (reading, writing) = (ends[0], ends[1])
    }

    deinit {
        close(reading)
        close(writing)
    }

    /// Waits; called on the writer thread.
    func wait() {
        arrivals.send()
        var byte: UInt8 = 0
        _ = read(reading, &byte, 1)
    }

    /// Lets `count` commits pass, now or when they arrive.
    func letPass(_ count: Int = 1) {
        _ = write(writing, [UInt8](repeating: 0, count: count), count)
    }
}

/// Counts events on any thread.
final class Counter: Sendable {
    private let count = Atomic(0)

    var value: Int { count.load(ordering: .sequentiallyConsistent) }

    func add() { count.add(1, ordering: .sequentiallyConsistent) }
}

extension Result {
    var failure: Failure? { if case .failure(let failure) = self { failure } else { nil } }
}
