// SPDX-License-Identifier: MIT
import CCurl

/// libcurl could not do what it was asked to.
package struct CurlFault: Error, CustomStringConvertible {
    package let description: String
}

/// An easy handle of libcurl: one request after another, each performed in a `CurlSet`.
package final class CurlTransfer {
    /// curl_global_init(3) runs once in a process, before any other call.
    static let isInitialized = ccurl_global_init() == CURLE_OK

    let handle: UnsafeMutableRawPointer
    private let errorBuffer = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
    /// The header lines, which libcurl reads during the transfer and does not copy: CURLOPT_HTTPHEADER(3).
    private var headerLines: UnsafeMutablePointer<curl_slist>?

    /// Takes a header line with its end; false ends the transfer.
    package var onLine: (UnsafeRawBufferPointer) -> Bool = { _ in true }
    /// Takes a piece of the body; false ends the transfer.
    package var onBody: (UnsafeRawBufferPointer) -> Bool = { _ in true }

    package init() throws(CurlFault) {
        guard Self.isInitialized, let handle = curl_easy_init() else {
            throw CurlFault(description: "libcurl cannot be initialized")
        }
        self.handle = handle
        errorBuffer[0] = 0
    }

    /// The handle must be in no set any more. May block until a name server answers.
    package func close() {
        curl_easy_cleanup(handle)
        curl_slist_free_all(headerLines)
        errorBuffer.deallocate()
    }

    // MARK: The answer

    /// libcurl's message about the last failure; empty if it has written none.
    package var message: String { String(cString: errorBuffer) }

    /// errno of the last system call that failed; 0 for none: CURLINFO_OS_ERRNO(3).
    package var systemError: Int { number(CURLINFO_OS_ERRNO) }

    package var status: Int { number(CURLINFO_RESPONSE_CODE) }

    /// Whether the host name has been resolved.
    package var hasResolved: Bool { size(CURLINFO_NAMELOOKUP_TIME_T) != 0 }

    /// The size of the body, where the server has announced it and the body is not compressed.
    package var announcedSize: Int? {
        let length = size(CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, otherwise: -1)
        var header: UnsafeMutablePointer<curl_header>?
        let isEncoded = curl_easy_header(handle, "Content-Encoding", 0, UInt32(CURLH_HEADER), -1, &header) == CURLHE_OK
        return length < 0 || isEncoded ? nil : length
    }

    /// The target of a 3xx answer, as an absolute URL.
    package var redirect: String? {
        var text: UnsafePointer<CChar>?
        ccurl_get_string(handle, CURLINFO_REDIRECT_URL, &text)
        return text.map { String(cString: $0) }
    }

    /// The headers of the last answer, without interim answers and trailers: curl_easy_header(3).
    package var headers: [(name: String, value: String)] {
        var headers: [(name: String, value: String)] = []
        var last: UnsafeMutablePointer<curl_header>?
        while let next = curl_easy_nextheader(handle, UInt32(CURLH_HEADER), -1, last) {
            var value = String(cString: next.pointee.value)
            // libcurl 7.88 (Debian 12) leaves the carriage return in a value that is empty.
            if value.utf8.last == UInt8(ascii: "\r") { value.removeLast() }
            headers.append((String(cString: next.pointee.name), value))
            last = next
        }
        return headers
    }

    private func number(_ info: CURLINFO) -> Int {
        var value = 0
        ccurl_get_number(handle, info, &value)
        return value
    }

    private func size(_ info: CURLINFO, otherwise: curl_off_t = 0) -> Int {
        var value = otherwise
        ccurl_get_size(handle, info, &value)
        return Int(value)
    }
}

// MARK: - Options

