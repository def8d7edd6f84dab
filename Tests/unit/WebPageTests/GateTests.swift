// SPDX-License-Identifier: MIT
import Platform
import Testing

@testable import WebPage

/// Who may ask.
@Suite struct GateTests {
    private let gate = Gate(names: ["Today.lan"], token: Secret("secret"))

    private func request(_ method: String = "GET", _ path: String = "/", _ headers: [(String, String)]) -> HTTPRequest {
        HTTPRequest(method, path, headers: headers.map { HTTPField($0.0, $0.1) })
    }

    private func status(_ request: HTTPRequest) -> Int? {
        (gate.refusal(of: request) ?? gate.refusal(ofChange: request))?.status
    }

    private static let hosts: [(String, Int?)] = [
        ("localhost", nil), ("localhost:8733", nil), ("LOCALHOST:1", nil), ("127.0.0.1:9000", nil), ("[::1]:8733", nil),
        ("[::1]", nil), ("today.lan", nil), ("Today.LAN:443", nil),
        ("evil.example", 421), ("evil.example:8733", 421), ("localhost.evil.example", 421), ("127.0.0.1.evil", 421),
        ("127.0.0.2", 421), ("", 421), ("localhost:", 421), ("localhost:x", 421), ("localhost:80:80", 421),
        ("localhost:99999", 421), ("localhost:+1", 421), ("[::1", 421), ("[::1]x", 421), ("evil@localhost", 421),
        ("localhost evil", 421), ("localhost/", 421), ("::1", 421),
    ]

    @Test(arguments: hosts.indices) func namesOfThisServerOnly(_ index: Int) {
        let (host, expected) = Self.hosts[index]
        #expect(status(request("GET", "/", [("host", host)])) == expected, "\(host)")
    }

    @Test func aRequestHasOneHost() {
        #expect(status(request("GET", "/", [])) == 421)
        #expect(status(request("GET", "/", [("host", "localhost"), ("host", "localhost")])) == 421)
    }

    private static let owns: [(host: String, own: String, status: Int?)] = [
        ("192.168.1.5", "192.168.1.5", nil), ("192.168.1.5:8733", "192.168.1.5", nil), ("[fe80::1]:80", "fe80::1", nil),
        ("[FE80:0::1]", "fe80::1", nil), ("192.168.1.6", "192.168.1.5", 421), ("fe80::1", "fe80::1", 421),
        ("[192.168.1.5]", "192.168.1.5", 421), ("evil.example", "192.168.1.5", 421), ("0.0.0.0", "192.168.1.5", 421),
        ("192.168.1.5.evil", "192.168.1.5", 421), ("localhost", "192.168.1.5", nil),
        ("[::ffff:1.2.3.4]", "1.2.3.4", 421),
    ]

    @Test(arguments: owns.indices) func theAddressAtWhichItArrives(_ index: Int) {
        let row = Self.owns[index]
        var asked = request("GET", "/", [("host", row.host)])
        asked.own = IPAddress(row.own)
        #expect(status(asked) == row.status, "\(row)")
    }

    private static let origins: [(String, Int?)] = [
        ("http://localhost:8733", nil), ("https://localhost:8733", nil), ("HTTP://LocalHost:8733", nil),
        ("http://localhost:3000", 403), ("http://evil.example", 403), ("null", 403), ("", 403),
        ("http://localhost:87330", 403), ("http://127.0.0.1:8733", 403),
    ]

    @Test(arguments: origins.indices) func aPageOfAnotherSiteMayNotAsk(_ index: Int) {
        let (origin, expected) = Self.origins[index]
        #expect(status(request("GET", "/api/list", [("host", "localhost:8733"), ("origin", origin)])) == expected)
    }

    private static let sites: [(method: String, path: String, site: String, mode: String, status: Int?)] = [
        ("GET", "/api/list", "same-origin", "cors", nil), ("GET", "/", "none", "navigate", nil),
        ("GET", "/", "cross-site", "navigate", nil), ("GET", "/", "same-site", "navigate", nil),
        ("GET", "/", "cross-site", "no-cors", 403), ("GET", "/api/list", "cross-site", "navigate", 403),
        ("GET", "/metrics", "same-site", "no-cors", 403), ("GET", "/page.js", "cross-site", "no-cors", 403),
        ("POST", "/", "cross-site", "navigate", 403),
    ]

    @Test(arguments: sites.indices) func anotherSiteMayOnlyLeadHere(_ index: Int) {
        let row = Self.sites[index]
        let asked = request(
            row.method, row.path,
            [
                ("host", "localhost"), ("sec-fetch-site", row.site), ("sec-fetch-mode", row.mode),
                ("x-today-token", "secret"),
            ])
        #expect(status(asked) == row.status, "\(row)")
    }

