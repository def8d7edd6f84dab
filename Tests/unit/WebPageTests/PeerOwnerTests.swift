// SPDX-License-Identifier: MIT
import Testing

@testable import WebPage

@Suite struct PeerOwnerTests {
    private static let table = """
          sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
           0: 0100007F:221D 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 8711 1 0 100 0 0 10 0
           1: 0100007F:221D 0100007F:C001 01 00000000:00000000 00:00000000 00000000  1000        0 8712 1 0 100 0 0 10 0
           2: 0100007F:C001 0100007F:221D 01 00000000:00000000 00:00000000 00000000  1001        0 8713 1 0 100 0 0 10 0
           3: 0100007F:C002 0100007F:221D 06 00000000:00000000 03:00000000 00000000     0        0 0 3 0
           4: 0100007F:C003 0100007F:221D 05 00000000:00000000 03:00000000 00000000     0        0 0 3 0
        """

    private static let rows: [(port: UInt16, user: UInt32?)] = [
        (0xc001, 1_001), (0xc002, nil), (0xc003, nil), (0xc004, nil),
    ]

    @Test(arguments: rows.indices) func theClientsUser(_ index: Int) {
        let row = Self.rows[index]
        let client = PeerOwner.entry([127, 0, 0, 1], port: row.port)
        let server = PeerOwner.entry([127, 0, 0, 1], port: 8_733)
        #expect(PeerOwner.user(in: Self.table, client: client, server: server) == row.user)
    }

    /// A list that the kernel has cut short.
    @Test func aLineWithoutAUser() throws {
        let line = try #require(Self.table.split(separator: "\n").last { $0.contains("C001 0100007F:221D") })
        let words = line.split(separator: " ")
        for count in 1...words.count {
            let cut = words[..<count].joined(separator: " ")
            let user = PeerOwner.user(in: cut, client: "0100007F:C001", server: "0100007F:221D")
            #expect(user == (count < 8 ? nil : 1_001), "\(cut)")
        }
    }

    @Test func anAddressOfTheSixthVersion() {
        let loopback = [UInt8](repeating: 0, count: 15) + [1]
        #expect(PeerOwner.entry(loopback, port: 8_733) == "00000000000000000000000001000000:221D")
    }
}
