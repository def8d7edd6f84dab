// SPDX-License-Identifier: MIT
import Synchronization

/// Who wants to know within a widget that defaults have changed.
enum DefaultsObservers {
    private struct State {
        var next = 0
        var observers: [Int: @Sendable () -> Void] = [:]
    }
    private static let state = Mutex(State())

    /// One observer, for as long as it looks.
    struct Token: Sendable {
        let number: Int

        func finish<Element>(with continuation: AsyncStream<Element>.Continuation) {
            continuation.onTermination = { _ in remove(self) }
        }
    }

    static func add(_ observer: @escaping @Sendable () -> Void) -> Token {
        state.withLock { state in
            state.next += 1
            state.observers[state.next] = observer
            return Token(number: state.next)
        }
    }

    private static func remove(_ token: Token) {
        state.withLock { _ = $0.observers.removeValue(forKey: token.number) }
    }

    static func notify() {
        let observers = state.withLock { Array($0.observers.values) }
        for observer in observers { observer() }
    }
}
