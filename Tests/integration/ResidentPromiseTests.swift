// SPDX-License-Identifier: MIT
import Glibc
import JSON
import TestSupport
import Testing
import TodayModel
import Varlink

extension Integration.ResidentProgramTests {
    private static func text(_ daemon: PrivateDaemon) throws -> String? {
        try item(daemon)?["content"]?["text"]?.stringValue
    }

    /// Records each call, and answers.
    private static let noting = """
        notes = open(os.environ['TODAY_STATE_DIRECTORY'] + '/notes', 'a', buffering=1)
        for method, parameters in calls():
            request = parameters['request']
            notes.write('%s %s\\n' % (method, request['reason']))
            if method in ('Appear', 'Disappear'): continue
            show('%s known=%s editing=%s cancelled=%s' % (method, request['known'], request['editing'], parameters.get('cancelled')))
        """

    private static func notes(_ daemon: PrivateDaemon) throws -> [String] {
        try daemon.directory.read("state/widgets/\(id)/notes").split(separator: "\n").map(String.init)
    }

    @Test func aWidgetLearnsWhenHostsBeginAndCeaseToLook() async throws {
        let daemon = try Self.daemon(Self.noting)
        #expect(try Self.update(daemon)?["answer"] == "newData")
        let before = try Self.notes(daemon).filter { $0.hasPrefix("Appear") || $0.hasPrefix("Disappear") }
        #expect(before.isEmpty, "a single call is not a host that stays")
        do {
            let host = try daemon.connect()
            try host.send(VarlinkCall("org.todayd.Today.Show", more: true))
            try await eventually("Appear") { try Self.notes(daemon).contains { $0.hasPrefix("Appear") } }
            let second = try daemon.connect()
            try second.send(VarlinkCall("org.todayd.Today.Show", ["id": .string(Self.id)], more: true))
            try await eventually("two hosts") { try daemon.daemonStatus().subscribers == 2 }
            withExtendedLifetime(host) {}
        }
        try await eventually("Disappear") { try Self.notes(daemon).contains { $0.hasPrefix("Disappear") } }
        let looks = try Self.notes(daemon).filter { !$0.hasPrefix("PerformUpdate") }.map { $0.prefix { $0 != " " } }
        #expect(looks == ["Appear", "Disappear"])
    }

    @Test func aCallSaysWhetherContentIsKnownAndEdited() async throws {
        let daemon = try Self.daemon(Self.noting, manifest: "[Widget]\nAllowsEditing=yes")
        try await eventually("the first answer") {
            try Self.text(daemon)?.hasPrefix("PerformUpdate known=False") == true
        }
        #expect(try Self.update(daemon)?["answer"] == "newData")
        #expect(try Self.text(daemon) == "PerformUpdate known=True editing=False cancelled=None")
        try daemon.call("SetEditing", ["id": .string(Self.id), "editing": true])
        #expect(try Self.text(daemon) == "BeginEditing known=True editing=True cancelled=None")
        #expect(try Self.item(daemon)?["editing"] == true)
        try daemon.call("SetEditing", ["id": .string(Self.id), "editing": false, "cancel": true])
        #expect(try Self.text(daemon) == "EndEditing known=True editing=False cancelled=True")
    }

    @Test func anEditorEndsWithItsProcess() async throws {
        let daemon = try Self.daemon(
            """
            for method, parameters in calls():
                show(method)
                if method == 'BeginEditing': time.sleep(0.3); sys.exit(0)
            """, manifest: "[Widget]\nAllowsEditing=yes")
        try await eventually("the first answer") { try Self.text(daemon) == "PerformUpdate" }
        try daemon.call("SetEditing", ["id": .string(Self.id), "editing": true])
        #expect(try Self.text(daemon) == "BeginEditing")
        try await eventually("the own answer") {
            try Self.text(daemon) == "PerformUpdate" && Self.item(daemon)?["editing"] == false
        }
    }

