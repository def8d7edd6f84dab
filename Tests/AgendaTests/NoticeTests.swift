// SPDX-License-Identifier: MIT
import Glibc
import JSON
import TestSupport
import Testing
import Varlink

/// How the real agenda tells todayd of changes: a todayd that runs, one that refuses, and one that starts later.
@Suite struct NoticeTests {
    private static let pendingCalls = "todayd/groups/group.org.todayd.agenda/pending"
    private let home = TemporaryDirectory()

    private func agenda(_ arguments: [String], socket: String = "/nonexistent") throws -> WidgetProgram.Ending {
        try WidgetProgram("agenda", arguments, environment: ["XDG_STATE_HOME": home.path, "TODAYD_SOCKET": socket])
            .finish()
    }

    /// Serves in place of todayd: gives the state directory, and the same answer to every other call.
    private func service(stateDirectory directory: String, _ answer: VarlinkReply) -> ScriptedService {
        ScriptedService(at: home("socket"), connections: 20) { peer in
            while let call = peer.receive() {
                peer.send(
                    call.memberName == "Status"
                        ? VarlinkReply(["daemon": ["stateDirectory": .string(directory)], "widgets": []]) : answer)
            }
        }
    }

    // MARK: todayd runs

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

    @Test(arguments: answers) func aRefusalIsReportedUnlessTodaydHasNoSuchWidget(answer: Answer) throws {
        let error = VarlinkError(name: "org.todayd.Today.\(answer.error)", parameters: answer.parameters)
        let service = service(stateDirectory: try home.makeDirectory("state"), VarlinkReply(error))
        defer { withExtendedLifetime(service) {} }
        for arguments in [["add", "Call Ada"], ["done", "1"], ["remove", "1"], ["refresh"]] {
            let ending = try agenda(arguments, socket: home("socket"))
            #expect(ending.status == answer.status)
            #expect(ending.errors.hasSuffix(answer.words) && ending.errors.isEmpty == answer.words.isEmpty)
        }
        #expect(!home.exists("state/groups/group.org.todayd.agenda/pending"), "todayd runs, so the app leaves no calls")
    }

    @Test func aTodaydOfAnotherUserCannotSeeTheAgenda() throws {
        let service = service(stateDirectory: "/nonexistent/state", VarlinkReply(["values": [:]]))
        let ending = try agenda(["add", "Call Ada"], socket: home("socket"))
        withExtendedLifetime(service) {}
        #expect(ending.status == 6)
        #expect(ending.output == "Added 1: Call Ada, due today.\n", "the item is kept")
        #expect(ending.errors.contains("runs as another user") && ending.errors.contains("systemctl --user enable"))
    }

    // MARK: todayd does not run

    private func leftCalls() throws -> [JSON] {
        try home.read(Self.pendingCalls).split(separator: "\n").map { try JSON.parse(Array($0.utf8)) }
    }

    @Test func withoutTodaydTheAppLeavesPendingCalls() throws {
        #expect(try agenda(["add", "Call Ada"]).status == 0)
        let calls = try leftCalls()
        #expect(calls.map { $0["method"] } == ["org.todayd.Today.SetHasContent", "org.todayd.Today.SetDefaults"])
        #expect(calls.first?["parameters"] == ["id": "org.todayd.agenda", "hasContent": true])
        #expect(calls.last?["parameters"]?["group"] == "group.org.todayd.agenda")
        #expect(calls.last?["parameters"]?["key"] == "changed")
        #expect(calls.last?["parameters"]?["value"]?["value"]?.stringValue?.isEmpty == false)
        var status = stat()
        #expect(stat(home(Self.pendingCalls), &status) == 0 && status.st_mode & 0o777 == 0o600)
        #expect(try agenda(["done", "1"]).status == 0)
        #expect(try leftCalls().count == 3, "marking an item done does not show the widget")
    }

    @Test func aHalfWrittenLineIsNotContinued() throws {
        try home.makeDirectory("todayd/groups/group.org.todayd.agenda")
        try home.write(#"{"method":"org.tod"#, to: Self.pendingCalls, mode: 0o600)
        #expect(try agenda(["add", "Call Ada"]).status == 0)
        let lines = try home.read(Self.pendingCalls).split(separator: "\n")
        #expect(lines.count == 3)
        #expect(try JSON.parse(Array(lines[1].utf8))["method"] == "org.todayd.Today.SetHasContent")
    }

    @Test func aSymbolicLinkIsNotFollowed() throws {
        try home.makeDirectory("todayd/groups/group.org.todayd.agenda")
        try home.write("precious", to: "precious")
        try home.link(Self.pendingCalls, to: home("precious"))
        let ending = try agenda(["add", "Call Ada"])
        #expect(ending.status == 6)
        #expect(ending.errors.contains("will not be told: cannot write"))
        #expect(try home.read("precious") == "precious")
    }

    @Test func aFullFileIsReportedWithWhatToDo() throws {
        try home.makeDirectory("todayd/groups/group.org.todayd.agenda")
        try home.write(String(repeating: "x", count: 65_500) + "\n", to: Self.pendingCalls, mode: 0o600)
        let ending = try agenda(["add", "Call Ada"])
        #expect(ending.status == 6)
        #expect(ending.errors.contains("is full; start todayd"))
        #expect(try home.bytes(of: Self.pendingCalls).count == 65_501)
    }
}
