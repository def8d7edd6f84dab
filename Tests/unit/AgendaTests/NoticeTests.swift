// SPDX-License-Identifier: MIT
import JSON
import TestSupport
import Testing
import Varlink

/// How the real agenda tells todayd of changes: a todayd that runs, and one that refuses.
@Suite struct NoticeTests {
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

    struct Answer: Sendable, CustomTestStringConvertible {
        let error: String
        let parameters: JSONObject
        let status: Int32
        let words: String
        var testDescription: String { error }
    }

    static let answers: [Answer] = [
        Answer(error: "Refused", parameters: ["reason": "ask root"], status: 1, words: "is not told: ask root\n"),
        Answer(error: "NotStored", parameters: ["reason": "disk full"], status: 1, words: "is not told: disk full\n"),
        Answer(error: "LimitReached", parameters: ["reason": "too many"], status: 1, words: "is not told: too many\n"),
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
    }

    @Test func aTodaydOfAnotherUserCannotSeeTheAgenda() throws {
        let service = service(stateDirectory: "/nonexistent/state", VarlinkReply(["values": [:]]))
        let ending = try agenda(["add", "Call Ada"], socket: home("socket"))
        withExtendedLifetime(service) {}
        #expect(ending.status == 1)
        #expect(ending.output == "Added 1: Call Ada, due today.\n", "the item is kept")
        #expect(ending.errors.contains("runs as another user") && ending.errors.contains("systemctl --user enable"))
    }
}
