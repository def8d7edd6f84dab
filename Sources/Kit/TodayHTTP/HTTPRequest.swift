// SPDX-License-Identifier: MIT

/// One GET or POST, limited in time and size.
///
///     var request = HTTPRequest("https://api.example.org/price")
///     request.cache = .ofWidget
///     let response = try await request.send()
///     if response.isUnchanged { return .noData }
///
/// The request uses https, unless `allowsPlainHTTP` is set. It checks certificates, and it asks for compressed answers and
/// decompresses them.
///
/// The request uses a proxy from the environment, as curl(1) does: `http_proxy` (in small letters only), `https_proxy`,
/// `all_proxy` and `no_proxy`. todayd passes these to its widgets.
public struct HTTPRequest: Sendable {
    /// What the server is asked to do.
    public enum Method: Sendable {
        /// Send the resource.
        case get
        /// Take this content, of a type such as `application/json`.
        case post([UInt8], contentType: String)
    }

    /// The URL, without user name and password: those belong into an `Authorization` header.
    public var url: String
    /// Defaults to GET.
    public var method: Method = .get
    /// More header fields. After a redirect to another host, port or scheme the request sends only `Accept`,
    /// `Accept-Language` and `User-Agent`, because any other field may be a secret for the first server. It sends the
    /// content of a POST again if the server asks for that (307, 308).
    public var headers = HTTPHeaders()
    /// The time for all of it: name lookup, connection, redirects and content.
    public var timeout: Duration = .seconds(10)
    /// How many bytes of content the answer may have, counted after decompression.
    public var sizeLimit = 1 << 20
    /// How many redirects the request follows.
    public var redirectLimit = 5
    /// Whether `url` and redirects may have the scheme `http:`.
    public var allowsPlainHTTP = false
    /// Where validators (`ETag`, `Last-Modified`) and the time to wait (`Retry-After`) are kept between runs. Without a
    /// cache every answer is complete.
    public var cache: HTTPCache?
    /// A file of certificates (PEM) to trust instead of the system's, for a server with its own authority.
    public var trustedCertificates: String?
    /// Called while content arrives, at most ten times a second, and once at its end. The thread of the transfer calls it,
    /// and waits until it returns.
    public var onProgress: (@Sendable (HTTPProgress) -> Void)?

    /// Makes a GET of `url` with limits for a small answer: ten seconds, 1 MiB, five redirects.
    public init(_ url: String) { self.url = url }

    /// Sends the request and waits for the answer: a success (2xx), or 304 if the content has not changed. It throws
    /// anything else. Cancelling the task ends the transfer at once and throws `HTTPError.cancelled`.
    public func send() async throws(HTTPError) -> HTTPResponse {
        let exchange = try Exchange(self)
        return try await TransferThread.run(exchange).get()
    }
}
