// SPDX-License-Identifier: MIT
import Platform
import Testing

@testable import WebPage

private let right = "0123456789abcdef0123456789abcdef"

/// Who has shown the token.
@Suite struct TokenGateTests {
    private func status(_ request: HTTPRequest) -> Int? {
        var gate = TokenGate(Secret(right))
        return gate.answer(to: request, at: 0)?.status
    }

    private func request(
        _ path: String = "/", method: String = "GET", query: [(String, String)] = [], _ headers: (String, String)...
    ) -> HTTPRequest {
        HTTPRequest(
            method, path, query: query.map { HTTPField($0.0, $0.1) }, headers: headers.map { HTTPField($0.0, $0.1) })
    }

    private static let headers: [(name: String, value: String, status: Int?)] = [
        ("cookie", "today-page=\(right)", nil), ("cookie", "a=b; today-page=\(right); c=d", nil),
        ("cookie", "today-page=\(right)x", 401), ("cookie", "today-page=", 401), ("cookie", "today-page", 401),
        ("cookie", "xtoday-page=\(right)", 401), ("cookie", "today-page=x; today-page=\(right)", nil),
        ("cookie", right, 401), ("authorization", "Bearer \(right)", nil), ("authorization", "bearer \(right)", nil),
        ("authorization", "Bearer \(right) x", 401), ("authorization", "Basic \(right)", 401),
        ("authorization", right, 401), ("authorization", "", 401), ("x-today-token", right, 401),
    ]

    @Test(arguments: headers.indices) func aHeaderShowsIt(_ index: Int) {
        let row = Self.headers[index]
        for path in ["/", "/api/list", "/metrics", "/page.js"] {
            #expect(status(request(path, (row.name, row.value))) == row.status, "\(row) \(path)")
        }
        #expect(status(request("/api/change/update", method: "POST", (row.name, row.value))) == row.status)
    }

    /// A service at another port of the host can set cookies that the browser sends first.
    @Test func anotherServicesCookiesDoNotKeepOut() {
        let wrong = (0..<7).map { "today-page=x\($0)" }.joined(separator: "; ")
        #expect(status(request("/api/list", ("cookie", "\(wrong); today-page=\(right)"))) == nil)
        #expect(status(request("/api/list", ("cookie", "\(wrong); today-page=y; today-page=\(right)"))) == 401)
    }

    static let hosts: [(host: String, cookie: String)] = [
        ("a.b:8733", "today-page-8733"), ("192.0.2.1:80", "today-page-80"), ("[::1]:8733", "today-page-8733"),
        ("a.b", "today-page"), ("[::1]", "today-page"), ("a.b:", "today-page"), ("a.b:123456", "today-page"),
        ("a:8733; x", "today-page"), ("", "today-page"),
    ]

    @Test(arguments: hosts.indices) func eachPortHasACookie(index: Int) throws {
        let (host, cookie) = Self.hosts[index]
        var gate = TokenGate(Secret(right))
        let given = gate.answer(to: request(query: [("token", right)], ("host", host)), at: 0)
        let answer = try #require(given)
        let header = try #require(answer.headers.first { $0.name == "Set-Cookie" })
        #expect(header.value.hasPrefix("\(cookie)=\(right); "))
        #expect(status(request("/api/list", ("host", host), ("cookie", "\(cookie)=\(right)"))) == nil)
        #expect(status(request("/api/list", ("host", host), ("cookie", "today-page-1=\(right)"))) == 401)
    }

    @Test func aLinkGivesACookieAndLeadsOn() throws {
        var gate = TokenGate(Secret(right))
        let link = request(query: [("token", right), ("widget", "a.b"), ("kiosk", ""), ("x&=", "é\r\n")])
        let given = gate.answer(to: link, at: 0)
        let answer = try #require(given)
        #expect(answer.status == 303)
        let headers = Dictionary(uniqueKeysWithValues: answer.headers.map { ($0.name, $0.value) })
        #expect(headers["Location"] == "/?widget=a.b&kiosk&x%26%3D=%C3%A9%0D%0A")
        let cookie = try #require(headers["Set-Cookie"])
        #expect(cookie.hasPrefix("today-page=\(right); HttpOnly; SameSite=Strict; Path=/; Max-Age="))
        #expect(!cookie.contains("Secure"))
        #expect(headers["Cache-Control"] == "no-store")
    }

    @Test func behindAProxyTheCookieIsForTLSOnly() throws {
        var gate = TokenGate(Secret(right))
        let given = gate.answer(to: request(query: [("token", right)], ("x-forwarded-proto", "https")), at: 0)
        let answer = try #require(given)
        #expect(answer.headers.contains { $0.name == "Set-Cookie" && $0.value.hasSuffix("; Secure") })
    }

    @Test func onlyTheFirstPageTakesALink() {
        #expect(status(request("/api/list", query: [("token", right)])) == 401)
        #expect(status(request(method: "HEAD", query: [("token", right)])) == 401)
        #expect(status(request(query: [("token", "x"), ("token", right)])) == 401)
        #expect(status(request(query: [("token", "")])) == 401)
    }

