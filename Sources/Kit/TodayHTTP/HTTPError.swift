// SPDX-License-Identifier: MIT
import Spelling
import TodayKit

/// Why a request has no answer that a widget can show. `description` is the reason in words, for the log and the user.
///
/// An update that throws this error has failed. todayd does not repeat it before `retryAfter` is over.
public enum HTTPError: WidgetRetrying, Sendable {
    /// The request itself is wrong; nothing was sent.
    case invalidRequest(String)
    /// The URL has the scheme `http:`, which the request does not allow; nothing was sent.
    case plainHTTP(url: String)
    /// An earlier answer asked to wait (429 or 503 with `Retry-After`), and this much of the time is left; nothing was sent.
    case waiting(Duration)
    /// The task was cancelled.
    case cancelled
    /// The time was over after so many bytes of content; nil before the answer began.
    case timedOut(after: Duration, received: Int?)
    /// The name of the host does not exist, or no name server answered.
    case unknownHost(String)
    /// No server accepts connections there.
    case cannotConnect(to: String, reason: String)
    /// The certificate cannot be trusted, or TLS failed.
    case notSecure(host: String, reason: String)
    /// The server redirects to a URL that the request does not allow.
    case redirect(to: String, reason: String)
    /// The server redirects more often than the request allows.
    case tooManyRedirects(limit: Int)
    /// The answer has more content than the request allows, counted after decompression.
    case tooLarge(limit: Int)
    /// The server answered with another status than success.
    case status(HTTPResponse)
    /// The answer is incomplete or is not HTTP.
    case badAnswer(String)
    /// Anything else.
    case failed(String)

    /// How long to wait before the next request, if the server said so. For `waiting` it is the rest of that time.
    public var retryAfter: Duration? {
        switch self {
        case .waiting(let duration): duration
        case .status(let response): response.retryAfter
        default: nil
        }
    }
}

extension HTTPError: CustomStringConvertible {
    /// What failed and, where the author can mend it, how.
    public var description: String {
        switch self {
        case .invalidRequest(let problem): problem
        case .plainHTTP(let url): "http:// is not allowed unless asked for (allowsPlainHTTP): \(url)"
        case .waiting(let duration):
            "the server asked to wait, and \(duration.wholeSeconds) s of that are left; nothing was sent"
        case .cancelled: "the request was cancelled"
        case .timedOut(let limit, nil): "no answer within \(ErrorText.time(limit))"
        case .timedOut(let limit, let received?):
            "the answer was not complete within \(ErrorText.time(limit)), after \(ErrorText.size(received))"
        case .unknownHost(let host): "could not resolve host '\(host)'"
        case .cannotConnect(let place, let reason): "could not connect to \(place): \(reason)"
        case .notSecure(let host, let reason): "no secure connection to '\(host)': \(reason)"
        case .redirect(let url, let reason): "the server redirects to \(url), but \(reason)"
        case .tooManyRedirects(0): "the server redirects, and the request allows no redirect"
        case .tooManyRedirects(let limit): "more than \(limit) redirects"
        case .tooLarge(let limit):
            "the answer has more than \(ErrorText.size(limit)), the limit of the request (sizeLimit)"
        case .status(let response):
            "the server answered \(response.statusLine)"
                + (response.retryAfter.map { "; retry after \($0.wholeSeconds) s" } ?? "")
        case .badAnswer(let problem): problem
        case .failed(let problem): problem
        }
    }
}

/// Sizes, times, and text from elsewhere, as the messages of this module print them.
enum ErrorText {
    /// `1 MiB`, `64 KiB`, `1500 bytes`. Exact, because readers compare it with a limit.
    static func size(_ bytes: Int) -> String {
        if bytes >= 1 << 20, bytes % (1 << 20) == 0 { return "\(bytes >> 20) MiB" }
        if bytes >= 1 << 10, bytes % (1 << 10) == 0 { return "\(bytes >> 10) KiB" }
        return bytes.counted("byte")
    }

    /// `10 s`, `300 ms`, `1.5 s`.
    static func time(_ duration: Duration) -> String {
        let milliseconds = duration.milliseconds
        guard milliseconds >= 1000 else { return "\(milliseconds) ms" }
        var fraction = String(1000 + milliseconds % 1000).dropFirst()
        while fraction.last == "0" { fraction.removeLast() }
        return "\(milliseconds / 1000)\(fraction.isEmpty ? "" : ".\(fraction)") s"
    }

    /// A URL without its query, its user name and its password, which may be secrets. At most 120 bytes, because a server
    /// may have chosen it. This counts bytes: one character of hostile text may have any length.
    static func url(_ text: String) -> String {
        let bytes = Array(text.utf8)
        let end = bytes.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? bytes.count
        let host = bytes[..<end].indices.first { bytes[..<$0].suffix(3).elementsEqual("://".utf8) } ?? 0
        let path = bytes[host..<end].firstIndex(of: UInt8(ascii: "/")) ?? end
        guard let at = bytes[host..<path].lastIndex(of: UInt8(ascii: "@")) else {
            return printable(bytes[..<end], limit: 120)
        }
        return printable(bytes[..<host] + bytes[(at + 1)..<end], limit: 120)
    }

    /// Visible ASCII; a single space replaces each run of other bytes.
    static func printable(_ bytes: some Collection<UInt8>, limit: Int) -> String {
        var kept: [UInt8] = []
        for byte in bytes {
            guard kept.count < limit else { return String(decoding: kept, as: UTF8.self) + "…" }
            let isVisible = byte > 0x20 && byte < 0x7f
            if isVisible || kept.last != 0x20 { kept.append(isVisible ? byte : 0x20) }
        }
        return String(decoding: kept, as: UTF8.self)
    }
}

extension Duration {
    /// Rounded up, so that a wait does not end early; at most 1,000,000,000, which fits the `int` of poll(2).
    var milliseconds: Int {
        let (seconds, attoseconds) = components
        guard seconds < 1_000_000 else { return 1_000_000_000 }
        guard seconds > -1_000_000 else { return -1_000_000_000 }
        return Int(seconds) * 1000
            + Int((attoseconds + (attoseconds > 0 ? 999_999_999_999_999 : 0)) / 1_000_000_000_000_000)
    }

    /// Rounded up.
    var wholeSeconds: Int { Int(components.seconds) + (components.attoseconds > 0 ? 1 : 0) }
}
