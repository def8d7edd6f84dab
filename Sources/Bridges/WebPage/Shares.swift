// SPDX-License-Identifier: MIT

/// Who is at the other end of a connection, as far as it can be told.
package enum Peer: Hashable, Sendable {
    /// A process of this machine's user.
    case user(UInt32)
    /// Another machine, or its network.
    case holder([UInt8])
    /// A process of this machine, of which the kernel does not say whose it is.
    case someone

    package func isOne(of users: Set<UInt32>) -> Bool {
        if case .user(let user) = self { users.contains(user) } else { false }
    }

    /// - Parameters:
    ///   - users: those of this machine who may ask; nil for all.
    ///   - servesNetwork: whether other machines may.
    package func mayAsk(users: Set<UInt32>?, servesNetwork: Bool) -> Bool {
        switch self {
        case .user(let user): users?.contains(user) ?? true
        case .someone: users == nil
        case .holder: servesNetwork
        }
    }
}

/// Places of which a peer gets three quarters at most, so that the others find one, and all who are no owners together, so that
/// an owner does.
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
