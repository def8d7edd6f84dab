// SPDX-License-Identifier: MIT

/// What a browser must not do with an answer.
package struct SecurityHeaders: Sendable {
    /// The sites that may show the page in a frame, as they stand in frame-ancestors.
    private let frames: [String]

    package init(frames: [String] = []) {
        self.frames = frames
    }

    /// Whether a page in a frame may be shown with what it takes to change something. A page around it could lay the buttons
    /// under the pointer of a user who wants to press something else, so that only a page by itself may: a browser says which it
    /// is. Where it does not, as over HTTP on a network, a card of its own is for a frame, and has no buttons.
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
        // The answers change by themselves: a client asks again each time, with the ETag that it has.
        if !answer.headers.contains(where: { $0.name == "Cache-Control" }) {
            answer.headers.append(HTTPField("Cache-Control", "no-cache"))
        }
        return answer
    }

    /// Whether a text may stand in frame-ancestors: an origin, without what would end the list.
    package static func isOrigin(_ text: String) -> Bool {
        guard let start = ["http://", "https://"].first(where: text.hasPrefix) else { return false }
        let host = text.dropFirst(start.count)
        return !host.isEmpty
            && host.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
                case UInt8(ascii: "0")...UInt8(ascii: "9"): true
                default: "-.:[]*".utf8.contains(byte)
                }
            }
    }
}
