// SPDX-License-Identifier: MIT
import Glibc
import JSON
import Platform
import TestSupport
import Testing
import TodayModel
import Varlink

@testable import TodayKit

/// Defaults and flags over a real connection, as a widget and as its containing app.
@Suite(.serialized) struct GroupDefaultsTests {
    private let directory = TemporaryDirectory()
    private let daemon = TinyDaemon()

    private var socket: String { directory("socket") }

    /// Runs the body as an app, and then as a widget.
    private func onBothSides(_ body: (GroupDefaults) throws -> Void) throws {
        daemon.listen(at: socket)
        defer { daemon.stop() }
        try body(GroupDefaults(suiteName: "group.x.y", service: DaemonService(sockets: [socket])))
        daemon.state.withLock { $0.values = [:] }
        try body(GroupDefaults(suiteName: "group.x.y", service: try ContextService(descriptor: daemon.connect())))
    }

    @Test func valuesKeepTheirTypes() throws {
        try onBothSides { defaults in
            try defaults.set("text", forKey: "string")
            try defaults.set(42, forKey: "int")
            try defaults.set(2.75, forKey: "double")
            try defaults.set(true, forKey: "bool")
            try defaults.set(["a", "b"], forKey: "array")
            try defaults.set(["x": 1, "y": 2], forKey: "dictionary")
            #expect(defaults.string(forKey: "string") == "text")
            #expect(defaults.integer(forKey: "int") == 42)
            #expect(defaults.double(forKey: "double") == 2.75)
            #expect(defaults.integer(forKey: "double") == 2)
            #expect(defaults.bool(forKey: "bool"))
            #expect(defaults.stringArray(forKey: "array") == ["a", "b"])
            #expect(defaults.dictionary(forKey: "dictionary") == ["x": .int(1), "y": .int(2)])
            #expect(try defaults.values().count == 6)
            try defaults.set(1, forKey: "int")
            #expect(defaults.bool(forKey: "int"))
            try defaults.set(0, forKey: "int")
            #expect(!defaults.bool(forKey: "int"))
        }
    }

    @Test func missingValuesAreNilOrZero() throws {
        try onBothSides { defaults in
            try defaults.set("text", forKey: "a")
            #expect(defaults.integer(forKey: "a") == 0 && defaults.integer(forKey: "b") == 0)
            #expect(defaults.double(forKey: "a") == 0 && defaults.double(forKey: "b") == 0)
            #expect(!defaults.bool(forKey: "a"))
            #expect(defaults.array(forKey: "a") == nil)
            #expect(defaults.string(forKey: "b") == nil)
            try defaults.removeObject(forKey: "a")
            #expect(defaults.object(forKey: "a") == nil)
            #expect(try defaults.values().isEmpty)
        }
    }

    @Test func errorsHaveTheirCase() throws {
        try onBothSides { defaults in
            defer { daemon.state.withLock { $0.error = nil } }
            let table: [(VarlinkError, TodayError)] = [
                (.init(name: "org.todayd.Today.NoSuchGroup", parameters: ["group": "g"]), .noSuchGroup("g")),
                (.init(name: "org.todayd.Today.NotStored", parameters: ["reason": "full"]), .notStored("full")),
                (.init(name: "org.todayd.ExtensionContext.Refused", parameters: ["reason": "no"]), .refused("no")),
                (
                    .permissionDenied,
                    .refused(
                        """
                        permission denied: a widget acts as itself only, and of the system's widgets an app acts for its \
                        own, as the user whom their manifests name (AppUser=)
                        """)
                ),
            ]
            for (answer, expected) in table {
                daemon.state.withLock { $0.error = answer }
                #expect(throws: expected) { try defaults.set(1, forKey: "a") }
                #expect(throws: expected) { try defaults.values() }
                #expect(defaults.string(forKey: "a") == nil)
            }
        }
        #expect(throws: TodayError.refused("a: not a finite number")) {
            try GroupDefaults(suiteName: "g").set([1, Double.nan], forKey: "a")
        }
        let unreachable = GroupDefaults(suiteName: "g", service: DaemonService(sockets: ["/nonexistent"]))
        #expect(
            throws: TodayError.unavailable(
                "todayd does not answer: cannot connect to /nonexistent: there is no such socket")
        ) { try unreachable.values() }
    }

    @Test func anAppIsToldOfChanges() async throws {
        daemon.listen(at: socket)
        defer { daemon.stop() }
        try await Surroundings(variables: EnvironmentVariables(["TODAYD_SOCKET": socket])).during {
            let defaults = GroupDefaults(suiteName: "group.x.y")
            var changes: AsyncStream<[String: DefaultsValue]>.Iterator? = defaults.changes.makeAsyncIterator()
            #expect(await changes?.next() == [:])
            try defaults.set("b", forKey: "a")
            #expect(await changes?.next() == ["a": .string("b")])
            changes = nil
            // The end of the stream closes its connection.
            while daemon.state.withLock({ !$0.subscribers.isEmpty }) { usleep(1_000) }
        }
    }

    @Test @MainActor func aWidgetIsToldOfChangesByItsUpdates() async throws {
        try await Surroundings.widget(of: daemon).during {
            let host = WidgetHost<WidgetServerTests.Plain>(WidgetRequest())
            let defaults = GroupDefaults(suiteName: "group.x.y")
            var changes = defaults.changes.makeAsyncIterator()
            #expect(await changes.next() == [:])
            try defaults.set(6, forKey: "a")
            _ = await host.perform(.performUpdate, WidgetRequest(reason: .schedule))
            try defaults.set(7, forKey: "a")
            _ = await host.perform(.performUpdate, WidgetRequest(reason: .behind))
            #expect(await changes.next() == ["a": .int(7)], "an update for another reason tells of no change")
        }
    }

    @Test func theFlagOfAnotherWidgetGoesToTheDaemon() async throws {
        daemon.listen(at: socket)
        defer { daemon.stop() }
        let own = TinyDaemon()
        try await Surroundings.widget(of: own, ["TODAYD_SOCKET": socket]).during {
            try NCWidgetController().setHasContent(false, forWidgetWithBundleIdentifier: "org.example.tiny")
            try NCWidgetController().setHasContent(true, forWidgetWithBundleIdentifier: "org.example.other")
        }
        #expect(own.state.withLock { $0.hasContent } == ["self": false])
        #expect(daemon.state.withLock { $0.hasContent } == ["org.example.other": true])
    }

    @Test func widgetDefaultsAreInAFile() throws {
        let defaults = WidgetDefaults(directory: directory.path)
        #expect(try defaults.values().isEmpty)
        try defaults.set(0.5, forKey: "rate")
        try defaults.set("b", forKey: "a")
        try defaults.removeObject(forKey: "a")
        #expect(WidgetDefaults(directory: directory.path).double(forKey: "rate") == 0.5)
        try directory.write("{broken", to: "defaults.json")
        #expect(try defaults.values().isEmpty)
        #expect(throws: TodayError.self) { try WidgetDefaults(directory: "/nonexistent").set(1, forKey: "a") }
    }
}
