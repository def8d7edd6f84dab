// SPDX-License-Identifier: MIT

/// Collects an answer line by line and piece by piece, and stops at its limits.
struct AnswerReader {
    /// libcurl has a limit of its own, which differs between its versions.
    static let headerLimit = 64 << 10

    let sizeLimit: Int
    private(set) var headers = HTTPHeaders()
    private(set) var body: [UInt8] = []
    /// Whether the first line of an answer has arrived.
    private(set) var hasBegun = false
    /// Whether a block of headers is complete, so that content may follow.
    var hasHeaders: Bool { hasBegun && isBetweenBlocks }
    /// How many bytes of content have arrived; nil before the answer began.
    var receivedBytes: Int? { hasBegun ? body.count : nil }
    /// Why the reader has stopped.
    private(set) var failure: HTTPError?

    private var headerBytes = 0
    private var isBetweenBlocks = true

    init(sizeLimit: Int) { self.sizeLimit = sizeLimit }

    /// Reads one header line with its line end, as CURLOPT_HEADERFUNCTION(3) passes it. An answer may have several blocks
    /// of headers, each ended by an empty line: interim answers (1xx), then the answer itself. Trailers come after the body
    /// and are ignored.
    ///
    /// - Returns: false to end the transfer.
    mutating func append(line: some BidirectionalCollection<UInt8>) -> Bool {
        headerBytes += line.count
        guard headerBytes <= Self.headerLimit else {
            failure = .badAnswer("the headers of the answer have more than \(ErrorText.size(Self.headerLimit))")
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
            // RFC 9112 section 5.2 deprecates folded lines; no header that this module reads is folded.
            headers.append(
                String(decoding: line[..<colon], as: UTF8.self),
                String(decoding: Self.trimmed(line[line.index(after: colon)...]), as: UTF8.self))
        }
        return true
    }

    /// Reads a piece of the body.
    ///
    /// - Parameter expected: the size of the whole body, if the server has announced it. A body that is announced as too
    ///   large fails at once.
    /// - Returns: false to end the transfer.
    mutating func append(body bytes: some Collection<UInt8>, expected: Int?) -> Bool {
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
