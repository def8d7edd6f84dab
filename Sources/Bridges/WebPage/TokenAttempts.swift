// SPDX-License-Identifier: MIT

/// How many tokens a client may try: ten at once, and one every six seconds. What it has tried before is no new attempt, so that a
/// tab with an old token, or with the right one, is never kept out by other clients of its address.
package struct TokenAttempts: Sendable {
    package enum Judgement: Equatable, Sendable {
        case right, wrong
        /// Of either.
        case tooOften
    }

    private struct Client {
        var tried: [String] = []
        var hasRight = false
        /// When all its attempts are free again.
        var free: Int64 = 0
    }

    private static let most: Int64 = 10
    private static let interval: Int64 = 6_000_000
    static let mostClients = 256

    private var clients: [[UInt8]: Client] = [:]

    package init() {}

    var count: Int { clients.count }

    /// - Parameters:
    ///   - holder: whose attempt it is.
    ///   - now: microseconds of a clock that only goes on.
    package mutating func judge(
        _ given: String, _ token: Secret, from holder: [UInt8], at now: Int64
    ) -> Judgement {
        // No token is so long, and what has been tried is kept.
        if given.isEmpty || given.utf8.count > TokenText.longest { return .wrong }
        var client = clients[holder] ?? Client()
        let isRight = token.isShown(by: given)
        let wasTried = client.tried.contains(given)
        if isRight ? !client.hasRight : !wasTried {
            client.free = max(client.free, now)
            // The same for the right one, so that it is not found by trying on.
            if client.free > now + Self.interval * (Self.most - 1) { return .tooOften }
            if isRight {
                client.hasRight = true
            } else {
                client.free += Self.interval
                client.tried.append(given)
                if client.tried.count > Self.most { client.tried.removeFirst() }
            }
        }
        clients[holder] = client
        makeRoom(at: now)
        return isRight ? .right : .wrong
    }

    /// Those who have not tried for longest go first, and those who have shown the token last.
    private mutating func makeRoom(at now: Int64) {
        guard clients.count > Self.mostClients else { return }
        let least = clients.min { one, other in
            (one.value.hasRight ? 1 : 0, one.value.free) < (other.value.hasRight ? 1 : 0, other.value.free)
        }
        if let least { clients[least.key] = nil }
    }
}
