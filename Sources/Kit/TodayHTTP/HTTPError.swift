// SPDX-License-Identifier: MIT
import TodayKit

/// Why there is no answer that a widget could show. `description` says it in words, for the log and the user.
///
/// An update that throws one has failed, and is not repeated before `retryAfter` is over.
public enum HTTPError: WidgetRetrying, Sendable {
    /// The request itself is wrong; nothing was sent.
    case invalidRequest(String)
    /// The URL is an `http:` one and the request does not allow that; nothing was sent.
    case plainHTTP(url: String)
    /// An earlier answer asked to wait (429 or 503 with `Retry-After`) and the time is not over; nothing was sent.
    case waiting(Duration)
    /// The task was cancelled.
    case cancelled
    /// The time is up, after so many bytes of content; nil before the answer began.
    case timedOut(after: Duration, received: Int?)
    /// There is no such host, or no name server to ask.
    case unknownHost(String)
    /// No server accepts connections there.
    case cannotConnect(to: String, reason: String)
    /// No secure connection: the certificate is not one to trust, or TLS failed.
    case notSecure(host: String, reason: String)
    /// The server sends elsewhere, where the request does not allow to go.
    case redirect(to: String, reason: String)
    /// More redirects than the request allows.
    case tooManyRedirects(limit: Int)
    /// More content than the request allows, counted after decompression.
    case tooLarge(limit: Int)
    /// The server answered with another status than success.
    case status(HTTPResponse)
    /// The answer broke off or is not HTTP.
    case badAnswer(String)
    /// Anything else.
    case failed(String)

    /// How long not to ask again, where the server said so: what is left of it, where nothing was sent for that reason.
    public var retryAfter: Duration? {
        switch self {
        case .waiting(let duration): duration
        case .status(let response): response.retryAfter
        default: nil
        }
    }
}

extension HTTPError: CustomStringConvertible {
    /// What failed and, where that is in the caller's hands, what to do.
    public var description: String {
        switch self {
        case .invalidRequest(let problem): problem
        case .plainHTTP(let url): "http:// is not allowed unless asked for (allowsPlainHTTP): \(url)"
        case .waiting(let duration):
            "the server asked to wait, and \(duration.wholeSeconds) s of that are left; nothing was sent"
        case .cancelled: "the request was cancelled"
        case .timedOut(let limit, nil): "no answer within \(Words.time(limit))"
        case .timedOut(let limit, let received?):
            "the answer was not complete within \(Words.time(limit)), after \(Words.size(received))"
        case .unknownHost(let host): "could not resolve host '\(host)'"
        case .cannotConnect(let place, let reason): "could not connect to \(place): \(reason)"
        case .notSecure(let host, let reason): "no secure connection to '\(host)': \(reason)"
        case .redirect(let url, let reason): "the server redirects to \(url), but \(reason)"
        case .tooManyRedirects(0): "the server redirects, and the request allows no redirect"
        case .tooManyRedirects(let limit): "more than \(limit) redirects"
        case .tooLarge(let limit): "the answer has more than \(Words.size(limit)), the limit of the request (sizeLimit)"
        case .status(let response):
            "the server answered \(response.statusLine)"
                + (response.retryAfter.map { "; retry after \($0.wholeSeconds) s" } ?? "")
        case .badAnswer(let problem): problem
        case .failed(let problem): problem
        }
    }
}
