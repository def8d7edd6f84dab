// SPDX-License-Identifier: MIT

import ClientTestSupport
import Glibc
import JSON
import Platform
import TestSupport
import Testing
import TodayModel
import Varlink

@testable import Commands
@testable import Link

/// Manifests that the daemon which answers does not read, or cannot use.
@Suite struct ManifestsTests {
    /// The daemon that answers, the directory of the manifest, and whether the user's own daemon runs. The remedy is nil where
    /// the daemon reads the directory.
    struct Case {
        var instance = DaemonStatus.Instance.system
        var place = "/home/me/.config/todayd/widgets"
        var runs = false
        var uid: UInt32 = 1000
        var kind = DaemonSocket.Kind.system
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

    @Test(arguments: cases) func anUnreadManifestIsReportedWithARemedy(_ expected: Case) {
        let variables = ["HOME": "/home/me", "XDG_RUNTIME_DIR": "/run/user/1000"]
        let places = ManifestPlaces(EnvironmentVariables { variables[$0] }, uid: expected.uid)
        let daemon = Wire.daemon(expected.instance, reads: ["/usr/share/todayd/widgets"])
        let found = UnreadManifest(
            "who", "\(expected.place)/org.example.who.widget", by: daemon,
            at: DaemonSocket(path: "/s", kind: expected.kind), places,
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
    func manifestsAreFoundByTheEndOfTheirIdentifier(file: String, name: String, isMeant: Bool) {
        #expect(ManifestPlaces.isManifest(file, of: name) == isMeant)
    }

    @Test(arguments: [true, false]) func theErrorForAnUnknownWidgetNamesItsManifest(isThere: Bool) throws {
        let program = Program()
        program.environment["XDG_CONFIG_HOME"] = program.directory.path
        if isThere {
            try program.directory.makeDirectory("todayd")
            try program.directory.makeDirectory("todayd/widgets")
            try program.directory.write("", to: "todayd/widgets/org.example.who.widget")
        }
        program.serve([
            "Enable": [VarlinkReply(Wire.noSuchWidget("who", nearest: "org.a.whom"))],
            "Status": [VarlinkReply(["daemon": Wire.daemon(.system).json, "widgets": []])],
        ])
        let result = try program.run(["enable", "who"])
        #expect(result.code == .noSuchWidget)
        #expect(result.errors.contains("does not read that directory") == isThere, "\(result.errors)")
        #expect(result.errors.contains("did you mean org.a.whom?") == !isThere, "\(result.errors)")
    }

    @Test(arguments: [
        ("temp", "no widget 'temp', as its file cannot be used:\n  /w/temp.widget: rename it\n"),
        ("temp.widget", "no widget 'temp.widget', as its file cannot be used:\n  /w/temp.widget: rename it\n"),
        ("other one", "no widget 'other one', as its file cannot be used:\n  /w/other one.widget:7: rename that\n"),
        (
            "mem.sh",
            "no widget 'mem.sh', as its file cannot be used:\n  /p/mem.sh: is called plugin.mem as /p/mem.py is; left out\n"
        ),
        ("emp", "no widget 'emp'; did you mean org.a.x?\n"),
    ])
    func theErrorForAnUnknownWidgetNamesItsUnusableFile(word: String, words: String) throws {
        let program = Program()
        let error = VarlinkReply(Wire.noSuchWidget(word, nearest: "org.a.x"))
        let status = VarlinkReply(["daemon": ["complaints": .array(Wire.complaints)], "widgets": []])
        for command in ["show", "enable"] {
            program.serve { peer in
                while let call = peer.receive() { peer.send(call.memberName == "Status" ? status : error) }
            }
            let result = try program.run([command, word])
            #expect(result.code == .noSuchWidget)
            #expect(result.errors == "todayctl: \(words)")
        }
    }

    @Test func aFileMayHaveAColonInItsName() {
        let list: [JSON] = ["/w/a:b.widget: rename it", "/w/c:7.widget:9: rename it", "/w/d.widget:"]
        let complaints = ManifestComplaints(["daemon": ["complaints": .array(list)]])
        #expect(complaints.about("a:b").count == 1 && complaints.about("a").isEmpty)
        #expect(complaints.about("c:7.widget").count == 1 && complaints.about("d").count == 1)
        #expect(complaints.ofWidgets.count == 3)
    }
}
