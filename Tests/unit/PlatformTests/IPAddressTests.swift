// SPDX-License-Identifier: MIT
import Platform
import Testing

@Suite struct IPAddressTests {
    private static let rows: [(text: String, host: String, isLoopback: Bool)] = [
        ("127.0.0.1", "127.0.0.1", true), ("127.8.9.1", "127.8.9.1", true), ("128.0.0.1", "128.0.0.1", false),
        ("0.0.0.0", "0.0.0.0", false), ("192.168.1.5", "192.168.1.5", false), ("::1", "[::1]", true),
        ("::", "[::]", false), ("::2", "[::2]", false), ("1::1", "[1::1]", false),
        ("fe80:0:0:0:0:0:0:A", "[fe80::a]", false), ("::ffff:127.0.0.1", "127.0.0.1", true),
        ("::ffff:10.0.0.1", "10.0.0.1", false),
    ]

    @Test(arguments: rows.indices) func isReadAndWritten(_ index: Int) throws {
        let row = Self.rows[index]
        let address = try #require(IPAddress(row.text))
        #expect(address.host == row.host)
        #expect(address.isLoopback == row.isLoopback)
    }

    @Test func thisMachineIsOneAddress() { #expect(IPAddress.loopback == IPAddress("127.0.0.1")) }

    @Test(arguments: [
        "", "localhost", "127.1", "127.0.0.256", "127.0.0.1:80", "[::1]", "fe80::1%lo", "1.2.3.4.5", " 127.0.0.1",
        "0x7f.0.0.1", "::1::",
    ]) func whatIsNoAddress(_ text: String) {
        #expect(IPAddress(text) == nil)
    }

    @Test func aMachineHasANetworkOfTheSixthVersion() throws {
        let one = try #require(IPAddress("2001:db8:1:2::1"))
        #expect(IPAddress("2001:db8:1:2:ffff::9")?.holder == one.holder)
        #expect(IPAddress("2001:db8:1:3::1")?.holder != one.holder)
        #expect(IPAddress("10.0.0.1")?.holder != IPAddress("10.0.0.2")?.holder)
    }

    @Test func hasFourOrSixteenBytes() {
        #expect(IPAddress(bytes: [1, 2, 3]) == nil)
        #expect(IPAddress(bytes: [10, 0, 0, 1]) == IPAddress("10.0.0.1"))
    }
}
