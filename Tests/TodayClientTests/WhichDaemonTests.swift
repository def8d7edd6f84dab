// SPDX-License-Identifier: MIT

import Glibc
import JSON
import TestSupport
import Testing
import TodayModel
import Varlink

@testable import TodayClient

/// Of two daemons, the user's and the system's, the one that answers is named where that matters.
@Suite struct WhichDaemonTests {
    /// Which daemon answers, where the manifest lies, whether the user's own runs; what is to be done.
    struct Case {
        var instance = DaemonStatus.Instance.system
        var place = "/home/me/.config/todayd/widgets"
        var runs = false
        var uid: UInt32 = 1000
        var kind = Endpoint.Kind.system
        let remedy: String?
    }

    static let cases = [
        Case(remedy: "start your own: systemctl --user enable --now todayd"),
        Case(runs: true, remedy: "your own does: todayctl --user"),
        Case(uid: 0, remedy: "it reads /usr/share/todayd/widgets"),
        Case(kind: .given, remedy: "start your own: systemctl --user enable --now todayd"),
        Case(instance: .user, place: "/etc/todayd/widgets", remedy: "the system's does: todayctl --system"),
        Case(instance: .user, remedy: "'todayctl status' has the directories that it reads"),
        Case(place: "/usr/share/todayd/widgets", remedy: nil),
    ]

    @Test(arguments: cases) func aManifestThatIsNotReadIsNamedWithWhatToDo(_ expected: Case) {
        let variables = ["HOME": "/home/me", "XDG_RUNTIME_DIR": "/run/user/1000"]
        let places = ManifestPlaces(Environment { variables[$0] }, uid: expected.uid)
        var daemon = DaemonStatus(
            version: "1", instance: expected.instance, pid: 1, started: WallTime(microseconds: 0), socket: "/s",
            stateDirectory: "/")
        daemon.widgetDirectories = ["/usr/share/todayd/widgets"]
        let found = UnreadManifest(
            "who", "\(expected.place)/org.example.who.widget", by: daemon,
            at: Endpoint(path: "/s", kind: expected.kind), places,
            isRunning: { $0 == "/run/user/1000/todayd/todayd.sock" && expected.runs })
        guard let remedy = expected.remedy else {
            #expect(found == nil)
            return
        }
        let text = found?.description ?? ""
        let shown = expected.place.hasPrefix("/home") ? "~/.config/todayd/widgets" : expected.place
        #expect(text.hasPrefix("no widget 'who': \(shown)/org.example.who.widget is there, but "), "\(text)")
        #expect(text.hasSuffix("does not read that directory; \(remedy)"), "\(text)")
        #expect(text.contains(" at /s,") == (expected.kind == .given))
    }

    @Test(arguments: [
        ("org.example.who.widget", "who", true), ("org.example.who.widget", "org.example.who", true),
        ("org.example.who.widget", "ho", false), ("who.widget", "who", false), ("org.example.who", "who", false),
        ("org.example.who.widget.d", "who", false),
    ])
    func manifestsAreFoundAsWidgetsAreNamed(file: String, name: String, isMeant: Bool) {
        #expect(ManifestPlaces.isManifest(file, of: name) == isMeant)
    }

    @Test(arguments: [true, false]) func anUnknownWidgetSaysWhereItsManifestLies(isThere: Bool) throws {
        var program = Program()
        program.environment["XDG_CONFIG_HOME"] = program.directory.path
        if isThere {
            try program.directory.makeDirectory("todayd")
            try program.directory.makeDirectory("todayd/widgets")
            try program.directory.write("", to: "todayd/widgets/org.example.who.widget")
        }
        let daemon = DaemonStatus(
            version: "1", instance: .system, pid: 1, started: WallTime(microseconds: 0), socket: "/s",
            stateDirectory: "/")
        let service = program.service([
            "Enable": [VarlinkReply(Wire.noSuchWidget("who", nearest: "org.a.whom"))],
            "Status": [VarlinkReply(["daemon": daemon.json, "widgets": []])],
        ])
        defer { withExtendedLifetime(service) {} }
        let result = try program.run(["enable", "who"])
        #expect(result.code == .noSuchWidget)
        #expect(result.errors.contains("does not read that directory") == isThere, "\(result.errors)")
        #expect(result.errors.contains("did you mean org.a.whom?") == !isThere, "\(result.errors)")
    }

    @Test func aFallbackIsSaidOnceAndOnlyIfADaemonAnswers() throws {
        let program = Program()
        var endpoint = Endpoint(path: program.socket, kind: .system)
        endpoint.isFallback = true
        var count = 0
        func ask(opens: Bool) throws {
            let service = TodayService(endpoint, environment: Environment { _ in nil }) { count += 1 }
            for _ in 0..<2 {
                if opens {
                    try service.open(ServiceCall("Reload")).close()
                } else {
                    _ = try service.call(ServiceCall("Reload"))
                }
            }
        }
        #expect(throws: ClientError.self) { try ask(opens: false) }
        #expect(count == 0)
        let answers = ScriptedService(at: program.socket, connections: 4) { peer in
            while peer.receive() != nil { peer.send(VarlinkReply([:])) }
        }
        defer { withExtendedLifetime(answers) {} }
        try ask(opens: false)
        #expect(count == 1)
        try ask(opens: true)
        #expect(count == 2)
        endpoint.isFallback = false
        try ask(opens: false)
        #expect(count == 2)
    }

    @Test(arguments: [("--quiet", false), ("--json", true)]) func aRemarkIsForAllWhoAreNotQuiet(
        option: String, isSaid: Bool
    ) throws {
        let program = Program()
        let file = open("\(program.directory.path)/errors", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(file) }
        let output = try Output(
            try TodayControl.command.parse([option]), environment: Environment { _ in nil }, to: STDOUT_FILENO,
            errors: file)
        output.remark(Endpoint.fallbackNotice)
        let text = String(
            decoding: try InputFile.read("\(program.directory.path)/errors", upTo: 1 << 10), as: UTF8.self)
        #expect(text == (isSaid ? "todayctl: \(Endpoint.fallbackNotice)\n" : ""))
    }
}
