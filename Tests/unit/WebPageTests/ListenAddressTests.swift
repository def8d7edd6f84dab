// SPDX-License-Identifier: MIT
import Platform
import Testing

@testable import WebPage

@Suite struct ListenAddressTests {
    private static let good: [(text: String, host: String, port: UInt16)] = [
        ("8733", "127.0.0.1", 8_733), ("1", "127.0.0.1", 1), ("0", "127.0.0.1", 0), ("65535", "127.0.0.1", 65_535),
        ("localhost", "127.0.0.1", 8_733), ("localhost:9", "127.0.0.1", 9), ("127.0.0.1", "127.0.0.1", 8_733),
        ("10.0.0.7:80", "10.0.0.7", 80), ("[::1]:9", "[::1]", 9), ("[::1]", "[::1]", 8_733), ("::1", "[::1]", 8_733),
    ]

    @Test(arguments: good.indices) func anAddressAndAPort(_ index: Int) throws {
        let (text, host, port) = Self.good[index]
        let address = try ListenAddress(text)
        #expect(address.address.host == host && address.port == port)
    }

    /// Of an address with an empty part, none is guessed.
    @Test(arguments: [
        "", ":", ":8733", "127.0.0.1:", "localhost:", "[::1]:", "[]", "[]:80", "[::1", "::1]", "[::1]80",
        "[127.0.0.1]:80",
        "127.0.0.1:65536", "65536", "-1", "+80", "80 ", " 80", "127.0.0.1:8a", "127.0.0", "127.0.0.256", "host:80",
        "a b",
    ])
    func whatIsNone(text: String) {
        #expect(throws: ListenAddress.Fault.self) { try ListenAddress(text) }
    }
}
