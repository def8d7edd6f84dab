// SPDX-License-Identifier: MIT
import Reactor
import Synchronization

/// Events that a test awaits one by one, each for a bounded time: handlers call `send`, the test calls `next`.
package final class Arrivals<Value: Sendable>: Sendable {
    private struct State {
        var values: [Value] = []
        var waiting: [(ticket: Int, continuation: CheckedContinuation<Value, any Error>)] = []
        var tickets = 0
    }

    private let what: String
    private let state = Mutex(State())

    /// - Parameter what: names the event in the error when none arrives in time.
    package init(_ what: String = "event") { self.what = what }

    package func send(_ value: Value) {
        let waiting = state.withLock { state -> CheckedContinuation<Value, any Error>? in
            guard !state.waiting.isEmpty else {
                state.values.append(value)
                return nil
            }
            return state.waiting.removeFirst().continuation
        }
        waiting?.resume(returning: value)
    }

    /// The oldest value that the test has not got yet.
    package func next(within limit: Duration = .seconds(10)) async throws -> Value {
        let ticket = state.withLock { state in
            state.tickets += 1
            return state.tickets
        }
        let alarm = Task {
            try await Task.sleep(for: limit)
            expire(ticket, limit)
        }
        defer { alarm.cancel() }
        return try await withCheckedThrowingContinuation { continuation in
            let value = state.withLock { state -> Value? in
                guard state.values.isEmpty else { return state.values.removeFirst() }
                state.waiting.append((ticket, continuation))
                return nil
            }
            if let value { continuation.resume(returning: value) }
        }
    }

    /// The first value that satisfies `condition`; drops the values before it.
    package func first(
        within limit: Duration = .seconds(10), where condition: @Sendable (Value) -> Bool
    ) async throws -> Value {
        let end = ContinuousClock.now + limit
        while true {
            let value = try await next(within: end - ContinuousClock.now)
            if condition(value) { return value }
        }
    }

    /// The next `count` values.
    package func next(_ count: Int, within limit: Duration = .seconds(10)) async throws -> [Value] {
        let end = ContinuousClock.now + limit
        var values: [Value] = []
        while values.count < count { values.append(try await next(within: end - ContinuousClock.now)) }
        return values
    }

    /// The values that have arrived, without waiting.
    package func taken() -> [Value] {
        state.withLock { state in
            defer { state.values = [] }
            return state.values
        }
    }

    private func expire(_ ticket: Int, _ limit: Duration) {
        let waiting = state.withLock { state -> CheckedContinuation<Value, any Error>? in
            guard let index = state.waiting.firstIndex(where: { $0.ticket == ticket }) else { return nil }
            return state.waiting.remove(at: index).continuation
        }
        waiting?.resume(throwing: TimedOut(what: what, limit: limit))
    }
}

extension Arrivals where Value == Void {
    package func send() { send(()) }
}

/// An event that a test awaited did not happen.
package struct TimedOut: Error, CustomStringConvertible {
    package let what: String
    package let limit: Duration

    package var description: String { "no \(what) within \(limit)" }
}

/// Waits until `condition` holds, for conditions that no event reports. Checks every two milliseconds.
package func eventually(
    _ what: String, within limit: Duration = .seconds(10), isolation: isolated (any Actor)? = #isolation,
    _ condition: () throws -> Bool
) async throws {
    let end = ContinuousClock.now + limit
    while try !condition() {
        guard ContinuousClock.now < end else { throw TimedOut(what: what, limit: limit) }
        try await Task.sleep(for: .milliseconds(2))
    }
}

/// Lets the loop turn: whatever was ready before has been delivered when this returns.
@LoopActor
package func turns(_ count: Int) async throws {
    let arrivals = Arrivals<Void>("turn of the loop")
    let timer = try TimerSource(.monotonic) { arrivals.send() }
    for _ in 0..<count {
        timer.arm(after: 0, slack: 1)
        try await arrivals.next()
    }
}
