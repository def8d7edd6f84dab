// SPDX-License-Identifier: MIT
import Glibc
import JSON
import TestSupport
import Testing
import Varlink

/// What the real agenda says to todayd, to one that refuses, and to one that will only start.
@Suite struct NoticeTests {
    private static let notes = "todayd/groups/group.org.todayd.agenda/pending"
    private let home = TemporaryDirectory()

    private func agenda(_ arguments: String..., socket: String = "/nonexistent") throws -> WidgetProgram.Ending {
        try WidgetProgram("agenda", arguments, environment: ["XDG_STATE_HOME": home.path, "TODAYD_SOCKET": socket])
            .finish()
    }

    /// A todayd with these answers; where it keeps its state, it says.
    private func service(_ directory: String, _ answer: VarlinkReply) -> ScriptedService {
        ScriptedService(at: home("socket"), connections: 20) { peer in
            while let call = peer.receive() {
                peer.send(
                    call.memberName == "Status"
                        ? VarlinkReply(["daemon": ["stateDirectory": .string(directory)], "widgets": []]) : answer)
            }
        }
    }

    // MARK: A todayd that runs

    struct Answer: Sendable, CustomTestStringConvertible {
        let error: String
        let parameters: JSONObject
        let status: Int32
        let words: String
        var testDescription: String { error }
    }

    static let answers: [Answer] = [
        Answer(error: "Refused", parameters: ["reason": "ask root"], status: 6, words: "is not told: ask root\n"),
        Answer(error: "NotStored", parameters: ["reason": "disk full"], status: 6, words: "is not told: disk full\n"),
        Answer(error: "LimitReached", parameters: ["reason": "too many"], status: 6, words: "is not told: too many\n"),
        Answer(error: "NoSuchWidget", parameters: ["id": "org.todayd.agenda"], status: 0, words: ""),
        Answer(error: "NoSuchGroup", parameters: ["group": "group.org.todayd.agenda"], status: 0, words: ""),
    ]

    @Test(arguments: answers) func aRefusalIsSaidAndEndsNonZero(answer: Answer) throws {
        let error = VarlinkError(name: "org.todayd.Today.\(answer.error)", parameters: answer.parameters)
        let service = service(try home.makeDirectory("state"), VarlinkReply(error))
        defer { withExtendedLifetime(service) {} }
        for arguments in [["add", "Call Ada"], ["done", "1"], ["remove", "1"], ["refresh"]] {
            let ending = try WidgetProgram(
                "agenda", arguments, environment: ["XDG_STATE_HOME": home.path, "TODAYD_SOCKET": home("socket")]
            ).finish()
            #expect(ending.status == answer.status)
            #expect(ending.errors.hasSuffix(answer.words) && ending.errors.isEmpty == answer.words.isEmpty)
        }
        #expect(!home.exists("state/groups/group.org.todayd.agenda/pending"), "it runs, and needs no note")
    }

    @Test func aTodaydOfAnotherUserCannotSeeTheAgenda() throws {
        let service = service("/nonexistent/state", VarlinkReply(["values": [:]]))
        let ending = try agenda("add", "Call Ada", socket: home("socket"))
        withExtendedLifetime(service) {}
        #expect(ending.status == 6)
        #expect(ending.output == "Added 1: Call Ada, due today.\n", "the item is kept")
        #expect(ending.errors.contains("runs as another user") && ending.errors.contains("systemctl --user enable"))
    }

    // MARK: A todayd that does not run

    private func left() throws -> [JSON] {
        try home.read(Self.notes).split(separator: "\n").map { try JSON.parse(Array($0.utf8)) }
    }

    @Test func whileTodaydIsDownItLeavesANote() throws {
        #expect(try agenda("add", "Call Ada").status == 0)
        let calls = try left()
        #expect(calls.map { $0["method"] } == ["org.todayd.Today.SetHasContent", "org.todayd.Today.SetDefaults"])
        #expect(calls.first?["parameters"] == ["id": "org.todayd.agenda", "hasContent": true])
        #expect(calls.last?["parameters"]?["group"] == "group.org.todayd.agenda")
        #expect(calls.last?["parameters"]?["key"] == "changed")
        #expect(calls.last?["parameters"]?["value"]?["value"]?.stringValue?.isEmpty == false)
        var status = stat()
        #expect(stat(home(Self.notes), &status) == 0 && status.st_mode & 0o777 == 0o600)
        #expect(try agenda("done", "1").status == 0)
        #expect(try left().count == 3, "to be done with something shows nothing")
    }

    @Test func whatAnotherHasLeftHalfDoneIsNotContinued() throws {
        try home.makeDirectory("todayd/groups/group.org.todayd.agenda")
        try home.write(#"{"method":"org.tod"#, to: Self.notes, mode: 0o600)
        #expect(try agenda("add", "Call Ada").status == 0)
        let lines = try home.read(Self.notes).split(separator: "\n")
        #expect(lines.count == 3)
        #expect(try JSON.parse(Array(lines[1].utf8))["method"] == "org.todayd.Today.SetHasContent")
    }

    @Test func aLinkInItsPlaceIsNotFollowed() throws {
        try home.makeDirectory("todayd/groups/group.org.todayd.agenda")
        try home.write("precious", to: "precious")
        try home.link(Self.notes, to: home("precious"))
        let ending = try agenda("add", "Call Ada")
        #expect(ending.status == 6)
        #expect(ending.errors.contains("will not be told: cannot write"))
        #expect(try home.read("precious") == "precious")
    }

    @Test func aFullNoteIsSaidWithWhatToDo() throws {
        try home.makeDirectory("todayd/groups/group.org.todayd.agenda")
        try home.write(String(repeating: "x", count: 65_500) + "\n", to: Self.notes, mode: 0o600)
        let ending = try agenda("add", "Call Ada")
        #expect(ending.status == 6)
        #expect(ending.errors.contains("is full; start todayd"))
        #expect(try home.bytes(of: Self.notes).count == 65_501)
    }
}
