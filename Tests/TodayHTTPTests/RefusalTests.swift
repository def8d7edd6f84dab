// SPDX-License-Identifier: MIT
import Testing

@testable import TodayHTTP

/// Requests that are not sent, and the values behind messages.
@Suite(.serialized) struct RefusalTests {
    private func refusal(_ url: String, _ change: (inout HTTPRequest) -> Void = { _ in }) -> String? {
        var request = HTTPRequest(url)
        change(&request)
        do {
            _ = try Exchange(request)
            return nil
        } catch {
            return error.description
        }
    }

    @Test func plainHTTPMustBeAskedFor() {
        #expect(
            refusal("http://example.org/a?token=secret")
                == "http:// is not allowed unless asked for (allowsPlainHTTP): http://example.org/a")
        #expect(refusal("http://example.org/a") { $0.allowsPlainHTTP = true } == nil)
        #expect(refusal("HTTPS://example.org/a") == nil)
    }

    @Test func onlyHTTPURLsAreSent() {
        let kinds = ["ftp", "gopher", "dict", "smtp", "ldap", "unknown"]
        for kind in kinds {
            #expect(refusal("\(kind)://example.org/a") == "only https and http are supported, not '\(kind)'")
        }
        #expect(refusal("file:///etc/passwd") == "only https and http are supported, not 'file'")
        #expect(refusal("") == "'' is not a URL such as https://example.org/")
        #expect(refusal("example.org/a") == "'example.org/a' is not a URL such as https://example.org/")
        #expect(refusal("https://") == "'https://' is not a URL such as https://example.org/")
        #expect(refusal("https://h:99999/") == "'https://h:99999/' is not a URL such as https://example.org/")
    }

    @Test func urlsCannotSmuggle() {
        let words = "the URL contains a space or a control character: "
        #expect(refusal("https://example.org/a b") == words + "https://example.org/a b")
        #expect(refusal("https://example.org/a\r\nX: y") == words + "https://example.org/a X: y")
        #expect(refusal("https://example.org/\u{0}") == words + "https://example.org/ ")
        #expect(refusal("https://example.org/\u{7f}") == words + "https://example.org/ ")
        #expect(refusal("https://example.org/\u{1b}[31m") == words + "https://example.org/ [31m")
    }

    @Test func urlsHaveNoPasswords() {
        let words = "user names and passwords are not allowed in URLs; use an Authorization header"
        #expect(refusal("https://user:secret@example.org/") == words)
        #expect(refusal("https://user@example.org/") == words)
    }

    @Test func headersCannotSmuggle() {
        func words(_ name: String, _ value: String) -> String? {
            refusal("https://example.org/") { $0.headers[name] = value }
        }
        let control = "the value of the header 'X-A' contains a line break or another control character"
        for value in ["a\r\nX-B: c", "a\nb", "a\rb", "a\u{0}b", "a\u{7f}", "\u{1b}[0m"] {
            #expect(words("X-A", value) == control, "\(Array(value.utf8))")
        }
        #expect(words("X-A", "a\tb ü") == nil)
        for name in ["", "X A", "X:", "X\r\n", "Ü", "X\u{0}"] {
            #expect(words(name, "a")?.hasSuffix(" is not a name of a header") == true, "\(Array(name.utf8))")
        }
        for name in ["host", "Content-Length", "transfer-encoding", "CONNECTION", "TE", "Upgrade"] {
            #expect(words(name, "a") == "the header '\(name)' cannot be given: it follows from the request")
        }
    }

    @Test func contentTypesCannotSmuggle() {
        func words(_ type: String) -> String? {
            refusal("https://example.org/") { $0.method = .post([], contentType: type) }
        }
        #expect(words("a/b\r\nX: y") == "the content type is empty or contains a control character")
        #expect(words("") == "the content type is empty or contains a control character")
        #expect(words("application/json; charset=utf-8") == nil)
        let twice = refusal("https://example.org/") {
            $0.method = .post([], contentType: "a/b")
            $0.headers["content-type"] = "c/d"
        }
        #expect(twice == "the header 'Content-Type' cannot be given: it follows from the request")
    }

    @Test func limitsAreSensible() {
        #expect(refusal("https://example.org/") { $0.timeout = .zero } == "the timeout is not positive")
        #expect(refusal("https://example.org/") { $0.sizeLimit = -1 } == "the size limit is negative")
        #expect(refusal("https://example.org/") { $0.redirectLimit = -1 } == "the redirect limit is negative")
        #expect(refusal("https://example.org/") { $0.timeout = .seconds(Int64.max) } == nil)
    }

    @Test func aRefusedRequestIsNotSent() async {
        #expect(await failure(of: HTTPRequest("file:///etc/passwd")) == "only https and http are supported, not 'file'")
    }

    @Test func sizesAndTimesAreInWords() {
        #expect(Words.size(0) == "0 bytes")
        #expect(Words.size(1) == "1 byte")
        #expect(Words.size(1023) == "1023 bytes")
        #expect(Words.size(1024) == "1 KiB")
        #expect(Words.size(1500 << 10) == "1500 KiB")
        #expect(Words.size(10 << 20) == "10 MiB")
        #expect(Words.time(.seconds(10)) == "10 s")
        #expect(Words.time(.milliseconds(1500)) == "1.5 s")
        #expect(Words.time(.milliseconds(1005)) == "1.005 s")
        #expect(Words.time(.milliseconds(300)) == "300 ms")
        #expect(Words.time(.nanoseconds(1)) == "1 ms")
    }

    @Test func headersAreInOrderAndOfAnyCase() {
        var headers: HTTPHeaders = ["A": "1", "b": "2"]
        headers.append("a", "3")
        #expect(headers["a"] == "1")
        #expect(headers.values(of: "A") == ["1", "3"])
        headers["a"] = "4"
        #expect(headers.fields.map(\.name) == ["b", "a"])
        headers["B"] = nil
        #expect(headers.fields.map(\.value) == ["4"])
    }
}
