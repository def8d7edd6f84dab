// SPDX-License-Identifier: MIT

/// How long a connection may be in each state, in microseconds.
package struct ConnectionTimes: Sendable {
    /// From the beginning of the connection or the end of the last answer to the headers of a request, and from there to the
    /// end of its body. A client that sends a byte now and then gets no more time.
    package var request: Int64 = 15_000_000
    /// From a request to the end of its answer.
    package var answer: Int64 = 60_000_000

    /// In place of `request`, for a client that may need a token and has shown none.
    package var stranger: Int64 = 5_000_000

    package init() {}
}

/// The connections of a server and what each of them waits for. It decides which have taken too long, and which one makes room
/// for another.
package struct ConnectionLedger: Sendable {
    package enum State: Sendable, Equatable {
        /// No request has begun, as far as the server can tell.
        case idle
        case receiving
        case answering
        /// The answer has no end.
        case streaming
    }

    private struct Entry {
        let peer: Peer
        /// Whether its user is one of the page's owners, or the client has shown the token.
        var isKnown: Bool
        var state = State.idle
        var since: Int64
    }

    private let times: ConnectionTimes
    private let mostConnections: Int
    private let mostStrangers: Int
    private var entries: [Int32: Entry] = [:]

    package init(_ times: ConnectionTimes, mostConnections: Int, mostStrangers: Int = .max) {
        self.times = times
        self.mostConnections = mostConnections
        self.mostStrangers = mostStrangers
    }

    package var count: Int { entries.count }

    /// - Returns: if there are too many, the connection that has waited longest for a whole request, of the peer that has
    ///   the most of all connections.
    package mutating func began(_ descriptor: Int32, by peer: Peer, isKnown: Bool = true, at now: Int64) -> Int32? {
        entries[descriptor] = Entry(peer: peer, isKnown: isKnown, since: now)
        let hasManyStrangers = !isKnown && entries.values.lazy.filter { !$0.isKnown }.count > mostStrangers
        guard entries.count > mostConnections || hasManyStrangers else { return nil }
        let counts = entries.values.reduce(into: [Peer: Int]()) { $0[$1.peer, default: 0] += 1 }
        let idle = entries.filter { entry in
            [.idle, .receiving].contains(entry.value.state) && entry.key != descriptor
                && !(hasManyStrangers && entry.value.isKnown)
        }
        let oldest = idle.min { one, other in
            let (ones, others) = (counts[one.value.peer, default: 0], counts[other.value.peer, default: 0])
            return ones == others ? one.value.since < other.value.since : ones > others
        }
        guard let oldest else { return nil }
        entries[oldest.key] = nil
        return oldest.key
    }

    package mutating func note(_ state: State, on descriptor: Int32, at now: Int64) {
        guard let entry = entries[descriptor] else { return }
        entries[descriptor] = Entry(peer: entry.peer, isKnown: entry.isKnown, state: state, since: now)
    }

    /// The client has shown the token.
    package mutating func trust(_ descriptor: Int32) { entries[descriptor]?.isKnown = true }

    package mutating func ended(_ descriptor: Int32) { entries[descriptor] = nil }

    /// The connections that have taken too long. Each is returned once.
    package mutating func overdue(at now: Int64) -> [Int32] {
        let late = entries.filter { entry in deadline(of: entry.value).map { $0 <= now } ?? false }.map(\.key)
        for descriptor in late { entries[descriptor] = nil }
        return late.sorted()
    }

    package var nextDeadline: Int64? { entries.values.compactMap(deadline).min() }

    private func deadline(of entry: Entry) -> Int64? {
        switch entry.state {
        case .idle, .receiving: entry.since + (entry.isKnown ? times.request : times.stranger)
        case .answering: entry.since + times.answer
        case .streaming: nil
        }
    }
}

/// The other end of a connection, as far as it can be told.
package enum Peer: Hashable, Sendable {
    /// A process of this machine's user.
    case user(UInt32)
    /// Another machine, or its network.
    case holder([UInt8])
    /// A process of this machine whose user the kernel does not tell.
    case someone

    package func isOne(of users: Set<UInt32>) -> Bool {
        if case .user(let user) = self { users.contains(user) } else { false }
    }

    /// - Parameters:
    ///   - users: those users of this machine who may ask; nil means all.
    ///   - servesNetwork: whether other machines may.
    package func mayAsk(users: Set<UInt32>?, servesNetwork: Bool) -> Bool {
        switch self {
        case .user(let user): users?.contains(user) ?? true
        case .someone: users == nil
        case .holder: servesNetwork
        }
    }
}

/// Places of which one peer gets at most three quarters, and all peers together that are not owners no more either, so that an
/// owner always finds one.
package struct Shares: Sendable {
    private let most: Int
    private let owners: Set<UInt32>
    private var taken: [Peer: Int] = [:]
    package private(set) var count = 0

    package init(_ most: Int, owners: Set<UInt32> = []) {
        self.most = most
        self.owners = owners
    }

    package func hasRoom(for peer: Peer) -> Bool {
        let share = most - most / 4
        guard count < most, taken[peer, default: 0] < share else { return false }
        return owners.isEmpty || peer.isOne(of: owners)
            || count - owners.reduce(0) { $0 + taken[.user($1), default: 0] } < share
    }

    package mutating func take(_ peer: Peer) {
        taken[peer, default: 0] += 1
        count += 1
    }

    package mutating func release(_ peer: Peer) {
        guard let places = taken[peer] else { return }
        taken[peer] = places > 1 ? places - 1 : nil
        count -= 1
    }
}
