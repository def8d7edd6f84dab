// SPDX-License-Identifier: MIT
import Curl

/// libcurl, performing one request after another over the same connections, on one thread.
///
/// This uses the "multi" interface with one transfer at a time instead of curl_easy_perform(3): another thread can end its
/// wait (curl_multi_wakeup(3)), and it does not block in the resolver when the time is over.
final class Transfer {
    /// One request to one server. `Exchange` follows redirects, by its own rules.
    struct Hop {
        var address: WebAddress
        var method: HTTPRequest.Method
        var headers: HTTPHeaders
        var allowsPlainHTTP: Bool
        var trustedCertificates: String?
        var sizeLimit: Int
        var onProgress: (@Sendable (HTTPProgress) -> Void)?
    }

    struct Answer {
        let status: Int
        let headers: HTTPHeaders
        let body: [UInt8]
        /// The target of a 3xx answer, as an absolute URL.
        let redirect: String?
    }

    private let transfer: CurlTransfer
    private let set: CurlSet
    private let timeout: Duration
    private let deadline: ContinuousClock.Instant
    private let control: TransferControl
    private var reader = AnswerReader(sizeLimit: 0)
    private var progress: ProgressReporter?
    /// Whether the last transfer ended while it waited for a name server.
    private(set) var isResolving = false

    init(control: TransferControl, timeout: Duration) throws(HTTPError) {
        deadline = .now + timeout
        self.timeout = timeout
        self.control = control
        do {
            transfer = try CurlTransfer()
        } catch {
            throw .failed(error.description)
        }
        do {
            set = try CurlSet()
        } catch {
            transfer.close()
            throw .failed(error.description)
        }
        control.attach(set.waker)
        transfer.onLine = { [unowned self] in reader.count(line: $0) }
        transfer.onBody = { [unowned self] in receive($0) }
    }

    /// Closes the connections. The caller calls it once, after the last use; it may block until a name server answers.
    func close() {
        control.attach(nil)
        set.remove(transfer)
        transfer.close()
        set.close()
    }

    /// Sends one request and waits for its answer.
    func perform(_ hop: Hop) throws(HTTPError) -> Answer {
        reader = AnswerReader(sizeLimit: hop.sizeLimit)
        progress = hop.onProgress.map(ProgressReporter.init)
        do {
            try transfer.prepare(request(for: hop))
            try set.add(transfer)
        } catch {
            throw .failed(error.description)
        }
        let code: CurlCode
        do {
            code = try waitForEnd()
        } catch {
            isResolving = !transfer.hasResolved
            if !isResolving { set.remove(transfer) }
            throw error
        }
        defer { set.remove(transfer) }
        if let failure = reader.failure { throw failure }
        guard code.meaning == .done else { throw failure(code, at: hop.address).error }
        let status = transfer.status
        if Self.isSuccess(status) { progress?.reportEnd(at: reader.body.count) }
        var headers = HTTPHeaders()
        for (name, value) in transfer.headers { headers.append(name, value) }
        return Answer(status: status, headers: headers, body: reader.body, redirect: transfer.redirect)
    }

    /// Runs libcurl until the transfer ends, the time is over or the task is cancelled.
    private func waitForEnd() throws(HTTPError) -> CurlCode {
        while true {
            guard !control.isCancelled else { throw .cancelled }
            let left = deadline - .now
            guard left > .zero else { throw .timedOut(after: timeout, received: reader.receivedBytes) }
            do {
                try set.perform()
            } catch {
                throw .failed(error.description)
            }
            if let end = set.nextEnd() { return end.code }
            set.wait(milliseconds: Int32(left.milliseconds))
        }
    }

    private func failure(_ code: CurlCode, at address: WebAddress) -> CurlFailure {
        CurlFailure(
            code: code, message: ErrorText.printable(transfer.message.utf8, limit: 200),
            systemError: transfer.systemError, address: address, timeout: timeout, hasTimedOut: deadline <= .now,
            answer: reader)
    }

    private func receive(_ body: UnsafeRawBufferPointer) -> Bool {
        let expected = transfer.announcedSize
        guard reader.append(body: body, expected: expected) else { return false }
        if Self.isSuccess(transfer.status) { progress?.report(reader.body.count, of: expected) }
        return true
    }

    /// Progress counts the content of a success only, not that of a redirect or an error.
    private static func isSuccess(_ status: Int) -> Bool { (200..<300).contains(status) }

    private func request(for hop: Hop) -> CurlRequest {
        var request = CurlRequest(url: hop.address.url)
        request.userAgent = "TodayHTTP"
        request.allowsPlainHTTP = hop.allowsPlainHTTP
        request.trustedCertificates = hop.trustedCertificates
        // `waitForEnd` has the deadline. This only replaces the 300 s for which libcurl waits for a connection.
        request.connectTimeout = timeout.milliseconds + 1000
        request.headers = hop.headers.fields.map { ($0.name, $0.value) }
        if case .post(let content, let contentType) = hop.method {
            request.headers.append(("Content-Type", contentType))
            request.content = content
        }
        return request
    }
}

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
