// SPDX-License-Identifier: MIT
import Curl

/// A request that has been checked, and how it is performed: it sends the validators of the cache, follows redirects, and
/// updates the cache by the last answer.
struct Exchange: Sendable {
    /// The headers that follow a redirect to another host, port or scheme. Any other may carry a secret.
    private static let harmlessHeaders = ["Accept", "Accept-Language", "User-Agent"]

    let request: HTTPRequest
    private let address: WebAddress

    var timeout: Duration { request.timeout }

    /// - Throws: `HTTPError.invalidRequest` or `HTTPError.plainHTTP`; nothing is sent.
    init(_ request: HTTPRequest) throws(HTTPError) {
        do {
            address = try WebAddress(request.url)
        } catch {
            throw .invalidRequest(error.reason)
        }
        guard request.allowsPlainHTTP || !address.isPlain else { throw .plainHTTP(url: ErrorText.url(address.url)) }
        if let problem = request.headers.problem { throw .invalidRequest(problem) }
        if case .post(_, let contentType) = request.method {
            guard HTTPHeaders.isValue(contentType), !contentType.isEmpty else {
                throw .invalidRequest("the content type is empty or contains a control character")
            }
            guard request.headers["Content-Type"] == nil else {
                throw .invalidRequest("the header 'Content-Type' cannot be given: it follows from the request")
            }
        }
        guard request.timeout > .zero else { throw .invalidRequest("the timeout is not positive") }
        guard request.sizeLimit >= 0 else { throw .invalidRequest("the size limit is negative") }
        guard request.redirectLimit >= 0 else { throw .invalidRequest("the redirect limit is negative") }
        self.request = request
    }

    /// Blocks until the answer is complete.
    func perform(on transfer: Transfer) throws(HTTPError) -> HTTPResponse {
        let policy = CachePolicy(request, url: address.url)
        if let wait = policy.remainingWait { throw .waiting(wait) }
        var hop = Transfer.Hop(
            address: address, method: request.method, headers: request.headers,
            allowsPlainHTTP: request.allowsPlainHTTP, trustedCertificates: request.trustedCertificates,
            sizeLimit: request.sizeLimit, onProgress: request.onProgress)
        for _ in 0...request.redirectLimit {
            hop.headers = request.headers
            if !hop.address.hasOrigin(of: address) { hop.headers.keepOnly(Self.harmlessHeaders) }
            let validators = policy.validators(for: hop)
            for field in validators { hop.headers.append(field.name, field.value) }
            let answer = try transfer.perform(hop)
            guard let target = answer.redirect, [301, 302, 303, 307, 308].contains(answer.status) else {
                return try policy.response(to: answer, of: hop, hasSentValidators: !validators.isEmpty)
            }
            hop.address = try redirectTarget(target)
            // Browsers turn a POST into a GET here: RFC 9110 section 15.4.
            if answer.status < 307 { hop.method = .get }
        }
        throw .tooManyRedirects(limit: request.redirectLimit)
    }

    private func redirectTarget(_ url: String) throws(HTTPError) -> WebAddress {
        let target: WebAddress
        do {
            target = try WebAddress(url)
        } catch {
            throw .redirect(to: ErrorText.url(url), reason: error.reason)
        }
        guard request.allowsPlainHTTP || !target.isPlain else {
            throw .redirect(
                to: ErrorText.url(target.url), reason: "http:// is not allowed unless asked for (allowsPlainHTTP)")
        }
        return target
    }
}

/// An http or https URL, parsed by libcurl.
struct WebAddress: Sendable {
    /// Why a text is not such a URL, as the end of a sentence that begins with "…, but".
    struct InvalidURL: Error {
        let reason: String
    }

    /// As libcurl writes it, without the fragment, which is never sent.
    let url: String
    let host: String
    let port: String
    /// Whether the scheme is http, without TLS.
    let isPlain: Bool

    init(_ text: String) throws(InvalidURL) {
        let shown = ErrorText.url(text)
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7f }) else {
            throw InvalidURL(reason: "the URL contains a space or a control character: \(shown)")
        }
        let parsed: CurlURL
        do {
            parsed = try CurlURL(text)
        } catch {
            switch error {
            case .hasUser:
                throw InvalidURL(
                    reason: "user names and passwords are not allowed in URLs; use an Authorization header")
            case .outOfMemory: throw InvalidURL(reason: "out of memory")
            case .notURL: throw InvalidURL(reason: "'\(shown)' is not a URL such as https://example.org/")
            }
        }
        guard HTTPHeaders.isSame(parsed.scheme, "http") || HTTPHeaders.isSame(parsed.scheme, "https") else {
            let name = ErrorText.printable(parsed.scheme.utf8, limit: 20)
            throw InvalidURL(reason: "only https and http are supported, not '\(name)'")
        }
        (url, host, port) = (parsed.text, parsed.host, parsed.port)
        isPlain = !HTTPHeaders.isSame(parsed.scheme, "https")
    }

    /// Whether scheme, host and port are the same: a header for one URL may then go to the other.
    func hasOrigin(of other: WebAddress) -> Bool {
        isPlain == other.isPlain && HTTPHeaders.isSame(host, other.host) && HTTPHeaders.isSame(port, other.port)
    }

    /// `host:port`, for messages.
    var place: String { "\(ErrorText.printable(host.utf8, limit: 80)):\(port)" }
}