extension CurlTransfer {
    /// Sets all options. libcurl copies strings, see curl_easy_setopt(3).
    package func prepare(_ request: CurlRequest) throws(CurlFault) {
        curl_easy_reset(handle)
        errorBuffer[0] = 0
        var codes = [
            ccurl_set_error_buffer(handle, errorBuffer),
            ccurl_set_string(handle, CURLOPT_URL, request.url),
            ccurl_set_protocols(handle, request.allowsPlainHTTP ? 1 : 0),
            // Signals belong to the program, and SIGALRM cannot end a call on another thread.
            ccurl_set_number(handle, CURLOPT_NOSIGNAL, 1),
            // An empty string asks for every compression that this libcurl supports.
            ccurl_set_string(handle, CURLOPT_ACCEPT_ENCODING, ""),
            // HTTP/0.9 has no headers: any bytes would count as an answer.
            ccurl_set_number(handle, CURLOPT_HTTP09_ALLOWED, 0),
            // A proxy's answer to CONNECT is not the server's.
            ccurl_set_number(handle, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1),
            ccurl_set_string(handle, CURLOPT_USERAGENT, request.userAgent),
        ]
        if let time = request.connectTimeout {
            codes.append(ccurl_set_number(handle, CURLOPT_CONNECTTIMEOUT_MS, time))
        }
        if let time = request.timeout { codes.append(ccurl_set_number(handle, CURLOPT_TIMEOUT_MS, time)) }
        if request.keepsAlive {
            codes.append(ccurl_set_number(handle, CURLOPT_TCP_KEEPALIVE, 1))
            codes.append(ccurl_set_number(handle, CURLOPT_TCP_KEEPIDLE, 30))
            codes.append(ccurl_set_number(handle, CURLOPT_TCP_KEEPINTVL, 10))
        }
        if let path = request.trustedCertificates {
            codes.append(ccurl_set_string(handle, CURLOPT_CAINFO, path))
            codes.append(ccurl_set_string(handle, CURLOPT_CAPATH, nil))
        }
        if let (file, key) = request.certificate {
            codes.append(ccurl_set_string(handle, CURLOPT_SSLCERT, file))
            codes.append(ccurl_set_string(handle, CURLOPT_SSLKEY, key))
        }
        var lines = request.headers.map { name, value in
            // CURLOPT_HTTPHEADER(3): "Name:" removes a header that libcurl would send, "Name;" sends an empty one.
            value.isEmpty ? "\(name);" : "\(name): \(value)"
        }
        if let content = request.content {
            // With "Expect: 100-continue", libcurl waits a second for servers that do not answer it.
            lines.append("Expect:")
            // CURLOPT_COPYPOSTFIELDS(3) makes it a POST and needs the size first. Without a pointer libcurl would read
            // standard input.
            codes.append(ccurl_set_size(handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(content.count)))
            let bytes = content.isEmpty ? [0] : content
            codes.append(bytes.withUnsafeBytes { ccurl_set_bytes(handle, CURLOPT_COPYPOSTFIELDS, $0.baseAddress) })
        }
        // libcurl calls back inside of CurlSet's calls, where the set keeps this object alive.
        let context = Unmanaged.passUnretained(self).toOpaque()
        codes.append(ccurl_set_receivers(handle, Self.receiveLine, Self.receiveBody, context))
        try setHeaders(lines, &codes)
        if let code = codes.first(where: { $0 != CURLE_OK }) {
            throw CurlFault(description: "libcurl refuses the request: \(CurlCode(code).text)")
        }
    }

    private func setHeaders(_ lines: [String], _ codes: inout [CURLcode]) throws(CurlFault) {
        curl_slist_free_all(headerLines)
        headerLines = nil
        for line in lines {
            guard let longer = curl_slist_append(headerLines, line) else {
                throw CurlFault(description: "out of memory")
            }
            headerLines = longer
        }
        codes.append(ccurl_set_list(handle, CURLOPT_HTTPHEADER, headerLines))
    }

    /// CURLOPT_HEADERFUNCTION(3) and CURLOPT_WRITEFUNCTION(3) pass bytes that are valid during the call, and the context
    /// from above. The transfer ends when the result differs from the number of bytes.
    private static let receiveLine: curl_write_callback = { bytes, size, count, context in
        guard let bytes, let context else { return 0 }
        let transfer = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
        let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
        return transfer.onLine(line) ? size * count : 0
    }

    private static let receiveBody: curl_write_callback = { bytes, size, count, context in
        guard let context else { return 0 }
        let transfer = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
        let body = UnsafeRawBufferPointer(start: bytes, count: size * count)
        return transfer.onBody(body) ? size * count : size * count == 0 ? 1 : 0
    }
}
