// SPDX-License-Identifier: MIT
import Testing

@testable import WebPage

@Suite struct PeerTests {
    private static let rows: [(peer: Peer, users: Set<UInt32>?, servesNetwork: Bool, may: Bool)] = [
        (.user(1_000), [0, 1_000], false, true), (.user(0), [0, 1_000], true, true),
        (.user(1_001), [0, 1_000], true, false), (.user(1_001), nil, false, true),
        (.someone, [0, 1_000], true, false), (.someone, nil, false, true),
        (.holder([10, 0, 0, 1]), [0, 1_000], false, false), (.holder([10, 0, 0, 1]), nil, false, false),
        (.holder([10, 0, 0, 1]), [0, 1_000], true, true),
    ]

    @Test(arguments: rows.indices) func mayAsk(_ index: Int) {
        let row = Self.rows[index]
        #expect(row.peer.mayAsk(users: row.users, servesNetwork: row.servesNetwork) == row.may, "\(row)")
    }
}

@Suite struct SharesTests {
    private func taken(_ shares: inout Shares, _ peer: Peer) -> Int {
        var count = 0
        while count < 1_000, shares.hasRoom(for: peer) {
            shares.take(peer)
            count += 1
        }
        return count
    }

    @Test func onePeerGetsThreeQuarters() {
        var shares = Shares(320)
        var count = taken(&shares, .user(1_000))
        // 200 tabs of one browser are no trouble.
        #expect(count == 240)
        count = taken(&shares, .holder([10, 0, 0, 1]))
        #expect(count == 80)
        count = taken(&shares, .someone)
        #expect(count == 0)
        #expect(shares.count == 320)
    }

    @Test func aShareIsKeptForOwners() {
        var shares = Shares(64, owners: [0, 1_000])
        var counts = [Peer.holder([10, 0, 0, 1]), .holder([10, 0, 0, 2]), .user(1_001)].map { taken(&shares, $0) }
        #expect(counts == [48, 0, 0], "three quarters are for all of them together")
        counts = [taken(&shares, .user(1_000))]
        #expect(counts == [16])
        shares.release(.user(1_000))
        #expect(!shares.hasRoom(for: .user(1_001)) && shares.hasRoom(for: .user(0)))
        var own = Shares(64, owners: [1_000])
        counts = [Peer.user(1_000), .holder([10, 0, 0, 1])].map { taken(&own, $0) }
        #expect(counts == [48, 16], "an owner leaves room, too")
    }

    @Test func aPlaceIsFreeAgain() {
        var shares = Shares(4)
        _ = taken(&shares, .user(1))
        #expect(!shares.hasRoom(for: .user(1)))
        shares.release(.user(1))
        #expect(shares.hasRoom(for: .user(1)))
        shares.release(.user(2))
        #expect(shares.count == 2)
        shares.release(.user(1))
        shares.release(.user(1))
        #expect(shares.count == 0)
    }
}
