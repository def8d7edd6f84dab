// SPDX-License-Identifier: MIT
import Curl
import Glibc
import Platform

/// What the cache means for one request: whether it has to wait, which validators it sends, and what is kept of its answer.
struct CachePolicy {
    private let cache: HTTPCache?
    private let kept: CacheEntry?
    private let url: String
    private let fingerprint: UInt64
    private let isGet: Bool
    /// The caller sends conditions of its own, so the cache adds none.
    private let hasOwnCondition: Bool

    init(_ request: HTTPRequest, url: String) {
        cache = request.cache
        kept = request.cache?.entry(for: url, sizeLimit: request.sizeLimit)
        self.url = url
        let bytes = request.headers.fields.map { "\($0.name):\($0.value)\n" }.joined().utf8
        fingerprint = StableHash(bytes).value
        if case .get = request.method { isGet = true } else { isGet = false }
        hasOwnCondition = request.headers["If-None-Match"] != nil || request.headers["If-Modified-Since"] != nil
    }

    /// How much is left of the time that the server asked to wait.
    var remainingWait: Duration? { kept?.remainingWait(at: RetryAfter.now) }

    /// The headers that ask the server whether the content has changed.
    func validators(for hop: Transfer.Hop) -> [HTTPHeaders.Field] {
        guard let cache, let kept, isGet, !hasOwnCondition, kept.fingerprint == fingerprint,
            kept.source.utf8.elementsEqual(hop.address.url.utf8), kept.body != nil || !cache.keepsBodies
        else { return [] }
        var fields: [HTTPHeaders.Field] = []
        if let etag = kept.etag { fields.append(.init(name: "If-None-Match", value: etag)) }
        if let date = kept.lastModified { fields.append(.init(name: "If-Modified-Since", value: date)) }
        return fields
    }

    /// Updates the cache by the last answer, and returns that answer as a response or throws it as an error.
    ///
    /// - Parameter hasSentValidators: whether the hop carried the validators of the cache.
    func response(to answer: Transfer.Answer, of hop: Transfer.Hop, hasSentValidators: Bool) throws(HTTPError)
        -> HTTPResponse
    {
        let now = RetryAfter.now
        let delay = answer.headers["Retry-After"].flatMap {
            RetryAfter.delay($0, serverDate: answer.headers["Date"], now: now)
        }
        let isUnchanged = answer.status == 304 && (hasSentValidators || hasOwnCondition)
        let response = HTTPResponse(
            status: answer.status, headers: answer.headers,
            body: isUnchanged && hasSentValidators ? kept?.body ?? [] : answer.body,
            url: hop.address.url, isUnchanged: isUnchanged, retryAfter: delay)
        var entry = kept ?? CacheEntry(url: url)
        switch answer.status {
        case 429, 503: entry.retryAt = delay.map { now + $0.wholeSeconds }
        case 200 where isGet && !hasOwnCondition:
            entry = CacheEntry(url: url)
            addValidators(of: response, to: &entry)
        default: entry.retryAt = nil
        }
        store(entry, isUsed: isUnchanged && hasSentValidators)
        guard (200..<300).contains(answer.status) || isUnchanged else { throw .status(response) }
        return response
    }

    /// Keeps the validators of a complete answer, unless the server forbids it (`no-store`).
    private func addValidators(of response: HTTPResponse, to entry: inout CacheEntry) {
        guard let cache, !Self.forbidsStoring(response.headers) else { return }
        guard !cache.keepsBodies || response.body.count <= HTTPCache.bodyLimit else { return }
        entry.etag = response.headers["ETag"].flatMap(Self.sendable)
        entry.lastModified = response.headers["Last-Modified"].flatMap(Self.sendable)
        guard entry.hasValidators else { return }
        entry.source = response.url
        entry.fingerprint = fingerprint
        if cache.keepsBodies { entry.body = response.body }
    }

    /// Writes an entry that has changed. One that was only used is marked as used, so that the cache removes others first.
    private func store(_ entry: CacheEntry, isUsed: Bool) {
        guard let cache else { return }
        if let kept, kept.hasSameBytes(as: entry) {
            if isUsed { cache.markUsed(entry) }
        } else if kept != nil || !entry.isEmpty {
            cache.store(entry)
        }
    }

    /// The validator, if it can be sent back as the value of a header.
    private static func sendable(_ validator: String) -> String? {
        !validator.isEmpty && validator.utf8.count <= 1024 && HTTPHeaders.isValue(validator) ? validator : nil
    }

    private static func forbidsStoring(_ headers: HTTPHeaders) -> Bool {
        headers.values(of: "Cache-Control").contains { value in
            value.utf8.split(separator: UInt8(ascii: ",")).contains { directive in
                directive.filter { $0 != 0x20 && $0 != 0x09 }.map(HTTPHeaders.lowercase).elementsEqual("no-store".utf8)
            }
        }
    }
}

/// How long a server asks not to be asked again: RFC 9110 section 10.2.3.
enum RetryAfter {
    /// A longer wait would silence a widget for good, so it counts as this one.
    static let longest: Duration = .seconds(86_400)

    /// Reads a number of seconds or a date; anything else is nil. A date counts from the server's `Date`, if it sends one,
    /// because its clock may differ from ours.
    static func delay(_ value: String, serverDate: String?, now: Int) -> Duration? {
        if !value.isEmpty, value.utf8.allSatisfy({ $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }) {
            return min(Int(value).map { .seconds($0) } ?? longest, longest)
        }
        guard let date = time(value) else { return nil }
        return min(max(.seconds(date - (serverDate.flatMap(time) ?? now)), .zero), longest)
    }

    /// All three date formats of HTTP begin with a weekday; curl_getdate(3) accepts many more formats.
    private static func time(_ text: String) -> Int? {
        guard let first = text.utf8.first, HTTPHeaders.lowercase(first) >= UInt8(ascii: "a"), text.utf8.count < 64
        else {
            return nil
        }
        return CurlDate.seconds(text).flatMap { $0 < 0 ? nil : $0 }
    }

    /// Seconds since 1970.
    static var now: Int { Glibc.time(nil) }
}
