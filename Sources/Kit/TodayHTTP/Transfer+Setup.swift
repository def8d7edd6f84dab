// SPDX-License-Identifier: MIT
import CCurl

extension Transfer {
    /// Everything that libcurl is told of a request. It copies strings, see curl_easy_setopt(3).
    func prepare(_ hop: Hop) throws(HTTPError) {
        curl_easy_reset(handle)
        var codes = [
            ccurl_set_error_buffer(handle, errorText),
            ccurl_set_string(handle, CURLOPT_URL, hop.address.url),
            ccurl_set_protocols(handle, hop.allowsPlainHTTP ? 1 : 0),
            // Signals belong to the program, and SIGALRM cannot end a call on this thread.
            ccurl_set_number(handle, CURLOPT_NOSIGNAL, 1),
            // All compressions that this libcurl knows.
            ccurl_set_string(handle, CURLOPT_ACCEPT_ENCODING, ""),
            // An answer before HTTP/1.0 is any bytes at all.
            ccurl_set_number(handle, CURLOPT_HTTP09_ALLOWED, 0),
            // What a proxy answers to CONNECT is not the server's.
            ccurl_set_number(handle, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1),
            ccurl_set_string(handle, CURLOPT_USERAGENT, "TodayHTTP"),
            // The deadline is `drive`'s. This only replaces the 300 s which libcurl would wait for a connection.
            ccurl_set_number(handle, CURLOPT_CONNECTTIMEOUT_MS, timeout.milliseconds + 1000),
        ]
        if let path = hop.trustedCertificates {
            codes.append(ccurl_set_string(handle, CURLOPT_CAINFO, path))
            codes.append(ccurl_set_string(handle, CURLOPT_CAPATH, nil))
        }
        var fields = hop.headers.fields.map { ($0.name, $0.value) }
        if case .post(let content, let contentType) = hop.method {
            fields.append(("Content-Type", contentType))
            // Waiting for "100 Continue" costs a second with servers that have never heard of it.
            fields.append(("Expect", ""))
            // CURLOPT_COPYPOSTFIELDS(3) makes it a POST and wants the size first; without a pointer libcurl would read
            // standard input.
            codes.append(ccurl_set_size(handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(content.count)))
            let bytes = content.isEmpty ? [0] : content
            codes.append(bytes.withUnsafeBytes { ccurl_set_bytes(handle, CURLOPT_COPYPOSTFIELDS, $0.baseAddress) })
        }
        // The callbacks run inside curl_multi_perform, on this thread and while `self` performs: it need not be retained.
        let context = Unmanaged.passUnretained(self).toOpaque()
        codes.append(ccurl_set_receivers(handle, Self.takeLine, Self.takeBody, context))
        curl_slist_free_all(lines)
        lines = nil
        for (name, value) in fields {
            // A name with nothing behind its colon takes away what libcurl would send; ";" sends it empty.
            let line = !value.isEmpty ? "\(name): \(value)" : name == "Expect" ? "Expect:" : "\(name);"
            guard let longer = curl_slist_append(lines, line) else { throw .failed("out of memory") }
            lines = longer
        }
        codes.append(ccurl_set_list(handle, CURLOPT_HTTPHEADER, lines))
        if let code = codes.first(where: { $0 != CURLE_OK }) {
            throw .failed("libcurl refuses the request: \(String(cString: curl_easy_strerror(code)))")
        }
    }

    /// What CURLOPT_HEADERFUNCTION(3) and CURLOPT_WRITEFUNCTION(3) give: bytes that are valid during the call, and the
    /// context of above. Another number than that of the bytes ends the transfer.
    private static let takeLine: curl_write_callback = { bytes, size, count, context in
        guard let bytes, let context else { return 0 }
        let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
        let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
        return transfer.reception.take(line: line) ? size * count : 0
    }

    private static let takeBody: curl_write_callback = { bytes, size, count, context in
        guard let context else { return 0 }
        let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
        let body = UnsafeRawBufferPointer(start: bytes, count: size * count)
        var length: curl_off_t = -1
        ccurl_get_size(transfer.handle, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length)
        let isEncoded = transfer.reception.headers["Content-Encoding"] != nil
        let expected = length < 0 || isEncoded ? nil : Int(length)
        guard transfer.reception.take(body: body, expected: expected) else { return size * count == 0 ? 1 : 0 }
        if isSuccess(transfer.status) { transfer.progress?.report(transfer.reception.body.count, of: expected) }
        return size * count
    }
}
