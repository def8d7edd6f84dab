// SPDX-License-Identifier: MIT

import Platform
import Rendering
import Spelling

/// If there is a token, every request must show it: a browser by a cookie, which it gets through a link with the token, and a
/// program by `Authorization: Bearer`.
package struct TokenGate: Sendable {
    private let token: Secret
    private var attempts = TokenAttempts()

    package init(_ token: Secret) {
        self.token = token
    }

    /// Browsers share cookies between the ports of a host.
    static func cookie(of request: HTTPRequest) -> String {
        let words = (request.header("host") ?? "").split(separator: ":", omittingEmptySubsequences: false)
        guard words.count > 1, let port = words.last, (1...5).contains(port.utf8.count),
            port.utf8.areDigits
        else { return "today-page" }
        return "today-page-\(port)"
    }

    /// A client has no reason to send more.
    private static let mostCookies = 8
    static let parameter = "token"
    /// Longer than a year, so that a display on a wall stays logged in.
    private static let cookieAge = 400 * 86_400

    private enum Sign {
        case cookie(String)
        case bearer(String)
        case link(String)

        var text: String {
            switch self {
            case .cookie(let text), .bearer(let text), .link(let text): text
            }
        }
    }

    /// - Returns: nil for a request that shows the token.
    package mutating func answer(to request: HTTPRequest, at now: Int64) -> HTTPAnswer? {
        let signs = Self.signs(of: request)
        var isTooOften = false
        for sign in signs {
            switch attempts.judge(sign.text, token, from: request.peer?.holder ?? [], at: now) {
            case .right:
                if case .link = sign { return link(request) }
                return nil
            case .wrong: break
            case .tooOften: isTooOften = true
            }
        }
        return isTooOften ? Self.tooOften : Self.refusal(of: request, isWrong: !signs.isEmpty)
    }

    /// The link comes first: through it, a browser with an old cookie gets a new one.
    private static func signs(of request: HTTPRequest) -> [Sign] {
        var signs: [Sign] = []
        if request.path == "/", request.method == "GET", let text = request.parameter(parameter) {
            signs.append(.link(text))
        }
        if let header = request.header("authorization") {
            let words = header.split(separator: " ")
            if words.count == 2, words[0].lowercased() == "bearer" { signs.append(.bearer(String(words[1]))) }
        }
        // Another service of the host can set a cookie of the same name for some paths, and the browser sends that one first
        // (RFC 6265, 5.4).
        let cookie = cookie(of: request)
        var count = 0
        for pair in request.values("cookie").flatMap({ $0.split(separator: ";") }) where count < mostCookies {
            let parts = pair.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, parts[0] == cookie else { continue }
            signs.append(.cookie(String(parts[1])))
            count += 1
        }
        return signs
    }

    // MARK: Answers

    /// Redirects to the same address without the token, which keeps the token out of the history and of screenshots.
    private func link(_ request: HTTPRequest) -> HTTPAnswer {
        var answer = HTTPAnswer(303, "the token is right")
        let isSecure = request.header("x-forwarded-proto")?.lowercased() == "https"
        answer.headers += [
            HTTPField("Location", Self.addressWithoutToken(request)),
            HTTPField(
                "Set-Cookie",
                "\(Self.cookie(of: request))=\(token.text); HttpOnly; SameSite=Strict; Path=/; Max-Age=\(Self.cookieAge)"
                    + (isSecure ? "; Secure" : "")),
            HTTPField("Cache-Control", "no-store"),
        ]
        return answer
    }

    static func addressWithoutToken(_ request: HTTPRequest) -> String {
        let words = request.query.filter { $0.name != parameter }.map { field in
            field.name.percentEncoded + (field.value.isEmpty ? "" : "=\(field.value.percentEncoded)")
        }
        return "/" + (words.isEmpty ? "" : "?\(words.joined(separator: "&"))")
    }

    private static func refusal(of request: HTTPRequest, isWrong: Bool) -> HTTPAnswer {
        let reason = isWrong ? "this is not the token of this page" : "this page needs its token"
        let remedy = "open /?token=... once, or send 'Authorization: Bearer ...'"
        var answer = HTTPAnswer(401, "\(reason): \(remedy)")
        if request.path == "/" {
            // A browser that follows a link of another site leaves out a strict cookie. For a link of this page it sends it.
            let address = Markup.escaped(addressWithoutToken(request))
            let html =
                "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Today</title></head><body><main>\n"
                + "<p>\(reason): \(Markup.escaped(remedy)).</p>\n<p>If this browser has been here before: "
                + "<a href=\"\(address)\">open the page</a>.</p>\n</main></body></html>\n"
            answer = HTTPAnswer(401, type: "text/html; charset=utf-8", Array(html.utf8))
        }
        answer.headers.append(HTTPField("WWW-Authenticate", "Bearer realm=\"today-page\""))
        return answer
    }

    private static var tooOften: HTTPAnswer {
        var answer = HTTPAnswer(429, "too many wrong tokens come from there; wait a minute")
        answer.headers.append(HTTPField("Retry-After", "60"))
        answer.endsConnection = true
        return answer
    }
}
