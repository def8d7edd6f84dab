// SPDX-License-Identifier: MIT

/// Where prices are asked for: a URL, to which currency and length are added. https only, but for this machine itself.
package struct Endpoint: Hashable, Sendable {
    /// CoinGecko's, which wants no key.
    package static let coinGecko = Endpoint(
        base: "https://api.coingecko.com/api/v3/coins/bitcoin/market_chart", query: [], isPlain: false)

    private let base: String
    private let query: [String]
    /// It is `http:`, to this machine.
    package let isPlain: Bool

    private init(base: String, query: [String], isPlain: Bool) {
        self.base = base
        self.query = query
        self.isPlain = isPlain
    }

    /// - Throws: `PriceError.settings` for what is no https URL, and no http URL of this machine.
    package init(_ text: String) throws(PriceError) {
        let bytes = Array(text.utf8)
        guard bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") && $0 != UInt8(ascii: "#") }) else {
            throw .settings("the endpoint is not a URL: it has a space, a '#' or another character that none has")
        }
        let start = String(decoding: bytes.prefix(8).map { $0 | 0x20 }, as: UTF8.self)
        let isPlain = start.hasPrefix("http://")
        guard isPlain || start == "https://" else {
            throw .settings("the endpoint is not a URL that begins with https://")
        }
        let rest = bytes.dropFirst(isPlain ? 7 : 8)
        let authority = rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
        guard !authority.isEmpty else { throw .settings("the endpoint has no host") }
        guard !isPlain || Self.isLoopback(String(decoding: authority, as: UTF8.self)) else {
            throw .settings("the endpoint is http://, which is for this machine only (127.0.0.1); use https://")
        }
        let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let given = parts.count > 1 ? parts[1].split(separator: "&").map(String.init) : []
        // Those of ours are set anyway; all others stay, such as a key.
        let own = ["vs_currency", "days", "interval"]
        self.init(
            base: String(parts[0]),
            query: given.filter { !own.contains(String($0.prefix { $0 != "=" })) }, isPlain: isPlain)
    }

    /// What to ask.
    package func url(for currency: Currency) -> String {
        let own = ["vs_currency=\(currency.code)", "days=\(PriceHistory.length)", "interval=daily"]
        return "\(base)?\((query + own).joined(separator: "&"))"
    }

    /// By its name or number as it is written: what a name server says may be anything. A user's name is none of them.
    private static func isLoopback(_ authority: String) -> Bool {
        let isBracketed = authority.hasPrefix("[::1]")
        let host = isBracketed ? "[::1]" : String(authority.prefix { $0 != ":" })
        let port = authority.dropFirst(host.count)
        guard port.isEmpty || port.first == ":", port.dropFirst().utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else {
            return false
        }
        if isBracketed || host.lowercased() == "localhost" { return true }
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false).map { part -> UInt8? in
            part.utf8.allSatisfy { 0x30...0x39 ~= $0 } ? UInt8(part) : nil
        }
        return numbers.count == 4 && numbers[0] == 127 && !numbers.contains(nil)
    }
}
