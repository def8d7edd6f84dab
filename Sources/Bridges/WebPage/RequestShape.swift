// SPDX-License-Identifier: MIT

import Spelling

/// Whether every reader understands a request in the same way. If a proxy and this server split the bytes at different places,
/// a second request can be smuggled past the proxy.
package enum RequestShape {
    /// The longest body of a request. Changes are short.
    package static let longestBody = 8 * 1_024

    /// The answer to a request that is refused because of its headers alone; the connection ends with it.
    package static func refusal(of request: HTTPRequest, isUnclear: Bool = false) -> HTTPAnswer? {
        guard let (status, reason) = isUnclear ? (400, "an address has no NUL") : fault(of: request) else { return nil }
        var answer = HTTPAnswer(status, reason)
        answer.endsConnection = true
        return answer
    }

    package enum Clarity: Equatable, Sendable {
        case clear
        /// Another reader could see another address.
        case unclear
        case tooLong
    }

    /// More words than a query of this page has.
    private static let mostWords = 100

    /// - Parameter target: the address of a request, as it was sent.
    package static func clarity(ofTarget target: some Collection<CChar>) -> Clarity {
        let target = target.map { UInt8(bitPattern: $0) }
        if target.lazy.filter({ $0 == UInt8(ascii: "&") }).count >= mostWords { return .tooLong }
        return String(decoding: target, as: UTF8.self).includes("%00") ? .unclear : .clear
    }

    /// The characters of a token of RFC 9110, 5.6.2.
    private static func isName(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { $0.isAlphanumeric || "!#$%&'*+-.^_`|~".utf8.contains($0) }
    }

    /// No control characters but the tab: a carriage return or NUL may end a line for another reader.
    private static func isValue(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f || $0 == UInt8(ascii: "\t") }
    }

    private static func fault(of request: HTTPRequest) -> (Int, String)? {
        if !request.headers.allSatisfy({ isName($0.name) && isValue($0.value) }) {
            return (400, "a header is a name, a colon and text")
        }
        if request.values("host").count != 1 { return (400, "a request has one Host") }
        if !request.values("transfer-encoding").isEmpty { return (411, "a request says its length") }
        let lengths = request.values("content-length")
        if lengths.count > 1 { return (400, "a request has one length") }
        guard let length = lengths.first else {
            return request.method == "POST" ? (411, "a request says its length") : nil
        }
        guard length.utf8.areDigits else { return (400, "a length is a number") }
        guard let count = Int(length), count <= longestBody else { return (413, "the body is too long") }
        if count > 0, request.method != "POST" { return (400, "only POST has a body") }
        return nil
    }
}
