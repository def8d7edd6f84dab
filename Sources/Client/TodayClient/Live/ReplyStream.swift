// SPDX-License-Identifier: MIT

import Glibc
import JSON
import TodayModel
import Varlink

/// The replies to a call with `more`, for a caller that also waits for other events.
final class ReplyStream {
    enum Event {
        case reply(JSONObject)
        /// The last reply was read before.
        case end
        /// No reply came in time.
        case nothing
    }

    private let service: ServiceClient
    private var call: ServiceCall
    private var connection: VarlinkConnection?
    private var corrections = 0
    private(set) var isFinished = false
    private let heartbeat: TimeSpan?
    private var hasAnswered = false
    /// When todayd counts as hung without another reply; nil where it may be silent.
    private(set) var due: AwakeTime?

    /// The heartbeat of programs that show the view for as long as they run.
    static let hostHeartbeat = TimeSpan.seconds(30)

    /// - Parameter heartbeat: how often a call of `Show` asks for a word from todayd. The stream fails when nothing comes for
    ///   twice as long, or no first reply within the time-out of the service, and hands over only replies with changes.
    init(_ call: ServiceCall, of service: ServiceClient, heartbeat: TimeSpan? = nil) {
        self.call = call
        self.service = service
        self.heartbeat = heartbeat
        if let heartbeat { self.call.parameters["heartbeat"] = .int(heartbeat.microseconds / 1_000_000) }
    }

    /// For poll(2), once there is a connection.
    var descriptor: Int32? { connection.map(\.descriptor) }

    /// Connects and makes the call, unless that is done.
    func connect() throws { try service.translated { _ = try connected() } }

    /// Waits for the next reply, at most `span`. Connects at the first call.
    func next(within span: TimeSpan) throws -> Event {
        if isFinished { return .end }
        if let event = try available() { return event }
        try wait(span)
        return try available() ?? .nothing
    }

    /// The next reply that has already arrived; nil where there is none.
    func available() throws -> Event? {
        if isFinished { return .end }
        return try service.translated {
            while let reply = try connected().receiveAvailable() {
                do {
                    let result = try reply.result()
                    isFinished = !reply.continues
                    due = heartbeat.map { .now + $0 + $0 }
                    defer { hasAnswered = true }
                    if heartbeat != nil, hasAnswered, !isFinished, result.hasNoChanges { continue }
                    return .reply(result)
                } catch let error as VarlinkError {
                    guard let corrected = call.corrected(after: error), corrections < call.mostCorrections else {
                        throw error
                    }
                    corrections += 1
                    call = corrected
                    connection = nil
                }
            }
            if let due, due <= .now { throw silence }
            return nil
        }
    }

    /// Closes the connection. The next read connects again and repeats the call.
    func close() {
        connection = nil
        isFinished = false
    }

    private func connected() throws -> VarlinkConnection {
        if let connection { return connection }
        let opened = try service.open(call)
        connection = opened
        hasAnswered = false
        due = heartbeat == nil ? nil : .now + service.patience
        return opened
    }

    private var silence: VarlinkConnectionError {
        let span = hasAnswered ? heartbeat.map { $0 + $0 } : service.patience
        return .timedOut(path: service.socket.path, after: .microseconds(span?.microseconds ?? 0))
    }

    private func wait(_ span: TimeSpan) throws {
        let connection = try connected()
        var entry = pollfd(fd: connection.descriptor, events: Int16(POLLIN), revents: 0)
        let milliseconds = max(0, min(span.microseconds / 1_000, 1 << 30))
        poll(&entry, 1, Int32(milliseconds))
    }
}

extension JSONObject {
    /// Whether the reply of `Show` is one that todayd sends only as a heartbeat.
    package var hasNoChanges: Bool {
        self["items"]?.arrayValue?.isEmpty == true && self["removed"]?.arrayValue?.isEmpty == true
    }
}
