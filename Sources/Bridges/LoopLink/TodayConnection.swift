// SPDX-License-Identifier: MIT
import JSON
import Reactor
import TodayModel
import Varlink

/// Why todayd gave no result.
package enum ServiceFailure: Error {
    /// In words.
    case unreachable(String)
    case refused(VarlinkError)
}

/// One call to todayd on its own connection, and the replies as they arrive.
@LoopActor
package final class TodayConnection {
    package enum Event {
        case reply(JSONObject)
        /// The last event.
        case end
        /// The last event, too.
        case failed(ServiceFailure)
    }

    private var connection: VarlinkConnection?
    private var source: IOSource?
    private var timer: TimerSource?
    private let onEvent: @LoopActor (Event) -> Void
    private let path: String

    /// How long the first reply may take, in seconds. A change may wait for a run; todayd answers after at most 40 s.
    package static let patience: Int64 = 10
    package static let patienceForRuns: Int64 = 50

    /// For a method of HTTP.
    package static func patience(for method: String) -> Int64 { method == "POST" ? patienceForRuns : patience }

    /// - Parameters:
    ///   - more: whether todayd may reply more than once.
    ///   - patience: how long the first reply may take, in seconds.
    /// - Throws: if it cannot connect; then no event follows.
    package init(
        to path: String, _ method: String, _ parameters: JSONObject, more: Bool = false,
        patience: Int64 = patience, onEvent: @escaping @LoopActor (Event) -> Void
    ) throws {
        self.path = path
        self.onEvent = onEvent
        // All others would wait.
        let connection = try VarlinkConnection(path: path, timeout: .seconds(1), connectingWithin: .zero)
        try connection.send(VarlinkCall("org.todayd.Today.\(method)", parameters, more: more))
        self.connection = connection
        source = try IOSource(descriptor: connection.descriptor, events: .readable) { [weak self] _ in self?.read() }
        timer = try TimerSource(.monotonic) { [weak self] in
            self?.finish(.failed(.unreachable("todayd does not answer")))
        }
        timer?.arm(after: patience * 1_000_000)
    }

    /// No event comes after this.
    package func cancel() {
        timer?.cancel()
        source?.cancel()
        connection?.close()
        connection = nil
    }

    private func read() {
        do {
            while let connection, let reply = try connection.receiveAvailable() {
                timer?.disarm()
                let result = try reply.result()
                onEvent(.reply(result))
                if !reply.continues { finish(.end) }
            }
        } catch let error as VarlinkError {
            finish(.failed(.refused(error)))
        } catch {
            finish(.failed(.unreachable("\(error)")))
        }
    }

    private func finish(_ event: Event) {
        guard connection != nil else { return }
        cancel()
        onEvent(event)
    }
}
