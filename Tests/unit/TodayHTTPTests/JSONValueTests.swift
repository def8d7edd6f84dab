// SPDX-License-Identifier: MIT
import Testing

@testable import TodayHTTP

/// Answers in JSON, as authors of widgets read them.
@Suite struct JSONValueTests {
    @Test func valuesAreFoundByKeyAndIndex() throws {
        let value = try JSONValue(parsing: #"{"a": [1, {"b": "2.5"}, null], "t": true, "n": 3.0, "big": "1e400"}"#)
        #expect(value["a"][0].int == 1 && value["a"][-2]["b"].double == 2.5 && value["a"].array.count == 3)
        #expect(value.at("a.1.b").string == "2.5" && value.at("a.-2.b").int == nil && value.at("").exists)
        #expect(value["t"].bool == true && value["n"].int == 3 && value["t"].text == "yes")
        #expect(!value["a"][2].exists && !value["a"][9].exists && !value["a"][-4].exists)
        #expect(value["x"]["y"][0].text == nil && value["a"].text == nil && value["big"].double == nil)
    }

    @Test func whatIsNoJSONIsAnError() throws {
        #expect(throws: HTTPError.self) { _ = try JSONValue(parsing: "<html>") }
    }

    @Test func aListThatHasToBeThere() throws {
        let answer = try JSONValue(parsing: #"{"a": [1, 2], "o": {}, "n": null}"#)
        #expect(try answer["a"].elements().map(\.int) == [1, 2])
        for key in ["o", "n", "missing"] {
            #expect(throws: HTTPError.self) { _ = try answer[key].elements() }
        }
    }

    @Test(arguments: [
        ("https://a.b/c?d=e/f", "https://a.b/c?d=e/f"), ("https://a.b", "https://a.b/"),
        ("https://a.b/", "https://a.b/"),
        ("https://a.b:81//c", "https://a.b:81//c"), ("a.b/c", "a.b/c"),
    ])
    func aURLOfTheUserIsARequest(url: String, asked: String) {
        #expect(HTTPServer.request(for: url, insteadBy: "NO_SUCH_SERVER").url == asked)
    }

    @Test(arguments: [
        ("http://a.b/c", true), ("HTTP://a.b", true), ("https://a.b/c", false), ("https://a.b/http://c", false),
    ])
    func onlyAURLOfTheUserWithHTTPIsAskedWithoutTLS(url: String, isPlain: Bool) {
        #expect(HTTPServer.request(for: url, insteadBy: "NO_SUCH_SERVER").allowsPlainHTTP == isPlain)
    }

    @Test(arguments: [("a b", "a%20b"), ("é/?&=", "%C3%A9%2F%3F%26%3D"), ("aZ09-._~", "aZ09-._~"), ("\n", "%0A")])
    func textIsEncoded(text: String, encoded: String) { #expect(HTTPServer.encoded(text) == encoded) }

    @Test func aServerMakesRequests() {
        let request = HTTPServer("https://a.b", insteadBy: "NO_SUCH_SERVER").request("/p", ["x": "1 2", "y": "é"])
        #expect(request.url == "https://a.b/p?x=1%202&y=%C3%A9" && !request.allowsPlainHTTP)
    }
}
