// SPDX-License-Identifier: MIT
import Testing

@testable import WebPage

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