    /// A browser leaves a strict cookie out where a page of another site leads here, but not where this one does.
    @Test func aRefusedBrowserFindsTheWay() throws {
        var gate = TokenGate(Secret(right))
        let answer = gate.answer(to: request(query: [("token", "<x>"), ("widget", "a.b\"><script>")]), at: 0)
        let text = String(decoding: try #require(answer).body, as: UTF8.self)
        #expect(text.contains("<a href=\"/?widget=a.b%22%3E%3Cscript%3E\">"))
        #expect(!text.contains("<x>"))
        let other = gate.answer(to: request("/api/list"), at: 0)
        let plain = try #require(other)
        #expect(plain.headers.contains(HTTPField("Content-Type", "text/plain; charset=utf-8")))
        #expect(plain.headers.contains { $0.name == "WWW-Authenticate" })
    }

    @Test func tooManyAttemptsEndTheConnection() throws {
        var gate = TokenGate(Secret(right))
        var asked = request("/api/list")
        asked.peer = IPAddress("192.0.2.7")
        for number in 0..<10 {
            asked.headers = [HTTPField("authorization", "Bearer wrong\(number)")]
            let answer = gate.answer(to: asked, at: 0)
            #expect(answer?.status == 401)
        }
        asked.headers = [HTTPField("authorization", "Bearer wrong10")]
        var answer = gate.answer(to: asked, at: 0)
        #expect(answer?.status == 429 && answer?.endsConnection == true)
        #expect(answer?.headers.contains(HTTPField("Retry-After", "60")) == true)
        asked.peer = IPAddress("192.0.2.8")
        answer = gate.answer(to: asked, at: 0)
        #expect(answer?.status == 401)
    }
}

/// How many tokens a client may try.
@Suite struct TokenAttemptsTests {
    private let token = Secret(right)
    private static let second: Int64 = 1_000_000

    /// Tries other texts until it is too many.
    private func exhausted(_ attempts: inout TokenAttempts, _ holder: [UInt8], at now: Int64) -> Int {
        for number in 0..<100 where attempts.judge("\(now) \(number)", token, from: holder, at: now) == .tooOften {
            return number
        }
        return 100
    }

    @Test func tenAtOnceAndThenOneInSixSeconds() {
        var attempts = TokenAttempts()
        var count = exhausted(&attempts, [1], at: 0)
        #expect(count == 10)
        count = exhausted(&attempts, [1], at: 5 * Self.second)
        #expect(count == 0)
        count = exhausted(&attempts, [1], at: 6 * Self.second)
        #expect(count == 1)
        count = exhausted(&attempts, [1], at: 600 * Self.second)
        #expect(count == 10)
        count = exhausted(&attempts, [2], at: 0)
        #expect(count == 10)
    }

    /// A client of the same proxy may try what it wants.
    @Test func theRightOneIsNeverKeptOut() {
        var attempts = TokenAttempts()
        _ = exhausted(&attempts, [1], at: 0)
        var judgement = attempts.judge(right, token, from: [1], at: 0)
        #expect(judgement == .right)
        judgement = attempts.judge("another", token, from: [1], at: 0)
        #expect(judgement == .tooOften)
    }

    @Test func theSameTextIsOneAttempt() {
        var attempts = TokenAttempts()
        for number in 0..<1_000 {
            let judgement = attempts.judge("old \(number % 5)", token, from: [1], at: 0)
            #expect(judgement == .wrong)
        }
        let count = exhausted(&attempts, [1], at: 0)
        #expect(count == 5)
    }

    @Test func whatNoTokenCanBeIsNoAttempt() {
        var attempts = TokenAttempts()
        for text in ["", String(repeating: "x", count: 257)] {
            let judgement = attempts.judge(text, token, from: [1], at: 0)
            #expect(judgement == .wrong)
        }
        #expect(attempts.count == 0)
    }

    @Test func thereIsAnEndToTheMemory() {
        var attempts = TokenAttempts()
        for number in 0..<2_000 {
            let holder: [UInt8] = [UInt8(number / 256), UInt8(number % 256), 1]
            let judgement = attempts.judge("x", token, from: holder, at: Int64(number))
            #expect(judgement == .wrong)
        }
        #expect(attempts.count == TokenAttempts.mostClients)
    }
}

@Suite struct SecretTests {
    @Test func isShownByItselfAlone() {
        let secret = Secret(right)
        #expect(secret.isShown(by: right))
        for other in [
            "", "0", String(right.dropLast()), right + "0", right + right, right.uppercased(), "x" + right.dropFirst(),
        ] {
            #expect(!secret.isShown(by: other), "\(other)")
        }
        #expect(!Secret("").isShown(by: ""))
    }

    @Test func aRandomOneIsLongAndNew() {
        let (one, other) = (Secret.random(), Secret.random())
        #expect(one.text.count == 32)
        #expect(one != other)
    }

    private static let files: [(text: String, reason: String?)] = [
        (right, nil), (right + "\n", nil), ("  \(right) \r\n", nil), (String(right.dropLast()), "less than 128"),
        ("", "less than 128"), ("\n", "less than 128"), (String(repeating: "a", count: 64), "less than 128"),
        (String(repeating: "secret", count: 12), "less than 128"), ("123456789012345678901234567890123456789", nil),
        ("12345678901234567890123456789012345678", "less than 128"), ("Zk3-9fQx.Lw7~aP2_rTb8u", nil),
        ("Zk3-9fQx.Lw7~aP2_rTb8", "less than 128"), ("zk3-9fqx.lw7~ap2_rtb8uvwxy", nil),
        ("zk3-9fqx.lw7~ap2_rtb8uvwx", "less than 128"), (right + "=", "other characters"),
        (right + " " + right, "other characters"), (right + "\0", "other characters"),
        (right + "é", "other characters"),
        (String(repeating: right, count: 8), nil), (String(repeating: right, count: 8) + "0", "longer than 256"),
    ]

    @Test(arguments: files.indices) func aTokenFileHasAnUnguessableText(_ index: Int) {
        let row = Self.files[index]
        do {
            let secret = try TokenText.secret(Array(row.text.utf8))
            #expect(row.reason == nil && row.text.contains(secret.text), "\(row.text)")
        } catch {
            #expect(row.reason.map { error.reason.contains($0) } ?? false, "\(row.text): \(error.reason)")
        }
    }
}
