// SPDX-License-Identifier: MIT
import JSON
import Testing
import TodayModel

extension Integration {
    /// The way from a manifest to an item.
    @Suite struct ShowPromiseTests {
        @Test func aWidgetIsRunOnceAndItsSnapshotIsShown() throws {
            let daemon = try PrivateDaemon(widgets: Widgets.script("hello", "echo hello"))
            let item = try daemon.follow("hello") { $0.state == .ready }
            #expect(item.content == Content(text: "hello"))
            #expect(item.name == "Test")
            #expect(!item.stale)
            #expect(try daemon.items() == [try daemon.item("hello")])
            #expect(try daemon.status("hello").history.count == 1)
        }

        @Test func aNewWidgetRunsAndARemovedOneLeavesTheView() throws {
            let daemon = try PrivateDaemon()
            var names: [String] = []
            try daemon.connect().stream("org.todayd.Today.Show", [:]) { reply in
                let field = JSONField(root: .object(reply))
                for item in try field.required("items").array().map({ try Item($0) }) {
                    names.append("\(item.id) \(item.state.rawValue)")
                    if item.state == .ready { try daemon.remove("org.test.late.widget") }
                }
                for id in try field.required("removed").array() { names.append("\(try id.string()) removed") }
                if names.isEmpty {
                    for (name, text) in Widgets.script("late", "echo here").sorted(by: { $0.key > $1.key }) {
                        try daemon.add(name, text)
                    }
                    try daemon.add("late", "#!/bin/sh\necho here\n")
                }
                return names.last?.hasSuffix("removed") != true
            }
            #expect(names.contains("org.test.late ready"))
            #expect(names.last == "org.test.late removed")
        }

        @Test func unchangedOutputConfirmsTheSnapshotAndWakesNoHost() throws {
            let daemon = try PrivateDaemon(widgets: Widgets.script("same", "echo same"))
            let first = try daemon.follow("same") { $0.state == .ready }
            #expect(try daemon.update("same").answer == .noData)
            let second = try daemon.item("same")
            #expect(second.taken == first.taken)
            #expect(try #require(second.confirmed) > (try #require(first.confirmed)))
        }

        @Test func aFailureKeepsTheLastGoodContentAndSaysWhy() throws {
            let daemon = try PrivateDaemon(
                widgets: Widgets.script("frail", "[ -e ../../broken ] && { echo oops >&2; exit 3; }; echo fine"))
            try daemon.follow("frail") { $0.state == .ready }
            try daemon.directory.write("", to: "state/broken")
            let answer = try daemon.update("frail")
            #expect(answer.answer == .failed)
            let item = try daemon.item("frail")
            #expect(item.state == .failing)
            #expect(item.content == Content(text: "fine"))
            #expect(item.failure == "exited with status 3: oops")
            #expect(try daemon.status("frail").history.first?.errorOutput.contains("oops") == true)
        }

        @Test func jsonContentArrivesWhole() throws {
            let json =
                #"{"text":"half","percentage":50,"severity":"warning","compact":{"type":"progress","value":0.5}}"#
            let daemon = try PrivateDaemon(
                widgets: Widgets.script("json", "echo '\(json)'", update: "Protocol=json"))
            let item = try daemon.follow("json") { $0.state == .ready }
            #expect(item.content?.percentage == 50)
            #expect(item.content?.severity == .warning)
            #expect(item.content?.compact == .progress(.init(value: 0.5)))
        }

        @Test func pushedContentNeedsNoProgram() throws {
            let daemon = try PrivateDaemon(widgets: [
                "org.test.pushed.widget": "[Widget]\nDisplayName=Pushed\n[Update]\nProtocol=push\n"
            ])
            #expect(try daemon.item("pushed").state == .empty)
            try daemon.call("Push", ["id": "org.test.pushed", "content": ["text": "green"]])
            #expect(try daemon.item("pushed").content?.text == "green")
            try daemon.call("Push", ["id": "org.test.pushed", "content": ["text": "red"], "ttl": 1])
            #expect(try daemon.item("pushed").state == .empty)
        }
    }
}
