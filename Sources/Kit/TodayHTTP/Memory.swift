// SPDX-License-Identifier: MIT

/// What is kept of the request's URL, in one exchange: which validators to send, and what an answer means for the next.
struct Memory {
    private let cache: HTTPCache?
    private let kept: CacheEntry?
    private let url: String
    private let fingerprint: UInt64
    private let isGet: Bool
    /// The caller asks under conditions of its own; ours stay out of the way.
    private let hasOwnCondition: Bool

    init(_ request: HTTPRequest, url: String) {
        cache = request.cache
        kept = request.cache?.entry(for: url, sizeLimit: request.sizeLimit)
        self.url = url
        let bytes = request.headers.fields.map { "\($0.name):\($0.value)\n" }.joined().utf8
        fingerprint = CacheEntry.hash(bytes)
        if case .get = request.method { isGet = true } else { isGet = false }
        hasOwnCondition = request.headers["If-None-Match"] != nil || request.headers["If-Modified-Since"] != nil
    }

    /// What is left of the time that the server asked to wait.
    var remainingWait: Duration? { kept?.remaining(at: RetryAfter.now) }

    /// The headers that ask whether the content is still that of last time.
    func validators(for hop: Transfer.Hop) -> [HTTPHeaders.Field] {
        guard let cache, let kept, isGet, !hasOwnCondition, kept.fingerprint == fingerprint,
            kept.source.utf8.elementsEqual(hop.address.url.utf8), kept.body != nil || !cache.keepsBodies
        else { return [] }
        var fields: [HTTPHeaders.Field] = []
        if let etag = kept.etag { fields.append(.init(name: "If-None-Match", value: etag)) }
        if let date = kept.lastModified { fields.append(.init(name: "If-Modified-Since", value: date)) }
        return fields
    }

    /// The last answer as a response or an error, after keeping what is to be kept of it.
    func judge(_ answer: Transfer.Answer, of hop: Transfer.Hop, areValidatorsKept: Bool) throws(HTTPError)
        -> HTTPResponse
    {
        let now = RetryAfter.now
        let delay = answer.headers["Retry-After"].flatMap {
            RetryAfter.delay($0, serverDate: answer.headers["Date"], now: now)
        }
        let isUnchanged = answer.status == 304 && (areValidatorsKept || hasOwnCondition)
        let response = HTTPResponse(
            status: answer.status, headers: answer.headers,
            body: isUnchanged && areValidatorsKept ? kept?.body ?? [] : answer.body,
            url: hop.address.url, isUnchanged: isUnchanged, retryAfter: delay)
        var entry = kept ?? CacheEntry(url: url)
        switch answer.status {
        case 429, 503: entry.retryAt = delay.map { now + $0.wholeSeconds }
        case 200 where isGet && !hasOwnCondition:
            entry = CacheEntry(url: url)
            remember(response, in: &entry)
        default: entry.retryAt = nil
        }
        keep(entry, isUsed: isUnchanged && areValidatorsKept)
        guard (200..<300).contains(answer.status) || isUnchanged else { throw .status(response) }
        return response
    }

    /// The validators of a complete answer, unless it says that nothing of it is to be kept.
    private func remember(_ response: HTTPResponse, in entry: inout CacheEntry) {
        guard let cache, !Self.forbidsKeeping(response.headers) else { return }
        guard !cache.keepsBodies || response.body.count <= HTTPCache.bodyLimit else { return }
        entry.etag = response.headers["ETag"].flatMap(Self.usable)
        entry.lastModified = response.headers["Last-Modified"].flatMap(Self.usable)
        guard entry.hasValidators else { return }
        entry.source = response.url
        entry.fingerprint = fingerprint
        if cache.keepsBodies { entry.body = response.body }
    }

    /// Only what is new is written; what was merely useful again is marked, so that it is not the next to go.
    private func keep(_ entry: CacheEntry, isUsed: Bool) {
        guard let cache else { return }
        if let kept, kept.saysTheSame(as: entry) {
            if isUsed { cache.touch(entry) }
        } else if kept != nil || !entry.isEmpty {
            cache.store(entry)
        }
    }

    /// What can be sent back to the server as it came.
    private static func usable(_ validator: String) -> String? {
        !validator.isEmpty && validator.utf8.count <= 1024 && HTTPHeaders.isValue(validator) ? validator : nil
    }

    private static func forbidsKeeping(_ headers: HTTPHeaders) -> Bool {
        headers.values(of: "Cache-Control").contains { value in
            value.utf8.split(separator: UInt8(ascii: ",")).contains { directive in
                directive.filter { $0 != 0x20 && $0 != 0x09 }.map(HTTPHeaders.lowercase).elementsEqual("no-store".utf8)
            }
        }
    }
}
