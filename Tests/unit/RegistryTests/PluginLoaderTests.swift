// SPDX-License-Identifier: MIT
import TestSupport
import Testing
import TodayModel

@testable import Registry

struct PluginLoaderTests {
    let directory = TemporaryDirectory()

    private func entry(_ name: String) throws -> Registry.Entry {
        let loader = EntryLoader(
            reader: ManifestReader { _ in nil }, search: ProgramSearch(directories: [directory("bin")]))
        return loader.load(PluginFile(path: directory(name), name: try #require(PluginName(fileName: name))))
    }

    @Test func aPluginBecomesAWidget() throws {
        try directory.script(
            """
            #!/bin/sh
            # <xbar.title>Disk space</xbar.title>
            # <xbar.version>v2</xbar.version>
            # <xbar.author>Ada</xbar.author>
            # <xbar.desc>How full</xbar.desc>
            """, to: "disk.5m.sh")
        let entry = try entry("disk.5m.sh")
        #expect(entry.reason == nil && entry.complaints.isEmpty)
        let manifest = try #require(entry.manifest)
        #expect(manifest.id.text == "plugin.disk" && manifest.displayName == "Disk space")
        #expect(manifest.summary == "How full; version v2 by Ada")
        #expect(manifest.update.command == [directory("disk.5m.sh")])
        #expect(manifest.update.workingDirectory == directory.path)
        #expect(manifest.update.contentProtocol == .xbar && manifest.update.interval == .minutes(5))
        #expect(manifest.update.timeout == .minutes(2) && manifest.update.updateOnAppear == nil)
        #expect(manifest.largestDisplayMode == .expanded && manifest.allowsCommands)
    }

    @Test(
        arguments: [
            ("a.sh", "#!/bin/sh", .xbar, .minutes(1), false),
            ("a.sh", "#!/bin/sh\n#<swiftbar.title>a</swiftbar.title>", .swiftbar, nil, false),
            ("a.5m+.sh", "#!/bin/sh", .argos, .minutes(5), true),
            (
                "a.1h.sh", "#!/bin/sh\n#<swiftbar.refreshOnOpen>true</swiftbar.refreshOnOpen>", .swiftbar, .hours(1),
                true
            ),
            ("a.sh", "#!/bin/sh\n#<bitbar.title>a</bitbar.title>", .bitbar, .minutes(1), false),
        ] as [(String, String, ContentProtocol, TimeSpan?, Bool)])
    func itsHostDecidesWhatIsMissing(
        name: String, script: String, dialect: ContentProtocol, interval: TimeSpan?, onAppear: Bool
    ) throws {
        try directory.script(script, to: name)
        let update = try #require(try entry(name).manifest?.update)
        #expect(update.contentProtocol == dialect && update.interval == interval)
        #expect((update.updateOnAppear != nil) == onAppear)
    }

    /// SwiftBar ignores the interval of a streamable plugin, so its silence is never stale.
    @Test(arguments: [false, true]) func aStreamablePluginIsAStream(isTrailing: Bool) throws {
        try directory.script(
            """
            #!/bin/sh
            # <swiftbar.type>streamable</swiftbar.type>
            # <swiftbar.refreshOnOpen>true</swiftbar.refreshOnOpen>
            # <swiftbar.useTrailingStreamSeparator>\(isTrailing)</swiftbar.useTrailingStreamSeparator>
            """, to: "ticker.5s.sh")
        let entry = try entry("ticker.5s.sh")
        let update = try #require(entry.manifest?.update)
        #expect(entry.reason == nil && update.isStream && update.hasTrailingSeparator == isTrailing)
        #expect(update.contentProtocol == .swiftbar && update.interval == nil && update.updateOnAppear == nil)
    }

    @Test func whatTheKernelWouldNotRunIsSaidInWords() throws {
        try directory.write("#!/bin/sh", to: "closed.5m.sh")
        #expect(try entry("closed.5m.sh").reason == "closed.5m.sh: is not executable (chmod +x)")
        try directory.script("echo x", to: "bare.5m.sh")
        // It is listed with all that is known of it.
        #expect(try entry("bare.5m.sh").manifest?.update.interval == .minutes(5))
    }

    /// A title of escape sequences and spaces is none.
    @Test(arguments: ["\u{1b}[31m \u{1b}[0m", "\u{202e} ", " \u{9b}1m ", "", "\u{3000}"])
    func aBlankTitleIsTheNameOfTheFile(title: String) throws {
        try directory.script("#!/bin/sh\n# <xbar.title>\(title)</xbar.title>", to: "cpu.5m.sh")
        #expect(try entry("cpu.5m.sh").manifest?.displayName == "cpu")
    }

    /// What a plugin begins with, and why it cannot run: the words of `todayctl lint`.
    static let heads: [(head: String, reason: String?)] = [
        ("#!/bin/sh\n", nil), ("#!/usr/bin/env jq\n", nil), ("#!/usr/bin/env -S jq -n\n", nil),
        ("#!/usr/bin/env -S A=b none\n", nil), ("#!/usr/bin/env -u A\n", nil),
        ("", "is empty: there is nothing to run"),
        ("echo x", "has no interpreter: begin the first line with #!, as in #!/bin/sh"),
        (
            "#!/bin/sh\r\necho x\r\n",
            "line 1 ends with a carriage return, which becomes part of the interpreter's name; save the file with line feeds "
                + "alone"
        ),
        ("#!/none/sh\n", "its interpreter /none/sh does not exist; install it, or correct line 1"),
        (
            "#!/usr/bin/env none\n",
            "its interpreter none is in none of the directories of PATH; install it, or correct line 1"
        ),
        (
            "#!/usr/bin/env -S none -u\n",
            "its interpreter none is in none of the directories of PATH; install it, or correct line 1"
        ),
    ]

    @Test(arguments: heads) func itsFirstLineIsJudged(head: String, reason: String?) throws {
        try directory.script("#!/bin/sh\n", to: "bin/jq")
        try directory.script(head, to: "a.5m.sh")
        let entry = try entry("a.5m.sh")
        #expect(entry.reason == reason.map { "a.5m.sh:1: \($0)" })
        #expect(entry.complaints.map(\.reason) == (reason.map { [$0] } ?? []))
    }

    /// The kernel may know how to run it.
    @Test func aBinaryIsAWarning() throws {
        try directory.write([0x4d, 0x5a, 0, 1], to: "a.5m.exe", mode: 0o755)
        let entry = try entry("a.5m.exe")
        #expect(entry.reason == nil)
        #expect(entry.complaints.map(\.reason) == ["is neither a script nor an ELF program: the kernel may refuse it"])
    }

    @Test func missingDependenciesAndWrongIntervalsAreWarnings() throws {
        try directory.script("", to: "bin/jq")
        try directory.script("#!/bin/sh\n#<xbar.dependencies>jq,yq</xbar.dependencies>", to: "a.0s.sh")
        let entry = try entry("a.0s.sh")
        #expect(entry.reason == nil)
        #expect(
            entry.complaints.map(\.reason) == [
                "the interval 0s in its name is not possible; it runs as if it had none",
                "needs yq: no such program is in PATH; if it fails, install it",
            ])
    }

    @Test func theFileOfItsVariablesIsChecked() throws {
        try directory.script(
            """
            #!/bin/sh
            # <xbar.var>string(NAME=Ada): Who.</xbar.var>
            # <xbar.var>number(COUNT=3): How often.</xbar.var>
            # <xbar.var>select(STYLE="a"): Which. [a, b]</xbar.var>
            """, to: "a.5m.sh")
        let values = """
            {
              "NAME": "A\\u0007da",
              "COUNT": "many",
              "COUNTS": 3,
              "other": 1,
              "STYLE": ["a"],
              "EMPTY": null
            }
            """
        let sidecar = try directory.write(values, to: "a.5m.sh.vars.json")
        let entry = try entry("a.5m.sh")
        #expect(entry.manifest?.settings.map(\.defaultText) == ["Ada", "3", "a"])
        #expect(entry.complaints.allSatisfy { $0.file == sidecar && $0.severity == .warning })
        #expect(
            entry.complaints.map { "\($0.line ?? 0) \($0.reason)" } == [
                "6 \"STYLE\": expected a string, found an array", "7 \"EMPTY\": expected a string, found null",
                "2 NAME: the text contains the control character U+0007, so that it counts as not set",
                "3 COUNT: \"many\" is not a number such as 10, -3 or 0.5, so that it counts as not set",
                "4 no <xbar.var> declares \"COUNTS\"; did you mean COUNT?", "5 no <xbar.var> declares \"other\"",
            ], "\(entry.complaints)")
    }

