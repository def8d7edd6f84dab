// SPDX-License-Identifier: MIT
import Platform
import Spelling

/// What the cache keeps of a URL between requests.
///
/// In a file it is a line with a checksum of all that follows, one line for each value, an empty line, and the content if
/// it is kept.
struct CacheEntry {
    /// The URL of the request.
    let url: String
    /// The URL that answered, another one after a redirect. Only this URL gets the validators.
    var source = ""
    var etag: String?
    var lastModified: String?
    /// A hash of the request's headers: with other headers, the same URL may have other content.
    var fingerprint: UInt64 = 0
    /// When the URL may be asked again, in seconds since 1970.
    var retryAt: Int?
    var body: [UInt8]?

    init(url: String) { self.url = url }

    var hasValidators: Bool { etag != nil || lastModified != nil }
    var isEmpty: Bool { !hasValidators && retryAt == nil }

    /// Compares bytes. Comparing strings would first normalize the characters, which a server may have made of any length.
    func hasSameBytes(as other: CacheEntry) -> Bool { encoded() == other.encoded() }

    mutating func removeValidators() {
        (source, etag, lastModified, body) = ("", nil, nil, nil)
    }

    /// How long to wait from `now` on. The cache never stores more than `RetryAfter.longest`, so a longer time means that the
    /// clock was set back, and counts as none.
    func remainingWait(at now: Int) -> Duration? {
        guard let retryAt, retryAt > now else { return nil }
        let remaining = Duration.seconds(retryAt - now)
        return remaining <= RetryAfter.longest ? remaining : nil
    }
}

// MARK: - In a file

extension CacheEntry {
    /// The word before the checksum, which detects damage. It does not detect a process that may write the files and does
    /// so on purpose.
    private static let kind = "todayhttp 1 "

    static func hexadecimal(_ value: UInt64) -> String { value.digits(16, radix: 16) }

    func encoded() -> [UInt8] {
        var text = "url \(url)\nsource \(source)\nrequest \(Self.hexadecimal(fingerprint))\n"
        if let etag { text += "etag \(etag)\n" }
        if let lastModified { text += "last-modified \(lastModified)\n" }
        if let retryAt { text += "retry-at \(retryAt)\n" }
        if body != nil { text += "body kept\n" }
        let rest = Array("\(text)\n".utf8) + (body ?? [])
        return Array("\(Self.kind)\(Self.hexadecimal(StableHash(rest).value))\n".utf8) + rest
    }

    /// Nil if the bytes are damaged or of another kind.
    init?(decoding bytes: [UInt8]) {
        let start = Self.kind.utf8.count + 17
        guard bytes.count > start, bytes.starts(with: Self.kind.utf8), bytes[start - 1] == UInt8(ascii: "\n"),
            bytes[Self.kind.utf8.count..<(start - 1)].elementsEqual(
                Self.hexadecimal(StableHash(bytes[start...]).value).utf8)
        else { return nil }
        var rest = bytes[start...]
        var values: [String: String] = [:]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            let line = rest[..<end]
            rest = rest[(end + 1)...]
            if line.isEmpty { break }
            guard let space = line.firstIndex(of: UInt8(ascii: " ")) else { return nil }
            values[String(decoding: line[..<space], as: UTF8.self)] =
                String(decoding: line[(space + 1)...], as: UTF8.self)
        }
        guard let url = values["url"], let source = values["source"],
            let fingerprint = values["request"].flatMap({ UInt64($0, radix: 16) })
        else { return nil }
        self.url = url
        self.source = source
        self.fingerprint = fingerprint
        etag = values["etag"]
        lastModified = values["last-modified"]
        retryAt = values["retry-at"].flatMap { Int($0) }
        if values["body"] != nil { body = Array(rest) }
    }
}
