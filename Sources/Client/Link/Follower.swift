// SPDX-License-Identifier: MIT

import Glibc
import JSON
import TodayModel
import Varlink

/// Follows a view for a loop that waits in poll(2): carries out what `Follow` decides.
package final class Follower {
    package enum News {
        case reply(JSONObject)
        /// The reason in words.
        case lost(ClientError)
        /// todayd has ended the stream.
        case end
    }

    private let service: ServiceClient
    private let stream: ReplyStream
    private let policy: Follow.Policy
    private var follow: Follow
    private var hasConnected = false
    /// How many replies are read before the host handles other events: a todayd that writes without a pause must leave time for
    /// keys.
    private static let mostReplies = 16
    package private(set) var hasMore = false

    package init(
        _ call: ServiceCall, of service: ServiceClient, _ policy: Follow.Policy, heartbeat: TimeSpan = Follow.heartbeat
    ) {
        self.service = service
        self.policy = policy
        follow = Follow(policy, heartbeat: heartbeat)
        var call = call
        call.parameters = follow.parameters(call.parameters)
        stream = ReplyStream(call, of: service)
    }

    /// For poll(2), once there is a connection.
    package var descriptor: Int32? { stream.descriptor }

    /// How long the host may wait if nothing arrives.
    package func pause(at now: AwakeTime) -> TimeSpan? { hasMore ? .zero : follow.wake.map { $0 - now } }

    /// Connects before the first reading, so that messages about the daemon come before anything else.
    package func connect() throws {
        try stream.connect()
        hasConnected = true
        _ = follow.handle(.connected(patience: service.patience), at: .now)
    }

    /// Connects if that is due, and reads what has arrived.
    package func read() throws -> [News] {
        var news: [News] = []
        hasMore = false
        for _ in 0..<Self.mostReplies {
            guard try step(&news) else { return news }
        }
        hasMore = true
        return news
    }

    /// - Returns: whether there may be more.
    private func step(_ news: inout [News]) throws -> Bool {
        var event = Follow.Event.tick
        var error: ClientError?
        if stream.descriptor != nil {
            do {
                if case .reply(let reply)? = try stream.available() {
                    event = .reply(reply, isLast: stream.isFinished)
                }
            } catch let caught as ClientError {
                (event, error) = (.failed(try failure(of: caught)), caught)
            }
        }
        try carryOut(follow.handle(event, at: .now), error, &news)
        if case .reply = event { return stream.descriptor != nil }
        return false
    }

    /// - Parameter error: the reason for which something is lost.
    private func carryOut(_ actions: [Follow.Action], _ error: ClientError?, _ news: inout [News]) throws {
        for action in actions {
            switch action {
            case .connect:
                do {
                    // A command waits for a todayd that has not answered yet; a host that stays has other things to do.
                    if hasConnected || policy.waitsFromStart { stream.connectionPatience = .zero }
                    try connect()
                } catch let caught as ClientError {
                    try carryOut(follow.handle(.failed(try failure(of: caught)), at: .now), caught, &news)
                }
            case .show(let reply): news.append(.reply(reply))
            case .close: stream.close()
            case .lost(let failure): news.append(.lost(error ?? words(for: failure)))
            case .end: news.append(.end)
            case .giveUp(let failure): throw error ?? words(for: failure)
            case .missing: break
            }
        }
    }

    /// Other errors end the host.
    private func failure(of error: ClientError) throws -> Follow.Failure {
        switch error.code {
        case .noSuchWidget: .noSuchWidget
        case .timedOut: .silent(service.patience)
        case .unreachable: .absent
        default: throw error
        }
    }

    private func words(for failure: Follow.Failure) -> ClientError {
        let path = service.socket.path
        return switch failure {
        case .silent(let span):
            ClientError(.timedOut(path: path, after: .microseconds(span.microseconds)), at: service.socket)
        case .absent, .noSuchWidget, .notUnderstood: ClientError(.closedByService(path: path), at: service.socket)
        }
    }
}

extension TimeSpan {
    /// The time-out of poll(2), rounded up; nil waits without limit.
    package static func pollMilliseconds(_ span: TimeSpan?) -> Int32 {
        guard let span else { return -1 }
        return span <= .zero ? 0 : Int32(min(span.microseconds / 1_000 + 1, 1 << 30))
    }
}

extension pollfd {
    /// - Parameter descriptor: nil never becomes ready.
    package init(reading descriptor: Int32?) { self.init(fd: descriptor ?? -1, events: Int16(POLLIN), revents: 0) }
}