    private static let json = ("content-type", "application/json")
    private static let changes: [(headers: [(String, String)], status: Int?)] = [
        ([("x-today-token", "secret"), json], nil),
        ([("x-today-token", "secret"), ("content-type", "application/json; charset=utf-8")], nil),
        ([json], 403), ([("x-today-token", "secreT"), json], 403), ([("x-today-token", "secre"), json], 403),
        ([("x-today-token", ""), json], 403), ([("x-today-token", "secret"), ("x-today-token", "secret"), json], 403),
        ([("x-today-token", "secret")], 415), ([("x-today-token", "secret"), ("content-type", "text/plain")], 415),
        ([("x-today-token", "secret"), json, ("origin", "http://evil.example")], 403),
    ]

    @Test(arguments: changes.indices) func aChangeNeedsTheToken(_ index: Int) {
        let row = Self.changes[index]
        let asked = request("POST", "/api/change/update", [("host", "localhost")] + row.headers)
        #expect(status(asked) == row.status, "\(row.headers)")
    }

    @Test func nothingChangesWithoutPermission() {
        let asked = request("POST", "/api/change/update", [("host", "localhost"), ("x-today-token", ""), Self.json])
        #expect(Gate(token: nil).refusal(of: asked) == nil)
        #expect(Gate(token: nil).refusal(ofChange: asked)?.status == 403)
        #expect(Gate(token: nil).refusal(of: request("GET", "/", [("host", "localhost")])) == nil)
    }
}

/// Requests that two readers could cut at different places.
@Suite struct RequestShapeTests {
    private static let rows: [(method: String, headers: [(String, String)], status: Int?)] = [
        ("GET", [("host", "a")], nil), ("GET", [("host", "a"), ("content-length", "0")], nil),
        ("POST", [("host", "a"), ("content-length", "8192")], nil),
        ("POST", [("host", "a"), ("content-length", "8193")], 413),
        ("POST", [("host", "a"), ("content-length", "99999999999999999999")], 413),
        ("POST", [("host", "a")], 411), ("GET", [], 400), ("GET", [("host", "a"), ("host", "b")], 400),
        ("GET", [("host", "a"), ("content-length", "5")], 400),
        ("POST", [("host", "a"), ("content-length", "5"), ("content-length", "5")], 400),
        ("POST", [("host", "a"), ("content-length", "5"), ("transfer-encoding", "chunked")], 411),
        ("GET", [("host", "a"), ("transfer-encoding", "identity")], 411),
        ("POST", [("host", "a"), ("content-length", "+5")], 400),
        ("POST", [("host", "a"), ("content-length", "-1")], 400),
        ("POST", [("host", "a"), ("content-length", "5,5")], 400),
        ("POST", [("host", "a"), ("content-length", "")], 400),
        ("POST", [("host", "a"), ("content-length", "0x5")], 400),
        ("GET", [("host", "a"), ("content-length ", "5")], 400), ("GET", [("host", "a"), ("", "5")], 400),
        ("GET", [("host", "a"), (" x", "5")], 400), ("GET", [("host", "a"), ("x(y)", "5")], 400),
        ("GET", [("host", "a"), ("x", "a\rb")], 400), ("GET", [("host", "a"), ("x", "a\0b")], 400),
        ("GET", [("host", "a\0.evil")], 400), ("GET", [("host", "a"), ("x", "a\u{7f}")], 400),
        ("GET", [("host", "a"), ("x-y_1~", "a\té \"x\"")], nil),
    ]

    private static let targets: [(target: String, clarity: RequestShape.Clarity)] = [
        ("/", .clear), ("/?a&b", .clear), ("/%20%0", .clear), ("/%00", .unclear), ("/x?a=%00b", .unclear),
        ("/%2500", .clear), ("/?" + String(repeating: "&", count: 99), .clear),
        ("/?" + String(repeating: "&", count: 100), .tooLong),
        ("/%00?" + String(repeating: "a&", count: 500), .tooLong),
    ]

    @Test(arguments: targets.indices) func oneAddress(_ index: Int) {
        let row = Self.targets[index]
        #expect(RequestShape.clarity(ofTarget: row.target.utf8.map { CChar(bitPattern: $0) }) == row.clarity, "\(row)")
    }

    @Test func anUnclearAddressIsABadRequest() {
        let answer = RequestShape.refusal(of: HTTPRequest("GET", "/", headers: []), isUnclear: true)
        #expect(answer?.status == 400 && answer?.endsConnection == true)
    }

    @Test(arguments: [
        ("http://a", true), ("https://a.b:80", true), ("http://", false), ("https://", false), ("a.b", false),
        ("http://a b", false), ("http://a;x", false),
    ])
    func anOriginIsSchemeAndHost(text: String, isOne: Bool) { #expect(SecurityHeaders.isOrigin(text) == isOne) }

    @Test(arguments: rows.indices) func oneMeaning(_ index: Int) {
        let row = Self.rows[index]
        let request = HTTPRequest(row.method, "/", headers: row.headers.map { HTTPField($0.0, $0.1) })
        let refusal = RequestShape.refusal(of: request)
        #expect(refusal?.status == row.status, "\(row)")
        #expect(refusal?.endsConnection ?? true)
    }
}
