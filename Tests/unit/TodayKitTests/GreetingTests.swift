// SPDX-License-Identifier: MIT
import Glibc
import JSON
import Platform
import TestSupport
import Testing
import TodayModel
import Varlink

@testable import TodayKit

/// The real program of the widget Greeting, started by todayd and by its author.
@Suite(.serialized) struct GreetingTests {
    private let state = TemporaryDirectory()
    private static let name = "greeting-widget"

    private var today: String { Timestamp.now.text("%A, %-d %B") }

    private func request(_ mode: String = "compact", reason: String = "schedule") -> JSONObject {
        ["request": ["reason": .string(reason), "mode": .string(mode), "columns": 60, "rows": 4]]
    }

    private func content(_ reply: JSONObject) throws -> Content {
        let update = try #require(reply["update"])
        #expect(update["result"]?.stringValue == "newData")
        return try Content(JSONField(root: try #require(update["content"])))
    }

    private func run(_ arguments: [String], _ environment: [String: String] = [:]) throws -> WidgetProgram.Ending {
        // In the zone of `today`.
        let zone = getenv("TZ").map { String(cString: $0) } ?? ":/etc/localtime"
        return try WidgetProgram.run(
            Self.name, arguments, in: state, environment.merging(["TZ": zone]) { own, _ in own })
    }

    // MARK: As a service

    @Test func itServesTheDaemon() throws {
        let daemon = TinyDaemon()
        daemon.state.withLock { $0.values = ["customKey": ["value": "Good morning"]] }
        let program = try WidgetProgram(
            Self.name, environment: ["TODAYD": "1", "TODAY_STATE_DIRECTORY": state.path], isService: true,
            context: daemon.connect())
        let first = try content(try program.call("PerformUpdate", request()))
        #expect(first.text == "Good morning")
        #expect(first.tooltip?.isEmpty == false)
        #expect(first.expanded != first.compact)
        #expect(try program.call("PerformUpdate", request())["update"]?["result"] == "noData")
        _ = try GroupDefaults(
            suiteName: "group.org.todayd.greeting", service: ContextService(descriptor: daemon.connect())
        )
        .set("Good night", forKey: "customKey")
        #expect(try content(try program.call("PerformUpdate", request(reason: "defaults"))).text == "Good night")
        #expect(try content(try program.call("DisplayModeDidChange", request("expanded"))).text == "Good night")
        #expect(
            try program.call("BeginEditing", request("compact"))["update"]?["reason"]
                == "it allows no editing now")
        #expect(daemon.calls.first == "SetLargestDisplayMode")
        let ending = program.finish()
        #expect(ending.status == 0)
        #expect(ending.errors == "")
    }

    @Test func itWorksWithoutItsContext() throws {
        let program = try WidgetProgram(
            Self.name, environment: ["XDG_STATE_HOME": state.path, "TODAYD_SOCKET": "/nonexistent"], isService: true)
        #expect(try content(try program.call("PerformUpdate", request())).text == "Hello")
        let info = try #require(try program.connection?.call("org.varlink.service.GetInfo"))
        #expect(info["product"]?.stringValue == "Greeting")
        #expect(info["interfaces"] == ["org.varlink.service", "org.todayd.Widget"])
        #expect(throws: VarlinkError.methodNotFound("org.todayd.Widget.Dance")) { try program.call("Dance") }
        #expect(throws: VarlinkError.invalidParameter("request")) { try program.call("PerformUpdate") }
        #expect(program.finish().status == 0)
    }

    @Test func anInvalidMessageEndsTheProcess() throws {
        let program = try WidgetProgram(Self.name, environment: ["XDG_STATE_HOME": state.path], isService: true)
        let descriptor = try #require(program.connection?.descriptor)
        #expect(Descriptor.sendAll(Array("rubbish\0".utf8), to: descriptor))
        #expect(throws: VarlinkConnectionError.closedByService(path: Self.name)) {
            try program.connection?.receive(within: .seconds(20))
        }
        let ending = program.finish()
        #expect(ending.status == 1)
        #expect(ending.errors.hasPrefix("received not JSON"))
    }

    // MARK: As one run

    @Test func itRunsOnceForTheDaemon() throws {
        let environment = ["TODAYD": "1", "TODAY_STATE_DIRECTORY": state.path, "TODAY_DISPLAY_MODE": "expanded"]
        for _ in 0..<2 {
            let ending = try run([], environment)
            #expect(ending.status == 0)
            #expect(try Content(JSONField(root: JSON.parse(ending.output))).text == "Hello")
        }
    }

    /// Otherwise nothing happens, and no word says why.
    @Test(arguments: [
        ("greeting-widget", ["TODAY_LARGEST_MODE": "compact"], "no LargestDisplayMode=expanded"),
        ("greeting-widget", ["TODAY_LARGEST_MODE": "expanded", "TODAY_ALLOWS_EDITING": "0"], ""),
        ("btc-widget", ["TODAY_ALLOWS_EDITING": "0"], "no AllowsEditing=yes"),
        ("btc-widget", ["TODAY_ALLOWS_EDITING": "1"], ""),
    ])
    func codeThatAsksForMoreThanItsManifestIsTold(name: String, variables: [String: String], reason: String) throws {
        var environment = [
            "TODAYD": "1", "TODAY_STATE_DIRECTORY": state.path, "CRYPTICKER_SERVER": "http://127.0.0.1:1",
        ]
        environment.merge(variables) { $1 }
        let ending = try WidgetProgram.run(name, [], in: state, environment)
        let told = ending.errors.split(separator: "\n").filter { $0.contains("hosts offer no") }
        #expect(told.count == (reason.isEmpty ? 0 : 1) && told.allSatisfy { $0.hasSuffix(reason) }, "\(ending.errors)")
    }

    // MARK: Started by its author

    @Test func onceAsJSONPrintsContent() throws {
        let ending = try run(["--once", "--json"])
        #expect(ending.status == 0)
        #expect(ending.errors == "")
        let content = try Content(JSONField(root: JSON.parse(ending.output)))
        #expect(content.text == "Hello")
        #expect(content.insets == .standard, "it begins in the same column as a widget without insets")
    }

    @Test func thePreviewIsWhatAHostDraws() throws {
        let compact = """
              Greeting                             >
                Hello
                \(today)

            """
        #expect(try run(["--preview", "--width", "40"]).output == compact)
        #expect(try run(["--width=40"]).output == compact)
        #expect(try run(["--once", "--width=40"], ["TERM": "xterm-256color"]).output == compact)
        #expect(
            try run(["--preview", "--mode", "expanded", "--width", "20"]).output == """
                  Greeting         v
                    Hello


                    \(today.count <= 16 ? today : today.replacingLastSpace)

                """)
    }

    @Test func anUnknownOptionIsReported() throws {
        let ending = try run(["--preview", "--widht", "40"])
        #expect(ending.status == 2)
        #expect(ending.errors.hasPrefix("greeting-widget: unknown option --widht"))
        #expect(try run(["--width", "huge"]).status == 2)
        let help = try run(["--help"])
        #expect(help.status == 0)
        #expect(help.output.contains("--preview"))
    }
}

extension String {
    /// The text in two lines of the card, split at the last space.
    fileprivate var replacingLastSpace: String {
        guard let space = lastIndex(of: " ") else { return self }
        return "\(self[..<space])\n    \(self[index(after: space)...])"
    }
}
