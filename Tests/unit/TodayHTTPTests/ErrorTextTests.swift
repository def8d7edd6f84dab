// SPDX-License-Identifier: MIT
import Testing

@testable import TodayHTTP

/// The text of errors, and the limits of a request.
@Suite struct ErrorTextTests {
    @Test(arguments: [
        (0, "0 bytes"), (1, "1 byte"), (2, "2 bytes"), (1_023, "1023 bytes"), (1_024, "1 KiB"), (1_025, "1025 bytes"),
        (1_536, "1536 bytes"), (65_536, "64 KiB"), (1_048_575, "1048575 bytes"), (1_048_576, "1 MiB"),
        (1_572_864, "1536 KiB"), (1_536_000, "1500 KiB"), (10_485_760, "10 MiB"),
    ])
    func sizesAreExact(bytes: Int, text: String) { #expect(ErrorText.size(bytes) == text) }

    @Test(arguments: [
        (Duration.zero, "0 ms"), (.milliseconds(1), "1 ms"), (.microseconds(1), "1 ms"), (.milliseconds(999), "999 ms"),
        (.seconds(1), "1 s"), (.milliseconds(1_500), "1.5 s"), (.milliseconds(1_050), "1.05 s"),
        (.milliseconds(1_005), "1.005 s"),
        (.milliseconds(300), "300 ms"), (.nanoseconds(1), "1 ms"), (.seconds(10), "10 s"), (.seconds(90), "90 s"),
    ])
    func timesAreShort(duration: Duration, text: String) { #expect(ErrorText.time(duration) == text) }

    @Test(arguments: [
        (Duration.milliseconds(5), 5, 1), (.microseconds(5_001), 6, 1), (.seconds(2), 2_000, 2),
        (.milliseconds(2_001), 2_001, 3),
        (.seconds(2_000_000), 1_000_000_000, 2_000_000), (.seconds(-2_000_000), -1_000_000_000, -2_000_000),
        (.zero, 0, 0),
        (.milliseconds(-1_500), -1_500, -1),
    ])
    func durationsAreRoundedUp(duration: Duration, milliseconds: Int, seconds: Int) {
        #expect(duration.milliseconds == milliseconds && duration.wholeSeconds == seconds)
    }

    @Test(arguments: [
        ("https://a.example/x?token=1", "https://a.example/x"), ("https://a.example/x#y", "https://a.example/x"),
        ("https://me:secret@a.example/x", "https://a.example/x"), ("https://a.example/@x", "https://a.example/@x"),
        ("me@a.example", "a.example"), ("https://a@b@c/", "https://c/"), ("", ""),
    ])
    func urlsHaveNoSecrets(url: String, text: String) { #expect(ErrorText.url(url) == text) }

    @Test func printableTextIsVisibleAndShort() {
        #expect(ErrorText.printable("a\u{1b}\n\t b~\u{7f}".utf8, limit: 20) == "a b~ ")
        #expect(
            ErrorText.printable("abcdef".utf8, limit: 5) == "abcde…"
                && ErrorText.printable("abcde".utf8, limit: 5) == "abcde")
        #expect(ErrorText.url(String(repeating: "x", count: 121)).utf8.count == 123)
    }

    /// The registered codes, each under its number.
    @Test func statusesHaveTheirPhrases() {
        let phrases = StatusPhrase.table.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        #expect(
            phrases == [
                "200 OK", "201 Created", "202 Accepted", "203 Non-Authoritative Information", "204 No Content",
                "205 Reset Content", "206 Partial Content", "300 Multiple Choices", "301 Moved Permanently",
                "302 Found",
                "303 See Other", "304 Not Modified", "305 Use Proxy", "307 Temporary Redirect",
                "308 Permanent Redirect",
                "400 Bad Request", "401 Unauthorized", "402 Payment Required", "403 Forbidden", "404 Not Found",
                "405 Method Not Allowed", "406 Not Acceptable", "407 Proxy Authentication Required",
                "408 Request Timeout",
                "409 Conflict", "410 Gone", "411 Length Required", "412 Precondition Failed", "413 Content Too Large",
                "414 URI Too Long", "415 Unsupported Media Type", "416 Range Not Satisfiable", "417 Expectation Failed",
                "421 Misdirected Request", "422 Unprocessable Content", "425 Too Early", "426 Upgrade Required",
                "428 Precondition Required", "429 Too Many Requests", "431 Request Header Fields Too Large",
                "451 Unavailable For Legal Reasons", "500 Internal Server Error", "501 Not Implemented",
                "502 Bad Gateway",
                "503 Service Unavailable", "504 Gateway Timeout", "505 HTTP Version Not Supported",
                "511 Network Authentication Required",
            ])
    }

    /// The limits that the documentation of `HTTPRequest` has.
    @Test func aRequestHasLimits() {
        let request = HTTPRequest("https://a.example")
        #expect(request.timeout == .seconds(10) && request.sizeLimit == 1_048_576 && request.redirectLimit == 5)
        #expect(!request.allowsPlainHTTP && request.cache == nil && request.headers.fields.isEmpty)
        if case .get = request.method {} else { Issue.record("\(request.method)") }
        let cache = HTTPCache(directory: "/x")
        #expect(!cache.keepsBodies && cache.fileLimit == 64)
        #expect(HTTPCache(directory: "/x", fileLimit: 0).fileLimit == 1)
    }

    @Test(
        arguments: [(0, 0 as Int?, nil), (5, nil, nil), (5, 10, 0.5), (20, 10, 1.0), (0, 10, 0.0)]
            as [(Int, Int?, Double?)])
    func progressIsAFractionWhereItIsKnown(received: Int, expected: Int?, fraction: Double?) {
        #expect(HTTPProgress(received: received, expected: expected).fraction == fraction)
    }
}
