// SPDX-License-Identifier: MIT

/// Where the page is served: an address of the loopback and a port.
package struct ListenAddress: Equatable, Sendable {
    package enum Family: Equatable, Sendable { case v4, v6 }

    package let family: Family
    package let port: UInt16

    package static let standard = ListenAddress(family: .v4, port: 8_733)

    package struct Fault: Error, Equatable {
        package let reason: String
    }

    init(family: Family, port: UInt16) {
        self.family = family
        self.port = port
    }

    /// `127.0.0.1:8733`, `[::1]:8733`, `localhost:8733` or `8733`.
    package init(_ text: String) throws(Fault) {
        let colon = text.lastIndex(of: ":")
        let host = colon.map { String(text[..<$0]) } ?? "127.0.0.1"
        let digits = colon.map { text[text.index(after: $0)...] } ?? text[...]
        let isNumber =
            !digits.isEmpty && digits.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard isNumber, let port = UInt16(digits) else { throw Fault(reason: "the port is a number up to 65535") }
        switch host {
        case "127.0.0.1", "localhost": self.init(family: .v4, port: port)
        case "[::1]": self.init(family: .v6, port: port)
        default:
            throw Fault(
                reason:
                    "the page has no password and no encryption, so that it listens on 127.0.0.1 and [::1] only; for other "
                    + "machines use 'ssh -L 8733:localhost:8733' or a proxy that asks who they are")
        }
    }
}
