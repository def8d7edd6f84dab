// SPDX-License-Identifier: MIT

/// What a server answered.
public struct HTTPResponse: Sendable {
    /// The status code, such as 200.
    public let status: Int
    /// The header fields of the last answer, after all redirects.
    public let headers: HTTPHeaders
    /// The content, decompressed.
    public let body: [UInt8]
    /// The URL that gave this answer. After a redirect it differs from the request's.
    public let url: String
    /// Whether the server said that the content has not changed (304). A widget answers `noData` to that. `body` is the
    /// content of last time if the request's cache keeps bodies, and empty otherwise.
    public let isUnchanged: Bool
    /// How long the server asks not to be asked again (`Retry-After`), at most a day.
    public let retryAfter: Duration?

    /// The status in words, such as `503 Service Unavailable`. The phrase is that of RFC 9110, because a server may send
    /// any text.
    public var statusLine: String {
        guard let phrase = StatusPhrase.table[status] else { return "\(status)" }
        return "\(status) \(phrase)"
    }

    /// The content as text. U+FFFD replaces bytes that are not UTF-8.
    public var text: String { String(decoding: body, as: UTF8.self) }
}

/// How far a transfer has come.
public struct HTTPProgress: Sendable {
    /// Bytes of the content so far, decompressed.
    public let received: Int
    /// The size of the whole content; nil if the server does not announce it, or compresses the content.
    public let expected: Int?

    /// From 0 to 1; nil if the size is unknown.
    public var fraction: Double? {
        guard let expected, expected > 0 else { return nil }
        return min(1, Double(received) / Double(expected))
    }
}

/// Reports progress at most ten times a second.
struct ProgressReporter {
    private static let interval: Duration = .milliseconds(100)

    private let onProgress: @Sendable (HTTPProgress) -> Void
    private var last: (time: ContinuousClock.Instant, received: Int)?
    private var expected: Int?

    init(_ onProgress: @escaping @Sendable (HTTPProgress) -> Void) { self.onProgress = onProgress }

    mutating func report(_ received: Int, of expected: Int?) {
        let now = ContinuousClock.now
        self.expected = expected
        if let last, now < last.time + Self.interval { return }
        last = (now, received)
        onProgress(HTTPProgress(received: received, expected: expected))
    }

    /// Reports the end of the content, unless the last report was of the same size.
    mutating func reportEnd(at received: Int) {
        guard last?.received != received else { return }
        last = (.now, received)
        onProgress(HTTPProgress(received: received, expected: expected))
    }
}

enum StatusPhrase {
    /// The registered codes that a client meets: RFC 9110 section 15, RFC 6585 and RFC 7725.
    static let table: [Int: String] = [
        200: "OK", 201: "Created", 202: "Accepted", 203: "Non-Authoritative Information", 204: "No Content",
        205: "Reset Content", 206: "Partial Content",
        300: "Multiple Choices", 301: "Moved Permanently", 302: "Found", 303: "See Other", 304: "Not Modified",
        305: "Use Proxy", 307: "Temporary Redirect", 308: "Permanent Redirect",
        400: "Bad Request", 401: "Unauthorized", 402: "Payment Required", 403: "Forbidden", 404: "Not Found",
        405: "Method Not Allowed", 406: "Not Acceptable", 407: "Proxy Authentication Required", 408: "Request Timeout",
        409: "Conflict", 410: "Gone", 411: "Length Required", 412: "Precondition Failed", 413: "Content Too Large",
        414: "URI Too Long", 415: "Unsupported Media Type", 416: "Range Not Satisfiable", 417: "Expectation Failed",
        421: "Misdirected Request", 422: "Unprocessable Content", 425: "Too Early", 426: "Upgrade Required",
        428: "Precondition Required", 429: "Too Many Requests", 431: "Request Header Fields Too Large",
        451: "Unavailable For Legal Reasons",
        500: "Internal Server Error", 501: "Not Implemented", 502: "Bad Gateway", 503: "Service Unavailable",
        504: "Gateway Timeout", 505: "HTTP Version Not Supported", 511: "Network Authentication Required",
    ]
}
