// SPDX-License-Identifier: MIT
import Glibc
import JSON
import Synchronization
import Varlink

/// The defaults that a widget and its containing app share: the mirror of `UserDefaults(suiteName:)`. The daemon keeps
/// them; both sides read and write the same values, from any thread.
///
/// It has a name of its own because Foundation, which an author may import beside this, has a class `UserDefaults` that
/// keeps its values in a file of one process and would be ambiguous with this or, worse, silently be meant.
///
/// A change by any process launches the widgets of the group with the reason `defaults`, so that they draw it.
public struct GroupDefaults: Defaults {
    /// The group, as in `AppGroups=` of the manifest.
    public let suiteName: String
    private let given: (any TodayService)?

    /// The defaults of a group. There is no connection until they are read or written.
    public init(suiteName: String) {
        self.suiteName = suiteName
        given = nil
    }

    package init(suiteName: String, service: any TodayService) {
        self.suiteName = suiteName
        given = service
    }

    private var service: any TodayService { given ?? Surroundings.current.service }

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
    /// All values as they are now, and again after every change. A reader that is slow gets the newest.
    ///
    /// In a widget of the daemon they come when the daemon says that something has changed, which is an update with the
    /// reason `defaults`; elsewhere by a connection of their own, and the stream ends with it.
    public var changes: AsyncStream<[String: DefaultsValue]> {
        let (values, continuation) = AsyncStream.makeStream(
            of: [String: DefaultsValue].self, bufferingPolicy: .bufferingNewest(1))
        let surroundings = Surroundings.current
        if surroundings.context == nil {
            DefaultsSubscription.start(group: suiteName, daemon: surroundings.daemon, continuation)
        } else {
            DefaultsObservers.add { [self] in if let values = try? self.values() { continuation.yield(values) } }
                .finish(with: continuation)
            if let now = try? self.values() { continuation.yield(now) }
        }
        return values
    }
}

/// Follows the defaults of a group on a connection of its own, on a thread that waits for them.
enum DefaultsSubscription {
    typealias Continuation = AsyncStream<[String: DefaultsValue]>.Continuation

    static func start(group: String, daemon: DaemonService, _ continuation: Continuation) {
        // The end of the stream closes one end of this pipe, and the thread, which waits for the other, ends.
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return continuation.finish() }
        let (reading, writing) = (ends[0], ends[1])
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        continuation.onTermination = { _ in close(writing) }
        let isStarted = BackgroundThread.start {
            follow(group, daemon, until: reading, continuation)
            continuation.finish()
            close(reading)
        }
        if !isStarted {
            continuation.finish()
            close(reading)
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
