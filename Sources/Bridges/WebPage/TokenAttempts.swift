// SPDX-License-Identifier: MIT

/// How many wrong tokens a client may try: ten at once, and one every six seconds. What it has tried before is no new attempt. The
/// right one always passes: 128 bits are not found by trying on, and all clients of a proxy have its address.
package struct TokenAttempts: Sendable {
    package enum Judgement: Equatable, Sendable {
        case right, wrong
        case tooOften
    }

    private struct Client {
        var tried: [String] = []
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
        if token.isShown(by: given) { return .right }
        // No token is so long, and what has been tried is kept.
        if given.isEmpty || given.utf8.count > TokenText.longest { return .wrong }
        var client = clients[holder] ?? Client()
        if client.tried.contains(given) { return .wrong }
        client.free = max(client.free, now)
        if client.free > now + Self.interval * (Self.most - 1) { return .tooOften }
        client.free += Self.interval
        client.tried.append(given)
        if client.tried.count > Self.most { client.tried.removeFirst() }
        clients[holder] = client
        makeRoom()
        return .wrong
    }

    /// Those who have not tried for longest go first.
    private mutating func makeRoom() {
        guard clients.count > Self.mostClients else { return }
        if let least = clients.min(by: { $0.value.free < $1.value.free }) { clients[least.key] = nil }
    }
}
