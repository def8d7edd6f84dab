// SPDX-License-Identifier: MIT
import CCurl
import Glibc

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

    /// curl_global_init(3) runs once in a process, before any other call.
    private static let isInitialized = ccurl_global_init() == CURLE_OK

    private let handle: UnsafeMutableRawPointer
    private let transfers: UnsafeMutableRawPointer
    private let timeout: Duration
    private let deadline: ContinuousClock.Instant
    private let control: TransferControl
    private let errorBuffer = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
    private var reader = AnswerReader(sizeLimit: 0)
    private var progress: ProgressReporter?
    /// The header lines, which libcurl reads during the transfer and does not copy: CURLOPT_HTTPHEADER(3).
    private var headerLines: UnsafeMutablePointer<curl_slist>?
    /// Whether the last transfer ended while it waited for a name server.
    private(set) var isResolving = false

    init(control: TransferControl, timeout: Duration) throws(HTTPError) {
        deadline = .now + timeout
        self.timeout = timeout
        self.control = control
        guard Self.isInitialized, let handle = curl_easy_init() else { throw .failed("libcurl cannot be initialized") }
        guard let transfers = curl_multi_init() else {
            curl_easy_cleanup(handle)
            throw .failed("libcurl cannot be initialized")
        }
        self.handle = handle
        self.transfers = transfers
        control.attach(transfers)
    }

    /// Closes the connections. The caller calls it once, after the last use; it may block until a name server answers.
    func close() {
        control.attach(nil)
        curl_multi_remove_handle(transfers, handle)
        curl_easy_cleanup(handle)
        curl_slist_free_all(headerLines)
        curl_multi_cleanup(transfers)
        errorBuffer.deallocate()
    }

    /// Sends one request and waits for its answer.
    func perform(_ hop: Hop) throws(HTTPError) -> Answer {
        reader = AnswerReader(sizeLimit: hop.sizeLimit)
        progress = hop.onProgress.map(ProgressReporter.init)
        errorBuffer[0] = 0
        try setOptions(for: hop)
        guard curl_multi_add_handle(transfers, handle) == CURLM_OK else { throw .failed("libcurl takes no request") }
        let code: CURLcode
        do {
            code = try waitForEnd()
        } catch {
            isResolving = elapsed(CURLINFO_NAMELOOKUP_TIME_T) == 0
            if !isResolving { curl_multi_remove_handle(transfers, handle) }
            throw error
        }
        defer { curl_multi_remove_handle(transfers, handle) }
        if let failure = reader.failure { throw failure }
        guard code == CURLE_OK else { throw failure(code, at: hop.address).error }
        let status = status
        if Self.isSuccess(status) { progress?.reportEnd(at: reader.body.count) }
        var redirect: UnsafePointer<CChar>?
        ccurl_get_string(handle, CURLINFO_REDIRECT_URL, &redirect)
        return Answer(
            status: status, headers: headers, body: reader.body, redirect: redirect.map { String(cString: $0) })
    }

    /// Runs libcurl until the transfer ends, the time is over or the task is cancelled.
    private func waitForEnd() throws(HTTPError) -> CURLcode {
        while true {
            guard !control.isCancelled else { throw .cancelled }
            let left = deadline - .now
            guard left > .zero else { throw .timedOut(after: timeout, received: reader.receivedBytes) }
            var running: Int32 = 0
            guard curl_multi_perform(transfers, &running) == CURLM_OK else { throw .failed("libcurl failed") }
            var code = CURLE_OK
            if ccurl_next_result(transfers, &code) != 0 { return code }
            _ = curl_multi_poll(transfers, nil, 0, Int32(left.milliseconds), nil)
        }
    }

    private func failure(_ code: CURLcode, at address: WebAddress) -> CurlFailure {
        var systemError = 0
        ccurl_get_number(handle, CURLINFO_OS_ERRNO, &systemError)
        return CurlFailure(
            code: code, message: ErrorText.printable(String(cString: errorBuffer).utf8, limit: 200),
            systemError: systemError, address: address, timeout: timeout, hasTimedOut: deadline <= .now, answer: reader)
    }

    private func elapsed(_ info: CURLINFO) -> Int {
        var microseconds: curl_off_t = 0
        ccurl_get_size(handle, info, &microseconds)
        return Int(microseconds)
    }

    /// The headers of the last answer, without interim answers and trailers: curl_easy_header(3).
    private var headers: HTTPHeaders {
        var headers = HTTPHeaders()
        var last: UnsafeMutablePointer<curl_header>?
        while let next = curl_easy_nextheader(handle, UInt32(CURLH_HEADER), -1, last) {
            var value = String(cString: next.pointee.value)
            // libcurl 7.88 (Debian 12) leaves the carriage return in a value that is empty.
            if value.utf8.last == UInt8(ascii: "\r") { value.removeLast() }
            headers.append(String(cString: next.pointee.name), value)
            last = next
        }
        return headers
    }

    /// Whether the content is compressed, so that the announced size is not that of the content.
    private var isEncoded: Bool {
        var header: UnsafeMutablePointer<curl_header>?
        return curl_easy_header(handle, "Content-Encoding", 0, UInt32(CURLH_HEADER), -1, &header) == CURLHE_OK
    }

    private var status: Int {
        var status = 0
        ccurl_get_number(handle, CURLINFO_RESPONSE_CODE, &status)
        return status
    }

    /// Progress counts the content of a success only, not that of a redirect or an error.
    private static func isSuccess(_ status: Int) -> Bool { (200..<300).contains(status) }
}

