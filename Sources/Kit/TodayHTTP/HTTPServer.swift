// SPDX-License-Identifier: MIT
import Platform
import Spelling

/// A server that a widget asks.
///
///     let server = HTTPServer("https://api.open-meteo.com", insteadBy: "WEATHER_SERVER")
public struct HTTPServer: Sendable {
    let url: String
    /// Whether the environment names it, as tests do, on this machine.
    let isReplaced: Bool

    /// Makes a server.
    ///
    /// - Parameters:
    ///   - url: its URL without a path.
    ///   - variable: a variable of the environment that names another server, for tests. It may be `http://127.0.0.1:PORT`.
    public init(_ url: String, insteadBy variable: String) {
        let other = EnvironmentVariables.process[variable]
        self.url = other ?? url
        isReplaced = other != nil
    }

    /// A request for a URL that the user has set, or for its path on the server that the environment names. A URL that the user
    /// has written with `http:`, as that of a server in their own network, is asked without TLS.
    public static func request(for url: String, insteadBy variable: String) -> HTTPRequest {
        let parts = url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        var request = HTTPServer(parts.prefix(3).joined(separator: "/"), insteadBy: variable)
            .request(parts.count > 3 ? "/\(parts[3])" : parts.count == 3 ? "/" : "")
        if parts[0].lowercased() == "http:" { request.allowsPlainHTTP = true }
        return request
    }

    /// A request with a query. It uses the widget's cache with content, so that a 304 answer has its content.
    public func request(_ path: String, _ query: KeyValuePairs<String, String> = [:]) -> HTTPRequest {
        let pairs = query.map { "\(Self.encoded($0.key))=\(Self.encoded($0.value))" }
        var request = HTTPRequest(url + path + (pairs.isEmpty ? "" : "?") + pairs.joined(separator: "&"))
        request.cache = .ofWidgetWithBodies
        if isReplaced, url.hasPrefix("http://127.0.0.1:") {
            request.allowsPlainHTTP = true
            request.redirectLimit = 0
        }
        return request
    }

    /// Encodes a part of a query or a path: all bytes except the unreserved characters of RFC 3986.
    public static func encoded(_ text: String) -> String { text.percentEncoded }
}
