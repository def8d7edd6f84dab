// SPDX-License-Identifier: MIT

import Glibc
import JSON
import TodayModel
import Varlink

/// The replies to a call with `more`, for a caller that also waits for other events.
package final class ReplyStream {
    package enum Event {
        case reply(JSONObject)
        /// The last reply was read before.
        case end
        /// No reply came in time.
        case nothing
    }

    private let service: ServiceClient
    private var correction: CorrectedCall
    private var connection: VarlinkConnection?
    package private(set) var isFinished = false

    /// How long connecting may take; nil means as long as an answer. A host with other things to do waits for nothing.
    package var connectionPatience: Duration?

    package init(_ call: ServiceCall, of service: ServiceClient, connectingWithin patience: Duration? = nil) {
        correction = CorrectedCall(call)
        self.service = service
        connectionPatience = patience
    }

    /// Who answers.
    package var listener: SocketListener? { connection?.listener }

    /// For poll(2), once there is a connection.
    package var descriptor: Int32? { connection.map(\.descriptor) }

    /// Connects and makes the call, unless that is done.
    package func connect() throws { try service.translated { _ = try connected() } }

    /// Waits for the next reply, at most `span`. Connects at the first call.
    package func next(within span: TimeSpan) throws -> Event {
        if isFinished { return .end }
        if let event = try available() { return event }
        try wait(span)
        return try available() ?? .nothing
    }

    /// The next reply if it has already arrived; otherwise nil.
    package func available() throws -> Event? {
        if isFinished { return .end }
        return try service.translated {
            while let reply = try connected().receiveAvailable() {
                do {
                    let result = try reply.result()
                    isFinished = !reply.continues
                    correction.answered()
                    return .reply(result)
                } catch let error as VarlinkError {
                    try correction.correct(after: error, for: service)
                    connection = nil
                }
            }
            return nil
        }
    }

    /// Closes the connection. The next read connects again and repeats the call.
    package func close() {
        connection = nil
        correction.answered()
        isFinished = false
    }

    private func connected() throws -> VarlinkConnection {
        if let connection { return connection }
        let opened = try service.open(correction.call, within: connectionPatience)
        connection = opened
        return opened
    }

    private func wait(_ span: TimeSpan) throws {
        let connection = try connected()
        var entry = pollfd(fd: connection.descriptor, events: Int16(POLLIN), revents: 0)
        let milliseconds = max(0, min(span.microseconds / 1_000, 1 << 30))
        poll(&entry, 1, Int32(milliseconds))
    }
}
