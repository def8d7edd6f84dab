// SPDX-License-Identifier: MIT

/// A request that has been looked at, and how it is performed: what is kept goes along, redirects are followed, and what
/// came is judged and kept.
struct Exchange: Sendable {
    /// What may go along to another host, port or scheme: nothing of it tells a secret.
    private static let harmless = ["Accept", "Accept-Language", "User-Agent"]

    let request: HTTPRequest
    private let address: WebAddress

    var timeout: Duration { request.timeout }

    init(_ request: HTTPRequest) throws(HTTPError) {
        do {
            address = try WebAddress(request.url)
        } catch {
            throw .invalidRequest(error.words)
        }
        guard request.allowsPlainHTTP || !address.isPlain else { throw .plainHTTP(url: Words.url(address.url)) }
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

    /// On a thread that may wait.
    func perform(on transfer: Transfer) throws(HTTPError) -> HTTPResponse {
        let memory = Memory(request, url: address.url)
        if let wait = memory.remainingWait { throw .waiting(wait) }
        var hop = Transfer.Hop(
            address: address, method: request.method, headers: request.headers,
            allowsPlainHTTP: request.allowsPlainHTTP, trustedCertificates: request.trustedCertificates,
            sizeLimit: request.sizeLimit, onProgress: request.onProgress)
        for _ in 0...request.redirectLimit {
            hop.headers = request.headers
            if !hop.address.hasOrigin(of: address) { hop.headers.keepOnly(Self.harmless) }
            let validators = memory.validators(for: hop)
            for field in validators { hop.headers.append(field.name, field.value) }
            let answer = try transfer.perform(hop)
            guard let target = answer.redirect, [301, 302, 303, 307, 308].contains(answer.status) else {
                return try memory.judge(answer, of: hop, areValidatorsKept: !validators.isEmpty)
            }
            hop.address = try follow(target, from: hop.address)
            // A POST becomes a GET as in every browser: RFC 9110 section 15.4.
            if answer.status < 307 { hop.method = .get }
        }
        throw .tooManyRedirects(limit: request.redirectLimit)
    }

    /// Where a redirect may lead.
    private func follow(_ target: String, from source: WebAddress) throws(HTTPError) -> WebAddress {
        let next: WebAddress
        do {
            next = try WebAddress(target)
        } catch {
            throw .redirect(to: Words.url(target), reason: error.words)
        }
        guard request.allowsPlainHTTP || !next.isPlain else {
            throw .redirect(
                to: Words.url(next.url), reason: "http:// is not allowed unless asked for (allowsPlainHTTP)")
        }
        return next
    }
}