    @Test func noDataWithoutContentIsAFailure() async throws {
        let daemon = try Self.daemon("for method, parameters in calls(): say('noData')")
        try await eventually("the failure") {
            try Self.item(daemon)?["failure"]?.stringValue?.contains("todayd has no content of it") == true
        }
        let status = try daemon.call("Status", ["id": .string(Self.id)])["widgets"]?.arrayValue?.first
        #expect(status?["waitingFor"] == "its retry after a failure")
    }

    @Test func aPlaceholderIsShownUntilTheFirstAnswer() async throws {
        let daemon = try Self.daemon(
            """
            for method, parameters in calls():
                send(service, {'continues': True, 'parameters': {'update': {'result': 'newData', 'content': {'text': '--'}}}})
                while not os.path.exists(os.environ['TODAY_STATE_DIRECTORY'] + '/go'): time.sleep(0.01)
                show('real')
            """)
        try await eventually("the placeholder") { try Self.text(daemon) == "--" }
        let item = try Self.item(daemon)
        #expect(item?["state"] == "waiting" && item?["source"] == "placeholder")
        #expect(item?["taken"] == nil && item?["confirmed"] == nil)
        try daemon.directory.write("", to: "state/widgets/\(Self.id)/go")
        try await eventually("the answer") { try Self.text(daemon) == "real" }
        #expect(try Self.item(daemon)?["source"] == "own")
    }

    /// A widget that changes its largest mode without end runs at most once a second.
    @Test func aWidgetThatFlipsItsLargestModeRunsOnceASecond() async throws {
        let daemon = try Self.daemon(
            """
            import threading
            def flip():
                while True:
                    for mode in ('compact', 'expanded'): ask('SetLargestDisplayMode', mode=mode)
            threading.Thread(target=flip, daemon=True).start()
            count = 0
            for method, parameters in calls():
                count += 1
                show('%d' % count)
            """)
        try await eventually("the first answer") { try Self.text(daemon) != nil }
        // The daemon refuses while the largest mode is compact.
        try await eventually("expanded") { try daemon.todayctl("expand", "resident").status == 0 }
        // The user's own choice runs the widget at any time, for another reason.
        func starts() throws -> [Int64] {
            let status = try daemon.call("Status", ["id": .string(Self.id)])["widgets"]?.arrayValue?.first
            let history = status?["history"]?.arrayValue ?? []
            return history.filter { $0["reason"] == "defaults" }.compactMap { $0["started"]?.intValue }
        }
        try await eventually("three runs for its own changes") { try starts().count >= 3 }
        // The newest run comes first.
        let starts = try starts()
        for (later, earlier) in zip(starts, starts.dropFirst()) { #expect(later - earlier > 900_000) }
    }

    /// The choice of a new process survives the end of the old one, and holds until the next process makes another.
    @Test func theNewestProcessSetsTheLargestMode() async throws {
        let body = """
            ask('SetLargestDisplayMode', mode='%@')
            for method, parameters in calls(): show('%@')
            time.sleep(0.5)
            """
        func program(_ mode: String) -> String {
            body.split(separator: "%@", omittingEmptySubsequences: false).joined(separator: mode)
        }
        let daemon = try Self.daemon(program("expanded"))
        try await eventually("the first process") { try Self.text(daemon) == "expanded" }
        #expect(try Self.item(daemon)?["largestMode"] == "expanded")
        let first = try daemon.directory.read("widgets/resident")
        try daemon.add("resident", first.replacing("expanded", with: "compact"))
        #expect(try Self.update(daemon)?["answer"] == "newData")
        #expect(try Self.item(daemon)?["largestMode"] == "compact")
        // The old process ends some time later, and its choice does not count.
        for _ in 0..<2 {
            try await eventually("one process") { try Self.update(daemon)?["answer"] == "noData" }
            #expect(try Self.item(daemon)?["largestMode"] == "compact")
        }
        try daemon.stop()
        try daemon.start()
        #expect(try Self.item(daemon)?["largestMode"] == "compact")
        // A process that chooses nothing has the largest mode of its manifest.
        try daemon.add("resident", first.replacing("ask('SetLargestDisplayMode', ", with: "dict("))
        try await eventually("a process that chooses nothing") {
            _ = try Self.update(daemon)
            return try Self.item(daemon)?["largestMode"] == "expanded"
        }
    }
}
