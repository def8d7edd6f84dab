// SPDX-License-Identifier: MIT

/// One GET or POST, bounded in time and size.
///
///     var request = HTTPRequest("https://api.example.org/price")
///     request.cache = .ofWidget
///     let response = try await request.send()
///     if response.isUnchanged { return .noData }
///
/// Only https, unless `allowsPlainHTTP`. Certificates are checked, compressed answers are asked for and decompressed.
///
/// A proxy is taken from the environment as curl(1) does: `http_proxy` (in small letters only), `https_proxy`,
/// `all_proxy` and `no_proxy`. todayd passes these on to its widgets.
public struct HTTPRequest: Sendable {
    /// What to do with the resource.
    public enum Method: Sendable {
        /// Ask for it.
        case get
        /// Send it content of a type such as `application/json`.
        case post([UInt8], contentType: String)
    }

    /// Where to ask. Without user name and password: those belong into an `Authorization` header.
    public var url: String
    /// GET unless set.
    public var method: Method = .get
    /// Further header fields. On a redirect to another host, port or scheme only `Accept`, `Accept-Language` and
    /// `User-Agent` go along: any other may be a secret for the first. The content of a POST goes along when the server
    /// asks for that (307, 308).
    public var headers = HTTPHeaders()
    /// For all of it: names, connection, redirects and content.
    public var timeout: Duration = .seconds(10)
    /// How many bytes of content are taken, counted after decompression.
    public var sizeLimit = 1 << 20
    /// How many redirects are followed.
    public var redirectLimit = 5
    /// Whether `http:` is allowed, both in `url` and in redirects.
    public var allowsPlainHTTP = false
    /// Where validators (`ETag`, `Last-Modified`) and the server's wish to wait (`Retry-After`) are kept between runs.
    /// Without one every answer is complete and nothing is remembered.
    public var cache: HTTPCache?
    /// A file of certificates (PEM) to trust in place of the system's, as for a server with its own authority.
    public var trustedCertificates: String?
    /// Called while content arrives, at most ten times a second, and once at its end. From a thread of the transfer,
    /// which waits meanwhile.
    public var onProgress: (@Sendable (HTTPProgress) -> Void)?

    /// A GET of `url`, with the limits that a small answer needs: ten seconds, 1 MiB, five redirects.
    public init(_ url: String) { self.url = url }

    /// Sends the request and waits for the answer: a success (2xx), or 304 when the content is that of last time. Anything
    /// else is thrown. Cancelling the task ends the transfer at once, which throws `HTTPError.cancelled`.
    public func send() async throws(HTTPError) -> HTTPResponse {
        let exchange = try Exchange(self)
        return try await TransferThread.run(exchange).get()
    }
}
