// SPDX-License-Identifier: MIT
import JSON
import Testing

@testable import TodayModel

@Suite struct WireTests {
    private enum Word: String, WireWord { case one, two }

    private struct Message: WireObject, Equatable {
        var number = 0
        var text: String?
        var isNew = true
        var words: [Word] = []
        var last: Word?
        var notes = ""

        static let blank = Message()

        mutating func list(_ members: inout WireMembers) {
            members("number", &number)
            members("text", &text)
            members(ifAny: "new", &isNew)
            members.write("old", .bool(!isNew))
            members("words", &words)
            members(known: "last", &last)
            members(unlessEmpty: "notes", &notes)
        }
    }

    private static let full = Message(
        number: 7, text: "x", isNew: false, words: [.two, .one], last: .one, notes: "y")

    @Test(arguments: [
        (
            full,
            #"{"number":7,"text":"x","new":false,"old":true,"words":["two","one"],"last":"one","notes":"y"}"#
        ),
        (Message(), #"{"number":0,"new":true,"old":false,"words":[]}"#),
    ])
    private func whatIsWrittenIsRead(message: Message, text: String) throws {
        #expect(message.json.text == text)
        #expect(try Message(JSONField(root: message.json)) == message)
    }

    @Test func whatIsLeftOutHasItsDefault() throws {
        let read = try Message(JSONField(root: ["number": 1, "words": [], "text": nil, "last": "three", "extra": 1]))
        #expect(read == Message(number: 1))
    }

    @Test(arguments: [
        (#"{"words":[]}"#, "number: is missing"), (#"{"number":1}"#, "words: is missing"),
        (#"{"number":"1","words":3}"#, "number: expected a whole number, found a string"),
        (#"{"number":1,"text":2,"words":[]}"#, "text: expected a string, found a number"),
        (#"{"number":1,"new":0,"words":[]}"#, "new: expected true or false, found a number"),
        (#"{"number":1,"words":["one","tow"]}"#, "words[1]: expected"),
        (#"{"number":1,"words":[],"notes":[]}"#, "notes: expected a string, found an array"),
        (#"[]"#, "expected an object"),
    ])
    func theFirstMistakeIsNamed(text: String, words: String) throws {
        let field = JSONField(root: try JSON.parse(text))
        do throws(JSONMismatch) {
            _ = try Message(field)
            Issue.record("\(text) was read")
        } catch {
            #expect("\(error)".hasPrefix(words), "\(error)")
        }
    }
}
