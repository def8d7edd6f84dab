// SPDX-License-Identifier: MIT

import Platform
import Spelling

/// Where the page is served: an address and a port.
package struct ListenAddress: Equatable, Sendable {
    package let address: IPAddress
    package let port: UInt16

    package static let standardPort: UInt16 = 8_733
    package static let standard = ListenAddress(.loopback, port: standardPort)

    package struct Fault: Error, Equatable {
        package let reason: String
    }

    package init(_ address: IPAddress, port: UInt16) {
        self.address = address
        self.port = port
    }

    /// `8733`, `127.0.0.1:8733`, `127.0.0.1`, `[::1]:8733`, `[::1]`, `::1`, or one with `localhost`.
    package init(_ text: String) throws(Fault) {
        let (host, digits) = Self.parts(text)
        var port = Self.standardPort
        if let digits {
            guard digits.utf8.areDigits, let number = UInt16(digits) else {
                throw Fault(reason: "the port is a number up to 65535")
            }
            port = number
        }
        guard let address = host == "localhost" ? .loopback : IPAddress(host) else {
            throw Fault(reason: "is not an address like 127.0.0.1:8733 or [::1]:8733")
        }
        self.init(address, port: port)
    }

    private static func parts(_ text: String) -> (host: String, port: Substring?) {
        if text.hasPrefix("["), let bracket = text.firstIndex(of: "]") {
            let rest = text[text.index(after: bracket)...]
            let host = String(text[text.index(after: text.startIndex)..<bracket])
            // Only IPv6 addresses have brackets (RFC 3986, 3.2.2), and nothing but a port follows them.
            if !host.contains(":") { return (text, nil) }
            return rest.isEmpty ? (host, nil) : rest.hasPrefix(":") ? (host, rest.dropFirst()) : (text, nil)
        }
        let parts = text.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
        switch parts.count {
        case 1:
            return text.utf8.allSatisfy(\.isDigit) ? ("localhost", parts[0]) : (text, nil)
        case 2: return (String(parts[0]), parts[1])
        default: return (text, nil)
        }
    }

    /// Why other machines get no page without a token.
    package static let needsToken =
        "the page has no password, so that other machines need a token: "
        + "'(umask 077; openssl rand -hex 32 > FILE)' makes one for --token-file FILE"
}