    @Test func aScheduleIsNotUsed() throws {
        let text = "#!/bin/sh\n# <swiftbar.schedule>* * * * *</swiftbar.schedule>\n"
        for (name, cure) in [
            ("a.5m.sh", "it runs every 5min, as its name says"), ("a", "write an interval into its name"),
        ] {
            try directory.script(text, to: name)
            let reasons = try entry(name).complaints.map(\.reason)
            #expect(reasons == ["<swiftbar.schedule> is not used; \(cure)"])
        }
    }

    @Test func itsVariablesAreSettings() throws {
        try directory.script(
            """
            #!/bin/sh
            # <xbar.var>string(NAME="Ada, the first"): Who is greeted.</xbar.var>
            # <xbar.var>number(COUNT=3): How often.</xbar.var>
            # <xbar.var>boolean(LOUD=true)</xbar.var>
            # <xbar.var>select(STYLE="normal"): Which. [small, normal, "big"]</xbar.var>
            # <xbar.var>select(NONE="x"): No options.</xbar.var>
            # <xbar.var>number(BAD=many): No number.</xbar.var>
            # <xbar.var>string(PATH=/tmp): Reserved.</xbar.var>
            # <xbar.var>string(NAME=twice): Again.</xbar.var>
            # <xbar.var>nonsense</xbar.var>
            """, to: "a.5m.sh")
        try directory.write(#"{"COUNT": 7, "STYLE": "huge", "LOUD": false}"#, to: "a.5m.sh.vars.json")
        let entry = try entry("a.5m.sh")
        let settings = try #require(entry.manifest?.settings)
        #expect(settings.map(\.name) == ["NAME", "COUNT", "LOUD", "STYLE"])
        #expect(settings.map(\.defaultText) == ["Ada, the first", "7", "false", "normal"])
        #expect(settings.map(\.label) == ["Who is greeted.", "How often.", nil, "Which."])
        #expect(settings.last?.options == ["small", "normal", "big"])
        #expect(entry.reason == nil && entry.complaints.map(\.line) == [1, 6, 7, 8, 9, 10])
        try directory.delete("a.5m.sh.vars.json")
        try directory.makeDirectory("a.5m.sh.vars.json")
        let closed = try self.entry("a.5m.sh").complaints.map(\.description)
        #expect(closed.first == directory("a.5m.sh.vars.json: cannot be read") && closed.count == 6)
        try directory.delete("a.5m.sh.vars.json")
        try directory.write("{", to: "a.5m.sh.vars.json")
        #expect(try self.entry("a.5m.sh").complaints.first?.reason.contains("is not JSON") == true)
    }
}
