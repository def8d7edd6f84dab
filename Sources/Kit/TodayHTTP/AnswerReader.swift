// SPDX-License-Identifier: MIT

/// Collects the content of an answer piece by piece, counts its header lines, and stops at its limits. libcurl keeps the
/// headers themselves.
struct AnswerReader {
    /// libcurl has limits of its own, which differ between its versions. The second one is that of libcurl 8: the time to
    /// list headers grows with the square of their number (curl_easy_nextheader(3) counts those of equal name).
    static let headerLimit = 64 << 10
    static let lineLimit = 5000

    let sizeLimit: Int
    private(set) var body: [UInt8] = []
    /// Whether a block of headers is complete, so that content may follow.
    private(set) var hasHeaders = false
    /// How many bytes of content have arrived; nil before the answer began.
    var receivedBytes: Int? { headerBytes > 0 ? body.count : nil }
    /// Why the reader has stopped.
    private(set) var failure: HTTPError?

    private var headerBytes = 0
    private var headerLines = 0

    init(sizeLimit: Int) { self.sizeLimit = sizeLimit }

    /// Counts one header line with its line end, as CURLOPT_HEADERFUNCTION(3) passes it. An answer may have several blocks
    /// of headers, each ended by an empty line: interim answers (1xx), then the answer itself, and trailers after the body.
    ///
    /// - Returns: false to end the transfer.
    mutating func count(line: some Collection<UInt8>) -> Bool {
        headerBytes += line.count
        headerLines += 1
        hasHeaders = !body.isEmpty || line.allSatisfy { $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\n") }
        guard headerBytes <= Self.headerLimit else {
            failure = .badAnswer("the headers of the answer have more than \(ErrorText.size(Self.headerLimit))")
            return false
        }
        guard headerLines <= Self.lineLimit else {
            failure = .badAnswer("the headers of the answer have more than \(Self.lineLimit) lines")
            return false
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
}
