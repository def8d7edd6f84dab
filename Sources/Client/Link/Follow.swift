// SPDX-License-Identifier: MIT

import JSON
import TodayModel

/// How a host follows a view of todayd: when it connects, which replies are news, when todayd counts as lost, and when the host
/// gives up. It is a pure value: events go in, actions come out. A driver connects, reads, and waits until `wake`.
package struct Follow {
    /// What differs between hosts.
    package struct Policy: Equatable {
        /// Whether the host waits for a todayd that has never answered it, as a bar does; a command ends with the error.
        package var waitsFromStart: Bool
        /// Whether the host ends when todayd ends the stream; otherwise it connects again.
        package var endsWithStream: Bool
        /// How soon the host asks again for a widget that todayd does not know, if it shows that as an answer. Nil: it is an
        /// error until todayd has answered once, and a loss afterwards.
        package var pauseWhileMissing: TimeSpan?

        package init(
            waitsFromStart: Bool = false, endsWithStream: Bool = false, pauseWhileMissing: TimeSpan? = nil
        ) {
            self.waitsFromStart = waitsFromStart
            self.endsWithStream = endsWithStream
            self.pauseWhileMissing = pauseWhileMissing
        }
    }

    package enum Failure: Equatable {
        /// There is no todayd, or the connection has ended.
        case absent
        /// Nothing came within this span.
        case silent(TimeSpan)
        /// todayd does not know the widget.
        case noSuchWidget
        /// A reply is not a view, for example because todayd has another version.
        case notUnderstood
    }

    package enum Event {
        /// The call is sent; `patience` is how long its first reply may take.
        case connected(patience: TimeSpan)
        case reply(JSONObject, isLast: Bool)
        case failed(Failure)
        /// `wake` is due, or the host starts.
        case tick
    }

    package enum Action: Equatable {
        case connect
        case close
        /// A reply to show. The first one of a connection has everything.
        case show(JSONObject)
        /// What is shown is no longer todayd's present state. Comes once, until the next reply.
        case lost(Failure)
        /// todayd answers that there is no such widget.
        case missing
        /// todayd has ended the stream.
        case end
        /// The host ends with the error.
        case giveUp(Failure)
    }

    private enum Phase: Equatable {
        /// Nil connects at once.
        case waiting(until: AwakeTime?)
        case connected(since: AwakeTime, until: AwakeTime, hasAnswered: Bool)
        case over
    }

    /// How often todayd is asked to send something. After twice this time without a word it counts as hung.
    static let heartbeat = TimeSpan.seconds(30)

    private let policy: Policy
    private let heartbeat: TimeSpan
    private var phase = Phase.waiting(until: nil)
    private var reconnection = Reconnection()
    private var hasConnected = false
    /// Whether todayd has ever answered.
    private var hasAnswered = false
    private var isLost = false

    package init(_ policy: Policy, heartbeat: TimeSpan = Follow.heartbeat) {
        self.policy = policy
        self.heartbeat = heartbeat
    }

    /// A call of `Show` that asks for the heartbeat.
    package func parameters(_ parameters: JSONObject) -> JSONObject {
        var parameters = parameters
        parameters["heartbeat"] = .int(heartbeat.microseconds / 1_000_000)
        return parameters
    }

    /// When the next tick is due.
    package var wake: AwakeTime? {
        switch phase {
        case .waiting(let until): until
        case .connected(_, let until, _): until
        case .over: nil
        }
    }

    package mutating func handle(_ event: Event, at now: AwakeTime) -> [Action] {
        switch (event, phase) {
        case (.connected(let patience), .waiting):
            hasConnected = true
            phase = .connected(since: now, until: now + patience, hasAnswered: false)
            return []
        case (.reply(let reply, let isLast), .connected(_, _, let hadAnswered)):
            return take(reply, isLast: isLast, isFirst: !hadAnswered, at: now)
        case (.tick, .waiting(let until)):
            return until.map { $0 <= now } ?? true ? [.connect] : []
        case (.tick, .connected(let since, let until, _)) where until <= now:
            return fail(.silent(until - since), at: now)
        case (.failed(let failure), .waiting), (.failed(let failure), .connected):
            return fail(failure, at: now)
        case (.tick, _), (.connected, _), (.reply, _), (.failed, .over):
            return []
        }
    }

    private mutating func take(_ reply: JSONObject, isLast: Bool, isFirst: Bool, at now: AwakeTime) -> [Action] {
        (hasAnswered, isLost) = (true, false)
        phase = .connected(since: now, until: now + heartbeat + heartbeat, hasAnswered: true)
        var actions: [Action] = isFirst || isLast || !reply.hasNoChanges ? [.show(reply)] : []
        if isLast, policy.endsWithStream {
            phase = .over
            actions += [.close, .end]
        } else if isLast {
            actions += lose(.absent, at: now)
        }
        return actions
    }

    private mutating func fail(_ failure: Failure, at now: AwakeTime) -> [Action] {
        if failure == .noSuchWidget, let pause = policy.pauseWhileMissing {
            reconnection.succeeded()
            isLost = false
            phase = .waiting(until: now + pause)
            return [.close, .missing]
        }
        guard waits(for: failure) else {
            phase = .over
            return [.close, .giveUp(failure)]
        }
        return lose(failure, at: now)
    }

    private func waits(for failure: Failure) -> Bool {
        switch failure {
        // Its manifest has disappeared while todayd was away, and may come back. Other widgets of the view would be lost with
        // it.
        case .noSuchWidget: hasAnswered
        case .silent, .notUnderstood: hasAnswered || policy.waitsFromStart
        // todayd may end right after it has accepted the connection.
        case .absent: hasAnswered || policy.waitsFromStart || hasConnected
        }
    }

    private mutating func lose(_ failure: Failure, at now: AwakeTime) -> [Action] {
        // A todayd that does not answer, or not in a known form, is asked less and less often.
        if case .connected(_, _, hasAnswered: true) = phase, failure != .notUnderstood { reconnection.succeeded() }
        reconnection.failed(at: now)
        phase = .waiting(until: reconnection.due)
        defer { isLost = true }
        return isLost ? [.close] : [.close, .lost(failure)]
    }
}

extension JSONObject {
    /// Whether the reply of `Show` is one that todayd sends only as a heartbeat.
    var hasNoChanges: Bool {
        self["items"]?.arrayValue?.isEmpty == true && self["removed"]?.arrayValue?.isEmpty == true
    }
}

/// When a client that stays tries again to reach todayd: soon at first, because a restart takes less than a second, and then
/// less and less often, because ten bars of a user without a todayd should cost nothing.
package struct Reconnection {
    package static let first = TimeSpan.milliseconds(250)
    package static let longest = TimeSpan.seconds(15)

    private var pause = first

    package init() {}

    package private(set) var due: AwakeTime?

    package mutating func failed(at now: AwakeTime) {
        due = now + pause
        pause = min(pause + pause, Self.longest)
    }

    package mutating func succeeded() {
        due = nil
        pause = Self.first
    }
}
