// SPDX-License-Identifier: MIT
import CCurl
import Glibc

/// libcurl, performing one request after another over the same connections, for one thread.
///
/// The "multi" interface with one transfer at a time, in place of curl_easy_perform(3): its wait can be ended from another
/// thread, and it is not inside the resolver when the time is up.
final class Transfer {
    /// One request to one server: redirects are followed by `Exchange`, which has rules for them.
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
        /// Where a 3xx sends to, as an absolute URL.
        let redirect: String?
    }

    /// Once in a process, before anything else: curl_global_init(3).
    private static let isReady = ccurl_global_init() == CURLE_OK

    let handle: UnsafeMutableRawPointer
    let timeout: Duration
    private let transfers: UnsafeMutableRawPointer
    private let control: TransferControl
    private let deadline: ContinuousClock.Instant
    let errorText = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
    var reception = Reception(sizeLimit: 0)
    var progress: ProgressReport?
    /// The lines of the headers, which libcurl uses where they are: CURLOPT_HTTPHEADER(3).
    var lines: UnsafeMutablePointer<curl_slist>?
    /// Whether the last transfer was given up while it waited for a name server.
    private(set) var isResolving = false

    init(control: TransferControl, timeout: Duration) throws(HTTPError) {
        deadline = .now + timeout
        self.timeout = timeout
        self.control = control
        guard Self.isReady, let handle = curl_easy_init() else { throw .failed("libcurl cannot be initialized") }
        guard let transfers = curl_multi_init() else {
            curl_easy_cleanup(handle)
            throw .failed("libcurl cannot be initialized")
        }
        self.handle = handle
        self.transfers = transfers
        control.attach(transfers)
    }

    /// Ends the connections. To be called once, after the last use; it may wait for a name server.
    func close() {
        control.attach(nil)
        curl_multi_remove_handle(transfers, handle)
        curl_easy_cleanup(handle)
        curl_slist_free_all(lines)
        curl_multi_cleanup(transfers)
        errorText.deallocate()
    }

    /// Sends one request and takes what comes.
    func perform(_ hop: Hop) throws(HTTPError) -> Answer {
        reception = Reception(sizeLimit: hop.sizeLimit)
        progress = hop.onProgress.map(ProgressReport.init)
        errorText[0] = 0
        try prepare(hop)
        guard curl_multi_add_handle(transfers, handle) == CURLM_OK else { throw .failed("libcurl takes no request") }
        let code: CURLcode
        do {
            code = try drive()
        } catch {
            isResolving = elapsed(CURLINFO_NAMELOOKUP_TIME_T) == 0
            if !isResolving { curl_multi_remove_handle(transfers, handle) }
            throw error
        }
        defer { curl_multi_remove_handle(transfers, handle) }
        if let failure = reception.failure { throw failure }
        guard code == CURLE_OK else { throw error(code, at: hop.address, passed: deadline <= .now) }
        let status = status
        if Self.isSuccess(status) { progress?.end(at: reception.body.count) }
        var redirect: UnsafePointer<CChar>?
        ccurl_get_string(handle, CURLINFO_REDIRECT_URL, &redirect)
        return Answer(
            status: status, headers: reception.headers, body: reception.body,
            redirect: redirect.map { String(cString: $0) })
    }

    /// Lets libcurl work until the transfer has ended, the time is up or the task is cancelled.
    private func drive() throws(HTTPError) -> CURLcode {
        while true {
            guard !control.isCancelled else { throw .cancelled }
            let left = deadline - .now
            guard left > .zero else {
                throw .timedOut(after: timeout, received: reception.hasBegun ? reception.body.count : nil)
            }
            var running: Int32 = 0
            guard curl_multi_perform(transfers, &running) == CURLM_OK else { throw .failed("libcurl failed") }
            var code = CURLE_OK
            if ccurl_next_result(transfers, &code) != 0 { return code }
            _ = curl_multi_poll(transfers, nil, 0, Int32(left.milliseconds), nil)
        }
    }

    private func elapsed(_ info: CURLINFO) -> Int {
        var microseconds: curl_off_t = 0
        ccurl_get_size(handle, info, &microseconds)
        return Int(microseconds)
    }

    var status: Int {
        var status = 0
        ccurl_get_number(handle, CURLINFO_RESPONSE_CODE, &status)
        return status
    }

    /// The content of a redirect or of an error is not waited for.
    static func isSuccess(_ status: Int) -> Bool { (200..<300).contains(status) }

    /// libcurl's own words for what went wrong.
    var problem: String { Words.printable(String(cString: errorText).utf8, limit: 200) }
}
