// SPDX-License-Identifier: MIT
import Testing

@testable import TodayHTTP

/// Requests that are invalid and not sent, and the reasons.
@Suite struct InvalidRequestTests {
    /// Why the request is invalid; nil if it is valid.
    private func problem(_ url: String, _ change: (inout HTTPRequest) -> Void = { _ in }) -> String? {
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
            problem("http://example.org/a?token=secret")
                == "http:// is not allowed unless asked for (allowsPlainHTTP): http://example.org/a")
        #expect(problem("http://example.org/a") { $0.allowsPlainHTTP = true } == nil)
        #expect(problem("HTTPS://example.org/a") == nil)
    }

    @Test func onlyHTTPURLsAreAllowed() {
        let kinds = ["ftp", "gopher", "dict", "smtp", "ldap", "unknown"]
        for kind in kinds {
            #expect(problem("\(kind)://example.org/a") == "only https and http are supported, not '\(kind)'")
        }
        #expect(problem("file:///etc/passwd") == "only https and http are supported, not 'file'")
        #expect(problem("") == "'' is not a URL such as https://example.org/")
        #expect(problem("example.org/a") == "'example.org/a' is not a URL such as https://example.org/")
        #expect(problem("https://") == "'https://' is not a URL such as https://example.org/")
        #expect(problem("https://h:99999/") == "'https://h:99999/' is not a URL such as https://example.org/")
    }

    @Test func urlsHaveNoSpacesOrControlCharacters() {
        let words = "the URL contains a space or a control character: "
        #expect(problem("https://example.org/a b") == words + "https://example.org/a b")
        #expect(problem("https://example.org/a\r\nX: y") == words + "https://example.org/a X: y")
        #expect(problem("https://example.org/\u{0}") == words + "https://example.org/ ")
        #expect(problem("https://example.org/\u{7f}") == words + "https://example.org/ ")
        #expect(problem("https://example.org/\u{1b}[31m") == words + "https://example.org/ [31m")
    }

    @Test func urlsHaveNoUserNames() {
        let words = "user names and passwords are not allowed in URLs; use an Authorization header"
        #expect(problem("https://user:secret@example.org/") == words)
        #expect(problem("https://user@example.org/") == words)
    }

    @Test func headersCannotEndTheirLineOrTheRequest() {
        func words(_ name: String, _ value: String) -> String? {
            problem("https://example.org/") { $0.headers[name] = value }
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

    @Test func contentTypesCannotEndTheirLine() {
        func words(_ type: String) -> String? {
            problem("https://example.org/") { $0.method = .post([], contentType: type) }
        }
        #expect(words("a/b\r\nX: y") == "the content type is empty or contains a control character")
        #expect(words("") == "the content type is empty or contains a control character")
        #expect(words("application/json; charset=utf-8") == nil)
        let twice = problem("https://example.org/") {
            $0.method = .post([], contentType: "a/b")
            $0.headers["content-type"] = "c/d"
        }
        #expect(twice == "the header 'Content-Type' cannot be given: it follows from the request")
    }

    @Test func limitsAreNotNegative() {
        #expect(problem("https://example.org/") { $0.timeout = .zero } == "the timeout is not positive")
        #expect(problem("https://example.org/") { $0.sizeLimit = -1 } == "the size limit is negative")
        #expect(problem("https://example.org/") { $0.redirectLimit = -1 } == "the redirect limit is negative")
        #expect(problem("https://example.org/") { $0.timeout = .seconds(Int64.max) } == nil)
    }

    @Test func anInvalidRequestIsNotSent() async {
        #expect(await failure(of: HTTPRequest("file:///etc/passwd")) == "only https and http are supported, not 'file'")
    }

    @Test func headersKeepTheirOrderAndIgnoreCase() {
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
