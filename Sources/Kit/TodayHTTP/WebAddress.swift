// SPDX-License-Identifier: MIT
import CCurl

/// An http or https URL, taken apart by libcurl: a second parser would understand hostile ones differently from the one
/// that connects.
struct WebAddress: Sendable {
    /// Why a text is none, in words that go on from "…, but".
    struct Problem: Error {
        let words: String
    }

    /// As libcurl writes it, without the fragment, which is never sent.
    let url: String
    let host: String
    let port: String
    let isPlain: Bool

    init(_ text: String) throws(Problem) {
        let shown = Words.url(text)
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7f }) else {
            throw Problem(words: "the URL contains a space or a control character: \(shown)")
        }
        guard let parts = curl_url() else { throw Problem(words: "out of memory") }
        defer { curl_url_cleanup(parts) }
        let code = curl_url_set(
            parts, CURLUPART_URL, text, UInt32(CURLU_NON_SUPPORT_SCHEME | CURLU_DISALLOW_USER | CURLU_URLENCODE))
        switch code {
        case CURLUE_OK: break
        case CURLUE_USER_NOT_ALLOWED:
            throw Problem(words: "user names and passwords are not allowed in URLs; use an Authorization header")
        case CURLUE_OUT_OF_MEMORY: throw Problem(words: "out of memory")
        default: throw Problem(words: "'\(shown)' is not a URL such as https://example.org/")
        }
        let scheme = Self.part(CURLUPART_SCHEME, of: parts) ?? ""
        guard HTTPHeaders.isSame(scheme, "http") || HTTPHeaders.isSame(scheme, "https") else {
            throw Problem(words: "only https and http are supported, not '\(Words.printable(scheme.utf8, limit: 20))'")
        }
        _ = curl_url_set(parts, CURLUPART_FRAGMENT, nil, 0)
        guard let url = Self.part(CURLUPART_URL, of: parts), let host = Self.part(CURLUPART_HOST, of: parts),
            let port = Self.part(CURLUPART_PORT, of: parts, UInt32(CURLU_DEFAULT_PORT))
        else { throw Problem(words: "'\(shown)' is not a URL such as https://example.org/") }
        self.url = url
        self.host = host
        self.port = port
        isPlain = !HTTPHeaders.isSame(scheme, "https")
    }

    /// Scheme, host and port: what one header may be told to.
    func hasOrigin(of other: WebAddress) -> Bool {
        isPlain == other.isPlain && HTTPHeaders.isSame(host, other.host) && HTTPHeaders.isSame(port, other.port)
    }

    /// `host:port`, for messages.
    var place: String { "\(Words.printable(host.utf8, limit: 80)):\(port)" }

    /// curl_url_get(3) makes a copy for the caller, who frees it.
    private static func part(_ part: CURLUPart, of parts: OpaquePointer, _ flags: UInt32 = 0) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard curl_url_get(parts, part, &text, flags) == CURLUE_OK, let text else { return nil }
        defer { curl_free(text) }
        return String(cString: text)
    }
}
