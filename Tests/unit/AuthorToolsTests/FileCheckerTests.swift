// SPDX-License-Identifier: MIT
import Glibc
import Registry
import TestSupport
import Testing
import TodayModel

@testable import AuthorTools

@Suite struct FileCheckerTests {
    private let directory = TemporaryDirectory()

    private func checker(_ directories: [String] = ["strong/widgets", "weak/widgets"]) -> FileChecker {
        FileChecker(
            searchPath: SearchPath(widgetDirectories: directories.map { directory($0) }),
            programDirectories: ["/usr/bin", "/bin"], uid: { _ in nil })
    }

    /// `severity line:column reason` of each complaint, with the directory left out.
    private func complaints(_ finding: FileChecker.Finding) -> [String] {
        finding.complaints.map { complaint in
            let severity = complaint.severity == .error ? "error" : "warning"
            let place = [complaint.line, complaint.column].compactMap { $0.map(String.init) }.joined(separator: ":")
            return "\(severity) \(place) \(complaint.reason)"
        }
    }

    @Test func everyMistakeOfAManifestHasItsPlace() throws {
        let text = """
            DisplayName=early
            [Widget]
            DisplayNam=x
              Description = a\u{7}b
            ExtensionPoint=today mars
            LargestDisplayMode=huge
            AllowsEditing=perhaps
            [Udpate]
            [Update]
            Interval=soon
            Timeout=\\
              never
            Protocol=xml
            nonsense
            ExecStart=/nowhere/at/all
            """
        let path = try directory.write(text, to: "a.b.widget")
        let finding = checker().check(path)
        #expect(finding.kind == .manifest)
        let found = complaints(finding)
        let places = found.map { $0.split(separator: " ").prefix(2).joined(separator: " ") }
        #expect(
            places == [
                "error 1:1", "error 14:1", "error 4:17", "error 5:16", "error 6:20", "error 7:15", "error 10:10",
                "error 11", "error 13:10", "warning 8:1", "warning 3:1", "error 15:11",
            ], "\(found.joined(separator: "\n"))")
    }

    @Test func moreMistakesThanTheDaemonSendsAreAllNamed() throws {
        let lines = (0..<50).map { "Key\($0)=x\n" }.joined()
        let path = try directory.write("[Update]\nProtocol=push\n\(lines)", to: "a.b.widget")
        #expect(checker().check(path).complaints.count == 50)
    }

    @Test func settingsOfTheInstanceCount() throws {
        try directory.write("[Daemon]\nDefaultTimeout=7s\nDefaultOutputMax=9K", to: "strong/todayd.conf")
        let script = try directory.script("#!/bin/sh\necho", to: "cpu.5m.sh")
        let entry = try #require(checker().check(script, scriptProtocol: .json).entry)
        let manifest = try #require(entry.manifest)
        #expect(entry.validity == .valid(manifest))
        #expect(manifest.id.text == "plugin.cpu")
        #expect(manifest.update.timeout == .seconds(7) && manifest.update.interval == .minutes(5))
        #expect(manifest.limits.output == ByteSize(bytes: 9 << 10))
        #expect(manifest.update.contentProtocol == .json)
    }

    /// By its name, its tags, or where it lies.
    @Test func aPluginIsReadAsOne() throws {
        let tagged = "#!/bin/sh\n# <swiftbar.title>CPU</swiftbar.title>\necho"
        let cases: [(path: String, text: String, id: String, dialect: ContentProtocol)] = [
            ("cpu.5m.sh", "#!/bin/sh\necho", "plugin.cpu", .xbar), ("x", tagged, "plugin.x", .swiftbar),
            ("strong/plugins/y", "#!/bin/sh\necho", "plugin.y", .xbar), ("z", "#!/bin/sh\necho", "plugin.z", .text),
        ]
        for (path, text, id, dialect) in cases {
            let finding = checker().check(try directory.script(text, to: path))
            #expect(finding.kind == .script && finding.complaints.isEmpty, "\(path)")
            #expect(
                finding.entry?.manifest?.update.contentProtocol == dialect && finding.entry?.id.text == id, "\(path)")
            #expect(finding.entry?.manifest?.allowsCommands == (dialect != .text))
        }
        let wrong = checker().check(try directory.write("echo", to: "w.0s.sh", mode: 0o755))
        #expect(complaints(wrong).map { $0.prefix(9) } == ["error 1:1", "warning  "], "\(complaints(wrong))")
        let interpreter = checker().check(try directory.script("#!/no/such/sh\n", to: "v.1s.sh"))
        #expect(complaints(interpreter).count == 1)
        let chosen = checker().check(try directory.script(tagged, to: "t"), scriptProtocol: .json)
        #expect(chosen.entry?.manifest?.update.contentProtocol == .json)
    }

    /// The registry judges it, whose tests have all first lines.
    @Test func theFirstLineOfAPluginIsJudgedOnce() throws {
        let path = try directory.script("#!/none/sh\n", to: "a.5m.sh")
        #expect(
            complaints(checker().check(path))
                == ["error 1:3 its interpreter /none/sh does not exist; install it, or correct line 1"])
    }

    @Test(arguments: ContentProtocol.allCases) func aScriptMayHaveEachProtocol(_ contentProtocol: ContentProtocol)
        throws
    {
        let script = try directory.script("#!/bin/sh\necho", to: "x")
        let update = checker().check(script, scriptProtocol: contentProtocol).entry?.manifest?.update
        #expect(update?.contentProtocol == contentProtocol)
        #expect(update?.command == (contentProtocol.hasProgram ? [script] : []))
    }

    @Test func dropInsCountWhereTheDaemonReadsThem() throws {
        let manifest = "[Update]\nProtocol=push\n"
        try directory.write("[Update]\nInterval=x\n", to: "weak/widgets/a.b.widget.d/x.conf")
        let inside = try directory.write(manifest, to: "strong/widgets/a.b.widget")
        let outside = try directory.write(manifest, to: "project/a.b.widget")
        #expect(complaints(checker().check(inside)).count == 1)
        #expect(complaints(checker().check(outside)) == [])
        try directory.write("[Update]\nTimeout=x\n", to: "project/a.b.widget.d/y.conf")
        #expect(complaints(checker().check(outside)).first?.hasPrefix("error 2:9 Timeout=: ") == true)
    }

    @Test func aManifestThatAnotherOneHidesIsNotRead() throws {
        try directory.write("[Update]\nProtocol=push\n", to: "strong/widgets/a.b.widget")
        let weak = try directory.write("[Update]\nProtocol=push\n", to: "weak/widgets/a.b.widget")
        #expect(
            complaints(checker().check(weak)) == [
                "warning  todayd reads \(directory("strong/widgets/a.b.widget")) in its place, because that directory comes "
                    + "first"
            ])
    }

    @Test func aWrongNameIsAnErrorAndTheRestIsReadToo() throws {
        let path = try directory.write("[Update]\nInterval=soon\n", to: "temp.widget")
        let finding = checker().check(path)
        #expect(finding.complaints.map(\.severity) == [.error, .error])
        #expect(finding.complaints[0].reason.contains("org.example.temp.widget"))
        #expect(finding.complaints[1].line == 2)
    }

    @Test func theProgramOfAManifestIsLookedInto() throws {
        try directory.script("echo no shebang\n", to: "program")
        let path = try directory.write("[Update]\nExecStart=./program\n", to: "a.b.widget")
        let finding = checker().check(path)
        #expect(finding.complaints.map(\.file) == [directory("program")])
        #expect(complaints(finding).first?.hasPrefix("error 1:1 has no interpreter") == true)
        // The daemon runs it all the same, and the run fails.
        guard case .valid? = finding.entry?.validity else {
            Issue.record("not valid")
            return
        }
    }

    /// The interpreter is there, and its script is not, or is not where the interpreter runs.
    @Test func theScriptOfAnInterpreterIsLookedFor() throws {
        let script = try directory.write("print()", to: "x.py")
        let texts: [(text: String, found: [String])] = [
            ("[Update]\nExecStart=sh \(script)\n", []),
            ("[Update]\nExecStart=sh ./x.py\nWorkingDirectory=.\n", []),
            ("[Update]\n  ExecStart=\"sh\"  -e ./x.py\n", ["error 2:22"]),
            ("[Update]\nExecStart=sh ./y.py\n", ["warning 2:14"]),
            ("[Update]\nExecStart=sh /nowhere/x\n", ["error 2:14"]),
            ("[Update]\nExecStart=sh \\\n ./x.py\n", ["error 2"]),
            ("[Update]\nExecStart=no-such-shell ./x.py\n", ["error 2:11"]),
        ]
        for (text, found) in texts {
            let finding = checker().check(try directory.write(text, to: "a.b.widget"))
            let places = complaints(finding).map { line in
                line.split(separator: " ").prefix(2).joined(separator: " ")
            }
            #expect(places == found, "\(text): \(complaints(finding))")
            // The daemon starts the interpreter in any case.
            if case .valid? = finding.entry?.validity { continue }
            #expect(text.contains("no-such-shell"))
        }
        let manifest = try directory.write("[Update]\nExecStart=sh \(script)\n", to: "a.b.widget")
        let dropIn = try directory.write("[Update]\nExecStart=\nExecStart=sh -u ./y\n", to: "a.b.widget.d/x.conf")
        let changed = checker().check(manifest).complaints
        #expect(changed.map(\.file) == [dropIn] && changed.first?.line == 3 && changed.first?.column == 17)
    }

    @Test func anEmptyManifestMasks() throws {
        let finding = checker().check(try directory.write("", to: "a.b.widget"))
        #expect(finding.entry?.validity == .masked)
        #expect(complaints(finding) == ["warning  is empty or a link to /dev/null: it masks the widget a.b"])
    }

    @Test func todaydConfIsReadWithItsOwnKeys() throws {
        let path = try directory.write("[Daemon]\nColumns=wide\nRows=3\n", to: "todayd.conf")
        let finding = checker().check(path)
        #expect(finding.kind == .settings && finding.entry == nil)
        #expect(complaints(finding).map { $0.prefix(11) } == ["error 2:9 C", "warning 3:1"])
    }

    /// What is not a manifest, script or todayd.conf, and what is said of it.
    @Test func whatTodaydDoesNotReadHasAReason() throws {
        try directory.write("some text", to: "notes.txt")
        try directory.makePipe("pipe")
        try directory.link("dangling", to: "/nowhere/at/all")
        let dropIn = try directory.write("[Update]\nInterval=1h\n", to: "org.a.b.widget.d/x.conf")
        let expected = [
            (directory.path, "is a directory; name a manifest, ID.widget, or a program"),
            ("/dev/null", "is not a regular file"), (directory("pipe"), "is not a regular file"),
            (directory("none.sh"), "does not exist"),
            (directory("none"), "does not exist; 'todayctl status none' names the manifest of a widget"),
            (directory("org.a.none"), "does not exist; 'todayctl status org.a.none' names the manifest of a widget"),
            (dropIn, "is a drop-in, which is read with the manifest or the script of org.a.b: name that"),
            (directory("dangling"), "is a link to /nowhere/at/all, which does not exist"),
            (
                directory("notes.txt"),
                "is neither a manifest, ID.widget, nor a program: it is not executable and begins without #!"
            ),
        ]
        for (path, words) in expected {
            let finding = checker().check(path)
            #expect(finding.kind == .other && finding.entry == nil, "\(path)")
            #expect(finding.complaints.map(\.reason) == [words], "\(path)")
        }
        let none = checker().check(directory("none.widget"))
        #expect(none.complaints.map(\.reason) == ["does not exist"], "and not that its name is wrong")
    }

    /// A plugin where todayd finds it has its drop-ins, as a manifest has.
    @Test func theDropInsOfAPluginAreReadWithIt() throws {
        try directory.write("[Update]\nTimeout=x\n", to: "strong/widgets/plugin.cpu.widget.d/y.conf")
        let inside = try directory.script("#!/bin/sh\n", to: "strong/plugins/cpu.5m.sh")
        let outside = try directory.script("#!/bin/sh\n", to: "elsewhere/cpu.5m.sh")
        #expect(complaints(checker().check(inside)).first?.hasPrefix("error 2:9 Timeout=: ") == true)
        #expect(complaints(checker().check(outside)) == [])
    }

    @Test func aScriptThatMayNotBeRunSaysSo() throws {
        let path = try directory.write("#!/bin/sh\n", to: "x.sh")
        let finding = checker().check(path)
        #expect(finding.kind == .script)
        #expect(complaints(finding) == ["error  is not executable (chmod +x)"])
        #expect(finding.entry?.reason == "x.sh: is not executable (chmod +x)")
    }
}
