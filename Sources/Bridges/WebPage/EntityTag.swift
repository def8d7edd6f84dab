// SPDX-License-Identifier: MIT

import Platform

/// The ETag of an answer, so that a client which has it gets no body again.
package enum EntityTag {
    /// Weak, because it is a hash of 64 bits.
    static func text(of body: [UInt8]) -> String {
        let digits = String(StableHash(body).value, radix: 16)
        return "W/\"\(String(repeating: "0", count: 16 - digits.count))\(digits)\""
    }

    /// Tags an answer to GET, and leaves its body out where the client has it.
    package static func applied(to answer: HTTPAnswer, of request: HTTPRequest) -> HTTPAnswer {
        guard answer.status == 200 else { return answer }
        let tag = text(of: answer.body)
        var tagged = answer
        tagged.headers.append(HTTPField("ETag", tag))
        let lists = request.values("if-none-match").joined(separator: ",")
        let known: [Substring] = lists.split(separator: ",").map { word in word.drop { $0 == " " || $0 == "\t" } }
        guard known.contains(where: { isTag($0, tag) }) else { return tagged }
        tagged.status = 304
        tagged.body = []
        return tagged
    }

    /// The weak comparison of RFC 9110, 8.8.3.2.
    private static func isTag(_ given: Substring, _ tag: String) -> Bool {
        let trimmed = given.prefix { $0 != " " && $0 != "\t" }
        if trimmed == "*" { return true }
        let opaque = trimmed.hasPrefix("W/") ? trimmed.dropFirst(2) : trimmed
        return opaque == tag.dropFirst(2)
    }
}
