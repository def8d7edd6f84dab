// SPDX-License-Identifier: MIT

/// What has come of an answer, line by line and piece by piece, within its limits.
struct Reception {
    /// Enough for any honest server; libcurl's own limit is another in every version.
    static let headerLimit = 64 << 10

    let sizeLimit: Int
    private(set) var headers = HTTPHeaders()
    private(set) var body: [UInt8] = []
    /// Whether anything that looks like an answer has come.
    private(set) var hasBegun = false
    /// Whether a block of headers is complete, so that content may follow.
    var hasHeaders: Bool { hasBegun && isBetweenBlocks }
    /// Why no more is taken.
    private(set) var failure: HTTPError?

    private var headerBytes = 0
    private var isBetweenBlocks = true

    init(sizeLimit: Int) { self.sizeLimit = sizeLimit }

    /// A line of a header with its end, as CURLOPT_HEADERFUNCTION gives it. There may be several blocks, each ended by an
    /// empty line: interim answers (1xx), then the answer; after the body there may be trailers, which are not kept.
    /// False when no more is wanted.
    mutating func take(line: some BidirectionalCollection<UInt8>) -> Bool {
        headerBytes += line.count
        guard headerBytes <= Self.headerLimit else {
            failure = .badAnswer("the headers of the answer have more than \(Words.size(Self.headerLimit))")
            return false
        }
        guard body.isEmpty else { return true }
        let isFolded = line.first.map(Self.isSpace) == true
        let line = Self.trimmed(line)
        if isBetweenBlocks {
            guard line.starts(with: "HTTP/".utf8) else { return true }
            headers = HTTPHeaders()
            hasBegun = true
            isBetweenBlocks = false
        } else if line.isEmpty {
            isBetweenBlocks = true
        } else if !isFolded, let colon = line.firstIndex(of: UInt8(ascii: ":")) {
            // A continued line (isFolded) is obsolete since RFC 7230 and nothing that this module reads has one.
            headers.append(
                String(decoding: line[..<colon], as: UTF8.self),
                String(decoding: Self.trimmed(line[line.index(after: colon)...]), as: UTF8.self))
        }
        return true
    }

    /// A piece of the body. `expected` is how much there will be at all, if the server has said so: what is known to be too
    /// much is not waited for. False when no more is wanted.
    mutating func take(body bytes: some Collection<UInt8>, expected: Int?) -> Bool {
        guard bytes.count <= sizeLimit - body.count, expected ?? 0 <= sizeLimit else {
            failure = .tooLarge(limit: sizeLimit)
            return false
        }
        body += bytes
        return true
    }

    private static func trimmed<Bytes: BidirectionalCollection<UInt8>>(_ bytes: Bytes) -> Bytes.SubSequence {
        let start = bytes.firstIndex { !isSpace($0) } ?? bytes.endIndex
        let end = bytes.lastIndex { !isSpace($0) }.map { bytes.index(after: $0) } ?? start
        return bytes[start..<end]
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0d || byte == 0x0a }
}
