// SPDX-License-Identifier: MIT
import CCurl
import Glibc

extension Transfer {
    /// What a failure of libcurl means to a widget that has asked `address`.
    func error(_ code: CURLcode, at address: WebAddress, passed: Bool) -> HTTPError {
        let host = Words.printable(address.host.utf8, limit: 80)
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST: return .unknownHost(host)
        case CURLE_COULDNT_RESOLVE_PROXY: return .cannotConnect(to: "a proxy", reason: said(code))
        case CURLE_COULDNT_CONNECT:
            return .cannotConnect(to: Self.place(of: address), reason: systemError ?? said(code))
        case CURLE_OPERATION_TIMEDOUT where passed:
            return .timedOut(after: timeout, received: reception.hasBegun ? reception.body.count : nil)
        case CURLE_OPERATION_TIMEDOUT:
            // Not our time was up but the kernel's.
            return .cannotConnect(to: Self.place(of: address), reason: systemError ?? said(code))
        case CURLE_PEER_FAILED_VERIFICATION:
            let reason = said(code, without: "SSL certificate problem: ")
            return .notSecure(host: host, reason: "its certificate is not to be trusted (\(reason))")
        case CURLE_SSL_CACERT_BADFILE:
            return .notSecure(host: host, reason: "the file of trusted certificates cannot be read")
        case CURLE_SSL_CONNECT_ERROR: return .notSecure(host: host, reason: said(code))
        case CURLE_TOO_MANY_REDIRECTS, CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY:
            // Redirects are not libcurl's, and the protocol of the URL has been looked at: what is left is HTTP/0.9.
            return .badAnswer("the answer is not HTTP")
        case CURLE_OUT_OF_MEMORY where !reception.hasHeaders, CURLcode(100) where !reception.hasHeaders:
            // What older versions call out of memory, and newer CURLE_TOO_LARGE, is a header line without end.
            return .badAnswer("the headers of the answer have more than \(Words.size(Reception.headerLimit))")
        case CURLE_PARTIAL_FILE:
            return .badAnswer(
                "the connection ended before the answer was complete, after \(Words.size(reception.body.count))")
        case CURLE_GOT_NOTHING: return .badAnswer("the server closed the connection without an answer")
        case CURLE_BAD_CONTENT_ENCODING:
            return .badAnswer("the answer is not compressed as its Content-Encoding says")
        case CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_HTTP2, CURLE_HTTP2_STREAM:
            return .badAnswer("the connection was lost: \(said(code))")
        default: return .failed(said(code))
        }
    }

    /// libcurl's words on this failure, or on its kind.
    private func said(_ code: CURLcode, without prefix: String = "") -> String {
        let text = problem
        guard !text.isEmpty else { return String(cString: curl_easy_strerror(code)) }
        return text.utf8.starts(with: prefix.utf8) ? String(text.dropFirst(prefix.count)) : text
    }

    /// The error of the last system call that failed, in words.
    private var systemError: String? {
        var code = 0
        ccurl_get_number(handle, CURLINFO_OS_ERRNO, &code)
        return code == 0 ? nil : String(cString: strerror(Int32(code)))
    }

    /// Where a connection was tried. libcurl does not say whether that was to a proxy, so its possibility is named.
    private static func place(of address: WebAddress) -> String {
        // curl(1) explains why http_proxy does not count in capitals. Of getenv(3)'s text only whether there is any is read.
        let names = (address.isPlain ? ["http_proxy"] : ["https_proxy", "HTTPS_PROXY"]) + ["all_proxy", "ALL_PROXY"]
        guard let name = names.first(where: { getenv($0).map { $0.pointee != 0 } == true }) else {
            return address.place
        }
        return "\(address.place) or to the proxy in \(name)"
    }
}
