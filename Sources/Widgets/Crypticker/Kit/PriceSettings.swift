// SPDX-License-Identifier: MIT
import Platform
import TodayKit

/// The user's settings: the currency and the server of the prices. The environment overrides the group's defaults.
package struct PriceSettings: Sendable {
    /// The group of the app and its widget.
    package static let group = "group.org.todayd.crypticker"
    package static let currencyKey = "currency"
    package static let endpointKey = "endpoint"

    package var currency: Currency
    package let endpoint: PriceEndpoint
    package let timeout: Duration
    package let sample: SamplePrices?

    /// - Throws: `PriceError.settings` if a value is wrong. The standard value does not replace a wrong one: the user has set
    ///   something else.
    package init(_ variables: EnvironmentVariables, _ defaults: [String: DefaultsValue]) throws(PriceError) {
        self.init(
            currency: try Self.currency(defaults), endpoint: try Self.endpoint(variables, defaults),
            timeout: try Self.timeout(variables), sample: variables[SamplePrices.variable].map(SamplePrices.init))
    }

    package init(
        currency: Currency, endpoint: PriceEndpoint, timeout: Duration = .seconds(10), sample: SamplePrices? = nil
    ) {
        self.currency = currency
        self.endpoint = endpoint
        self.timeout = timeout
        self.sample = sample
    }

    /// The group's defaults; nil if todayd does not run, or has no widget of the group.
    package static func sharedDefaults() throws(PriceError) -> [String: DefaultsValue]? {
        do throws(TodayError) {
            return try GroupDefaults(suiteName: group).values()
        } catch {
            switch error {
            case .unavailable, .noSuchGroup: return nil
            default: throw .settings("the defaults of \(group) cannot be read: \(error)")
            }
        }
    }

    private static func currency(_ defaults: [String: DefaultsValue]) throws(PriceError) -> Currency {
        guard let value = defaults[currencyKey] else { return .usd }
        guard case .string(let text) = value, let currency = Currency(text) else {
            throw .settings("the default 'currency' of \(group) is not a code of 3 to 5 letters, such as usd")
        }
        return currency
    }

    private static func endpoint(_ variables: EnvironmentVariables, _ defaults: [String: DefaultsValue])
        throws(PriceError)
        -> PriceEndpoint
    {
        if let given = variables["CRYPTICKER_ENDPOINT"] { return try PriceEndpoint(given) }
        guard let value = defaults[endpointKey] else { return .coinGecko }
        guard case .string(let text) = value else {
            throw .settings("the default 'endpoint' of \(group) is not a text")
        }
        return try PriceEndpoint(text)
    }

    private static func timeout(_ variables: EnvironmentVariables) throws(PriceError) -> Duration {
        guard let given = variables["CRYPTICKER_TIMEOUT"] else { return .seconds(10) }
        guard let seconds = Int(given), (1...60).contains(seconds) else {
            throw .settings("CRYPTICKER_TIMEOUT is not a number of seconds from 1 to 60")
        }
        return .seconds(seconds)
    }
}

/// The URL of a server, to which the request adds currency and number of days. Must be https, except on this machine.
package struct PriceEndpoint: Hashable, Sendable {
    /// The API of CoinGecko, which needs no key.
    package static let coinGecko = PriceEndpoint(
        base: "https://api.coingecko.com/api/v3/coins/bitcoin/market_chart", query: [], isPlainHTTP: false)

    private let base: String
    private let query: [String]
    /// Whether it is an http URL of this machine.
    package let isPlainHTTP: Bool

    private init(base: String, query: [String], isPlainHTTP: Bool) {
        self.base = base
        self.query = query
        self.isPlainHTTP = isPlainHTTP
    }

    /// - Throws: `PriceError.settings` if the text is neither an https URL nor an http URL of this machine.
    package init(_ text: String) throws(PriceError) {
        let bytes = Array(text.utf8)
        guard bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") && $0 != UInt8(ascii: "#") }) else {
            throw .settings("the endpoint is not a URL: it has a space, a '#' or another character that none has")
        }
        let start = String(decoding: bytes.prefix(8).map { $0 | 0x20 }, as: UTF8.self)
        let isPlainHTTP = start.hasPrefix("http://")
        guard isPlainHTTP || start == "https://" else {
            throw .settings("the endpoint is not a URL that begins with https://")
        }
        let rest = bytes.dropFirst(isPlainHTTP ? 7 : 8)
        let authority = rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
        guard !authority.isEmpty else { throw .settings("the endpoint has no host") }
        guard !isPlainHTTP || Self.isLoopback(String(decoding: authority, as: UTF8.self)) else {
            throw .settings("the endpoint is http://, which is for this machine only (127.0.0.1); use https://")
        }
        let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let given = parts.count > 1 ? parts[1].split(separator: "&").map(String.init) : []
        // Remove the parameters that the request sets itself. Others stay, such as a key.
        let own = ["vs_currency", "days", "interval"]
        self.init(
            base: String(parts[0]),
            query: given.filter { !own.contains(String($0.prefix { $0 != "=" })) }, isPlainHTTP: isPlainHTTP)
    }

    /// The URL of a request.
    package func url(for currency: Currency) -> String {
        let own = ["vs_currency=\(currency.code)", "days=\(PriceHistory.length)", "interval=daily"]
        return "\(base)?\((query + own).joined(separator: "&"))"
    }

    /// Compares the name or number as it is written: a name server could return any address. Refuses an authority with a
    /// user name (`127.0.0.1@example.org`).
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
