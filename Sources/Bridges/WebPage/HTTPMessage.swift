// SPDX-License-Identifier: MIT

import Platform
import Spelling

/// A client's request as it arrived. The names of headers are in lower case.
package struct HTTPRequest: Sendable, Equatable {
    package var method: String
    /// Without the query, with percent signs decoded.
    package var path: String
    package var query: [HTTPField]
    package var headers: [HTTPField]
    package var body: [UInt8] = []
    /// The address at which it arrived, and the address from which it came.
    package var own: IPAddress?
    package var peer: IPAddress?

    package init(_ method: String, _ path: String, query: [HTTPField] = [], headers: [HTTPField] = []) {
        self.method = method
        self.path = path
        self.query = query
        self.headers = headers
    }

    /// All values of a header.
    package func values(_ name: String) -> [String] { headers.filter { $0.name == name }.map(\.value) }

    /// The value of a header; nil unless there is exactly one.
    package func header(_ name: String) -> String? {
        let all = values(name)
        return all.count == 1 ? all[0] : nil
    }

    /// A word of the query; nil if it is missing, and empty if it has no value.
    package func parameter(_ name: String) -> String? { query.first { $0.name == name }?.value }
}

/// A header, or a word of the query.
package struct HTTPField: Sendable, Equatable {
    package let name: String
    package let value: String

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

/// What the client gets.
package struct HTTPAnswer: Sendable, Equatable {
    package var status: Int
    package var headers: [HTTPField]
    package var body: [UInt8]
    /// The server closes the connection after this answer: if two readers could understand the request differently, the bytes
    /// after it may not be a request.
    package var endsConnection = false

    package init(_ status: Int, type: String, _ body: [UInt8], headers: [HTTPField] = []) {
        self.status = status
        self.headers = [HTTPField("Content-Type", type)] + headers
        self.body = body
    }

    /// A sentence for people.
    package init(_ status: Int, _ sentence: String) {
        self.init(status, type: "text/plain; charset=utf-8", Array("\(sentence)\n".utf8))
    }
}

/// Headers that tell a browser what it must not do with an answer.
package struct SecurityHeaders: Sendable {
    /// The sites that may show the page in a frame, in the syntax of frame-ancestors.
    private let frames: [String]

    package init(frames: [String] = []) {
        self.frames = frames
    }

    /// Whether the page may contain the means to change something. A page that frames it could lay the buttons under the
    /// pointer of a user who wants to press something else, so only a page of its own may. Browsers say which it is. If one
    /// does not, as over HTTP on a network, a page with a single card counts as framed and has no buttons.
    package static func mayChange(_ request: HTTPRequest, _ view: PageView) -> Bool {
        let place = request.header("sec-fetch-dest")
        if place == "document" { return true }
        guard place == nil, request.values("sec-fetch-dest").isEmpty, case .point = view else { return false }
        return true
    }

    /// - Parameter isAlone: whether no page may show this one in a frame.
    package func applied(to answer: HTTPAnswer, isAlone: Bool = false) -> HTTPAnswer {
        var answer = answer
        let ancestors = isAlone ? "'none'" : (["'self'"] + frames).joined(separator: " ")
        answer.headers += [
            HTTPField(
                "Content-Security-Policy",
                "default-src 'none'; style-src 'self'; style-src-attr 'unsafe-inline'; script-src 'self'; img-src 'self'; connect-src 'self'; "
                    + "form-action 'self'; base-uri 'none'; frame-ancestors \(ancestors)"),
            HTTPField("X-Content-Type-Options", "nosniff"),
            HTTPField("Referrer-Policy", "no-referrer"),
            HTTPField("Cross-Origin-Resource-Policy", "same-origin"),
        ]
        // The answers change at any time: a client asks again each time, with the ETag that it has.
        if !answer.headers.contains(where: { $0.name == "Cache-Control" }) {
            answer.headers.append(HTTPField("Cache-Control", "no-cache"))
        }
        return answer
    }

    /// Whether a text may be part of frame-ancestors: an origin without characters that would end the list.
    package static func isOrigin(_ text: String) -> Bool {
        guard let start = ["http://", "https://"].first(where: text.hasPrefix) else { return false }
        let host = text.dropFirst(start.count)
        return !host.isEmpty && host.utf8.allSatisfy { $0.isAlphanumeric || "-.:[]*".utf8.contains($0) }
    }
}

/// The ETag of an answer, with which a client does not get the same body again.
package enum EntityTag {
    /// Weak, because it is a hash of 64 bits.
    static func text(of body: [UInt8]) -> String {
        "W/\"\(StableHash(body).value.digits(16, radix: 16))\""
    }

    /// Adds the tag to an answer to GET, and leaves out its body if the client has it.
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
