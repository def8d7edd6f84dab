// SPDX-License-Identifier: MIT
import CCurl
import Platform

/// One request of libcurl.
package struct CurlRequest: Sendable {
    package var url: String
    /// What is sent as a POST; nil for a GET.
    package var content: [UInt8]?
    package var headers: [(name: String, value: String)] = []
    package var userAgent = "todayd"
    package var allowsPlainHTTP = false
    /// A file of certificates that are trusted in place of the system's.
    package var trustedCertificates: String?
    /// Files with the certificate and the key by which the client shows who it is.
    package var certificate: (file: String, key: String)?
    /// In milliseconds; nil means libcurl's default, 300 s.
    package var connectTimeout: Int?
    /// For the whole transfer, in milliseconds.
    package var timeout: Int?
    /// Whether TCP checks every 30 s that the other side is still there.
    package var keepsAlive = false

    package init(url: String) { self.url = url }
}

/// How a transfer has ended, by libcurl's code.
package struct CurlCode: Sendable {
    package enum Meaning: Sendable {
        case done, unknownHost, unknownProxy, cannotConnect, timedOut, notTrusted, badCertificateFile, noTLS, notHTTP
        case partial, noAnswer, badEncoding, lost, other
        /// libcurl reports this for endless header lines, too; newer versions have a code of their own for them.
        case outOfMemory
    }

    let code: CURLcode

    package init(_ number: UInt32) { code = CURLcode(number) }
    init(_ code: CURLcode) { self.code = code }

    /// curl_easy_strerror(3).
    package var text: String { String(cString: curl_easy_strerror(code)) }

    package var meaning: Meaning {
        switch code {
        case CURLE_OK: .done
        case CURLE_COULDNT_RESOLVE_HOST: .unknownHost
        case CURLE_COULDNT_RESOLVE_PROXY: .unknownProxy
        case CURLE_COULDNT_CONNECT: .cannotConnect
        case CURLE_OPERATION_TIMEDOUT: .timedOut
        case CURLE_PEER_FAILED_VERIFICATION: .notTrusted
        case CURLE_SSL_CACERT_BADFILE: .badCertificateFile
        case CURLE_SSL_CONNECT_ERROR: .noTLS
        case CURLE_TOO_MANY_REDIRECTS, CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY: .notHTTP
        case CURLE_OUT_OF_MEMORY, CURLcode(100): .outOfMemory
        case CURLE_PARTIAL_FILE: .partial
        case CURLE_GOT_NOTHING: .noAnswer
        case CURLE_BAD_CONTENT_ENCODING: .badEncoding
        case CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_HTTP2, CURLE_HTTP2_STREAM: .lost
        default: .other
        }
    }
}

/// curl_getdate(3).
package enum CurlDate {
    /// In seconds since 1970; nil for a text that is not a date.
    package static func seconds(_ text: String) -> Int? {
        let time = curl_getdate(text, nil)
        return time == -1 ? nil : time
    }
}

/// A URL as libcurl parses it. A second parser could read a hostile URL differently from libcurl, which connects.
package struct CurlURL: Hashable, Sendable {
    package enum Fault: Error {
        case hasUser, outOfMemory, notURL
    }

    /// As libcurl writes it, without the fragment, which is never sent.
    package let text: String
    package let scheme: String
    /// Empty where a scheme has none, such as file.
    package let host: String
    package let port: String

    package init(_ text: String) throws(Fault) {
        guard let parts = curl_url() else { throw .outOfMemory }
        defer { curl_url_cleanup(parts) }
        let flags = UInt32(CURLU_NON_SUPPORT_SCHEME | CURLU_DISALLOW_USER | CURLU_URLENCODE)
        switch curl_url_set(parts, CURLUPART_URL, text, flags) {
        case CURLUE_OK: break
        case CURLUE_USER_NOT_ALLOWED: throw .hasUser
        case CURLUE_OUT_OF_MEMORY: throw .outOfMemory
        default: throw .notURL
        }
        scheme = Self.part(CURLUPART_SCHEME, of: parts) ?? ""
        _ = curl_url_set(parts, CURLUPART_FRAGMENT, nil, 0)
        guard let url = Self.part(CURLUPART_URL, of: parts) else { throw .notURL }
        self.text = url
        host = Self.part(CURLUPART_HOST, of: parts) ?? ""
        port = Self.part(CURLUPART_PORT, of: parts, UInt32(CURLU_DEFAULT_PORT)) ?? ""
    }

    /// curl_url_get(3) returns a copy, which the caller frees.
    private static func part(_ part: CURLUPart, of parts: OpaquePointer, _ flags: UInt32 = 0) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard curl_url_get(parts, part, &text, flags) == CURLUE_OK, let text else { return nil }
        defer { curl_free(text) }
        return String(cString: text)
    }
}