// MARK: - Options

extension Transfer {
    /// Sets all options of the request. libcurl copies strings, see curl_easy_setopt(3).
    private func setOptions(for hop: Hop) throws(HTTPError) {
        curl_easy_reset(handle)
        var codes = [
            ccurl_set_error_buffer(handle, errorBuffer),
            ccurl_set_string(handle, CURLOPT_URL, hop.address.url),
            ccurl_set_protocols(handle, hop.allowsPlainHTTP ? 1 : 0),
            // Signals belong to the program, and SIGALRM cannot end a call on this thread.
            ccurl_set_number(handle, CURLOPT_NOSIGNAL, 1),
            // An empty string asks for every compression that this libcurl supports.
            ccurl_set_string(handle, CURLOPT_ACCEPT_ENCODING, ""),
            // HTTP/0.9 has no headers: any bytes would count as an answer.
            ccurl_set_number(handle, CURLOPT_HTTP09_ALLOWED, 0),
            // A proxy's answer to CONNECT is not the server's.
            ccurl_set_number(handle, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1),
            ccurl_set_string(handle, CURLOPT_USERAGENT, "TodayHTTP"),
            // `waitForEnd` has the deadline. This only replaces the 300 s for which libcurl waits for a connection.
            ccurl_set_number(handle, CURLOPT_CONNECTTIMEOUT_MS, timeout.milliseconds + 1000),
        ]
        if let path = hop.trustedCertificates {
            codes.append(ccurl_set_string(handle, CURLOPT_CAINFO, path))
            codes.append(ccurl_set_string(handle, CURLOPT_CAPATH, nil))
        }
        var fields = hop.headers.fields.map { ($0.name, $0.value) }
        if case .post(let content, let contentType) = hop.method {
            fields.append(("Content-Type", contentType))
            // With "Expect: 100-continue", libcurl waits a second for servers that do not answer it.
            fields.append(("Expect", ""))
            // CURLOPT_COPYPOSTFIELDS(3) makes it a POST and needs the size first. Without a pointer libcurl would read
            // standard input.
            codes.append(ccurl_set_size(handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(content.count)))
            let bytes = content.isEmpty ? [0] : content
            codes.append(bytes.withUnsafeBytes { ccurl_set_bytes(handle, CURLOPT_COPYPOSTFIELDS, $0.baseAddress) })
        }
        // libcurl calls back inside curl_multi_perform, on this thread and during `perform`, so `self` is alive.
        let context = Unmanaged.passUnretained(self).toOpaque()
        codes.append(ccurl_set_receivers(handle, Self.receiveLine, Self.receiveBody, context))
        curl_slist_free_all(headerLines)
        headerLines = nil
        for (name, value) in fields {
            // CURLOPT_HTTPHEADER(3): "Name:" removes a header that libcurl would send, "Name;" sends an empty one.
            let line = !value.isEmpty ? "\(name): \(value)" : name == "Expect" ? "Expect:" : "\(name);"
            guard let longer = curl_slist_append(headerLines, line) else { throw .failed("out of memory") }
            headerLines = longer
        }
        codes.append(ccurl_set_list(handle, CURLOPT_HTTPHEADER, headerLines))
        if let code = codes.first(where: { $0 != CURLE_OK }) {
            throw .failed("libcurl refuses the request: \(String(cString: curl_easy_strerror(code)))")
        }
    }

    /// CURLOPT_HEADERFUNCTION(3) and CURLOPT_WRITEFUNCTION(3) pass bytes that are valid during the call, and the context
    /// from above. The transfer ends when the result differs from the number of bytes.
    private static let receiveLine: curl_write_callback = { bytes, size, count, context in
        guard let bytes, let context else { return 0 }
        let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
        let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
        return transfer.reader.count(line: line) ? size * count : 0
    }

    private static let receiveBody: curl_write_callback = { bytes, size, count, context in
        guard let context else { return 0 }
        let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
        let body = UnsafeRawBufferPointer(start: bytes, count: size * count)
        var length: curl_off_t = -1
        ccurl_get_size(transfer.handle, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length)
        let expected = length < 0 || transfer.isEncoded ? nil : Int(length)
        guard transfer.reader.append(body: body, expected: expected) else { return size * count == 0 ? 1 : 0 }
        if isSuccess(transfer.status) { transfer.progress?.report(transfer.reader.body.count, of: expected) }
        return size * count
    }
}
