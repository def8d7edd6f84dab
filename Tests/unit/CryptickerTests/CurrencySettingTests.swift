// SPDX-License-Identifier: MIT
import CryptoCurrencyKit
import Platform
import Testing
import TodayKit

@Suite struct CurrencySettingTests {
    static let usual = "vs_currency=usd&days=30&interval=daily"

    private func settings(_ variables: [String: String] = [:], _ defaults: [String: DefaultsValue] = [:]) throws
        -> PriceSettings
    {
        try PriceSettings(EnvironmentVariables(variables), defaults)
    }

    @Test func theStandardIsDollarsFromCoinGecko() throws {
        let settings = try settings()
        #expect(
            settings.endpoint.url(for: settings.currency)
                == "https://api.coingecko.com/api/v3/coins/bitcoin/market_chart?\(Self.usual)")
        #expect(settings.timeout == .seconds(10))
    }

    @Test func theEnvironmentOverridesTheGroupsDefaults() throws {
        let defaults: [String: DefaultsValue] = [
            "currency": .string("EUR"), "endpoint": .string("https://b.example.org/"),
        ]
        let group = try settings([:], defaults)
        #expect(group.currency.code == "eur")
        #expect(group.endpoint.url(for: .usd).hasPrefix("https://b.example.org/?"))
        let both = try settings(["CRYPTICKER_ENDPOINT": "https://a.example.org/", "CRYPTICKER_TIMEOUT": "2"], defaults)
        #expect(both.endpoint.url(for: .usd).hasPrefix("https://a.example.org/?"))
        #expect(both.timeout == .seconds(2))
    }

    static let wrong: [(String, DefaultsValue)] = [
        ("currency", .string("dollar")), ("currency", .int(5)), ("endpoint", .string("http://example.org/")),
        ("endpoint", .bool(true)), ("endpoint", .string("")),
    ]

    @Test(arguments: wrong) func wrongDefaultsAreReported(key: String, value: DefaultsValue) {
        let description = failure { try settings([:], [key: value]) }
        #expect(description.contains(key), "\(description)")
    }

    @Test(arguments: ["0", "61", "-1", "soon", "1.5"]) func theTimeoutHasBounds(text: String) {
        #expect(throws: PriceError.self) { try settings(["CRYPTICKER_TIMEOUT": text]) }
    }

    // MARK: Endpoints

    static let endpoints: [(String, String)] = [
        ("https://api.example.org/prices", "https://api.example.org/prices?"),
        ("HTTPS://api.example.org", "HTTPS://api.example.org?"),
        ("https://api.example.org/prices?", "https://api.example.org/prices?"),
        ("https://api.example.org/p?key=1&days=9", "https://api.example.org/p?key=1&"),
        ("https://api.example.org/p?vs_currency=eur&days=9&interval=5m&a", "https://api.example.org/p?a&"),
        ("http://127.0.0.1:8080/p", "http://127.0.0.1:8080/p?"), ("http://127.9.8.7/", "http://127.9.8.7/?"),
        ("http://localhost:1/", "http://localhost:1/?"), ("http://[::1]:80/p", "http://[::1]:80/p?"),
    ]

    @Test(arguments: endpoints) func aRequestAddsItsParametersToTheEndpoint(text: String, start: String) throws {
        let endpoint = try PriceEndpoint(text)
        #expect(endpoint.url(for: .usd) == start + Self.usual)
        #expect(endpoint.isPlainHTTP == text.hasPrefix("http:"))
    }

    static let refused: [String] = [
        "", "api.example.org", "ftp://127.0.0.1/", "file:///etc/passwd", "https://", "https:///p", "http:///p",
        "http://example.org/", "http://127.0.0.1.example.org/", "http://127.0.0.1@example.org/",
        "http://localhost.example.org/", "http://localhost@example.org/", "http://127.0.0.1:80@example.org/",
        "http://[::1].example.org/", "http://[::1]@example.org/", "http://[::2]/", "http://0.0.0.0/", "http://127.1/",
        "http://10.0.0.1/", "http://127.0.0.256/", "http://127.0.0.+1/", "http://127.0.0.1\\@example.org/",
        "http://127.0.0.1#@example.org/", "https://example.org/a b", "https://example.org/\n", "https://example.org/é",
        "https://example.org/#top", "http://128.0.0.1?127.0.0.1",
    ]

    @Test(arguments: refused) func anEndpointIsHTTPSOrOnThisMachine(text: String) {
        #expect(throws: PriceError.self) { try PriceEndpoint(text) }
    }
}
