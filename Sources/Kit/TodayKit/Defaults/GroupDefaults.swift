// SPDX-License-Identifier: MIT
import Glibc
import JSON
import Platform
import Synchronization
import Varlink

/// The defaults that a widget and its containing app share, like `UserDefaults(suiteName:)`. todayd keeps them; both sides
/// read and write the same values, from any thread.
///
/// The name differs from Foundation's class `UserDefaults`, because an author may import both: with one name the compiler
/// could choose Foundation's, which todayd does not know.
///
/// After a change by any process, todayd asks the widgets of the group for an update with the reason `defaults`.
public struct GroupDefaults: Defaults {
    /// The group, as in `AppGroups=` of the manifest.
    public let suiteName: String
    private let given: (any DaemonCalls)?

    /// Makes the defaults of a group. Only reading and writing connects to todayd.
    public init(suiteName: String) {
        self.suiteName = suiteName
        given = nil
    }

    init(suiteName: String, service: any DaemonCalls) {
        self.suiteName = suiteName
        given = service
    }

    private var service: any DaemonCalls { given ?? Surroundings.current.service }

    /// All values.
    public func values() throws(TodayError) -> [String: DefaultsValue] {
        DefaultsValue.dictionary(try service.values(of: suiteName))
    }

    /// Sets a value, or removes it with nil. It is on disk when this returns.
    public func setValue(_ value: DefaultsValue?, forKey key: String) throws(TodayError) {
        try service.set(value?.json, forKey: key, in: suiteName)
    }
}

extension GroupDefaults {
    /// All values as they are now, and again after each change. A slow reader skips values and gets the newest.
    ///
    /// In a widget that todayd has started, new values come with an update for the reason `defaults`. In any other process
    /// they come over a connection to todayd, and the stream ends with the connection.
    public var changes: AsyncStream<[String: DefaultsValue]> {
        let (values, continuation) = AsyncStream.makeStream(
            of: [String: DefaultsValue].self, bufferingPolicy: .bufferingNewest(1))
        let surroundings = Surroundings.current
        if surroundings.context == nil {
            DefaultsSubscription.start(group: suiteName, daemon: surroundings.daemon, continuation)
        } else {
            let yieldValues: @Sendable () -> Void = { [self] in
                if let values = try? self.values() { continuation.yield(values) }
            }
            DefaultsObservers.add(until: continuation, yieldValues)
            yieldValues()
        }
        return values
    }
}

/// A connection to todayd for the changes of a group, and a thread that waits for them.
enum DefaultsSubscription {
    typealias Continuation = AsyncStream<[String: DefaultsValue]>.Continuation

    static func start(group: String, daemon: DaemonService, _ continuation: Continuation) {
        // The end of the stream closes one end of this pipe. The thread polls the other end, and stops.
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return continuation.finish() }
        let (reading, writing) = (ends[0], ends[1])
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        continuation.onTermination = { _ in close(writing) }
        let end: @Sendable () -> Void = {
            continuation.finish()
            close(reading)
        }
        do {
            try BackgroundThread.start {
                follow(group, daemon, until: reading, continuation)
                end()
            }
        } catch {
            end()
        }
    }

    private static func follow(
        _ group: String, _ daemon: DaemonService, until end: Int32, _ continuation: Continuation
    ) {
        guard let connection = try? daemon.connect() else { return }
        let call = VarlinkCall("org.todayd.Today.GetDefaults", ["group": .string(group)], more: true)
        guard (try? connection.send(call)) != nil else { return }
        while true {
            var polls = [
                pollfd(fd: connection.descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: end, events: Int16(POLLIN), revents: 0),
            ]
            if poll(&polls, 2, -1) < 0 && errno != EINTR { return }
            if polls[1].revents != 0 { return }
            do {
                while let reply = try connection.receiveAvailable() {
                    continuation.yield(DefaultsValue.dictionary(try reply.result().unboxedValues))
                    if !reply.continues { return }
                }
            } catch {
                return
            }
        }
    }
}

/// The streams of `GroupDefaults.changes` in a widget that todayd has started.
enum DefaultsObservers {
    private struct State {
        var next = 0
        var observers: [Int: @Sendable () -> Void] = [:]
    }
    private static let state = Mutex(State())

    /// Calls the observer at each change, until the stream ends.
    static func add<Element>(
        until continuation: AsyncStream<Element>.Continuation, _ observer: @escaping @Sendable () -> Void
    ) {
        let number = state.withLock { state in
            state.next += 1
            state.observers[state.next] = observer
            return state.next
        }
        continuation.onTermination = { _ in state.withLock { _ = $0.observers.removeValue(forKey: number) } }
    }

    static func notify() {
        let observers = state.withLock { Array($0.observers.values) }
        for observer in observers { observer() }
    }
}
