// SPDX-License-Identifier: MIT

/// Whether a request is one that every reader understands in the same way. A request that a proxy and this server would cut
/// at different places smuggles another one.
package enum RequestShape {
    /// The longest body of a request. Changes are short.
    package static let longestBody = 8 * 1_024

    /// The answer to a request that is refused by its headers alone; its connection ends.
    package static func refusal(of request: HTTPRequest) -> HTTPAnswer? {
        guard let (status, reason) = fault(of: request) else { return nil }
        var answer = HTTPAnswer(status, reason)
        answer.endsConnection = true
        return answer
    }

    private static func fault(of request: HTTPRequest) -> (Int, String)? {
        if request.values("host").count != 1 { return (400, "a request has one Host") }
        if !request.values("transfer-encoding").isEmpty { return (411, "a request says its length") }
        let lengths = request.values("content-length")
        if lengths.count > 1 { return (400, "a request has one length") }
        guard let length = lengths.first else {
            return request.method == "POST" ? (411, "a request says its length") : nil
        }
        guard !length.isEmpty, length.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            return (400, "a length is a number")
        }
        guard let count = Int(length), count <= longestBody else { return (413, "the body is too long") }
        if count > 0, request.method != "POST" { return (400, "only POST has a body") }
        return nil
    }
}
