// SPDX-License-Identifier: MIT

/// What a browser must not do with an answer.
package struct SecurityHeaders: Sendable {
    /// The sites that may show the page in a frame, as they stand in frame-ancestors.
    private let frames: [String]

    package init(frames: [String] = []) {
        self.frames = frames
    }

    package func applied(to answer: HTTPAnswer) -> HTTPAnswer {
        var answer = answer
        let ancestors = (["'self'"] + frames).joined(separator: " ")
        answer.headers += [
            HTTPField(
                "Content-Security-Policy",
                "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; "
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
