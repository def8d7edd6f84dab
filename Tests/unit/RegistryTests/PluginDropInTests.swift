// SPDX-License-Identifier: MIT
import Reactor
import TestSupport
import Testing
import TodayModel

@testable import Registry

/// Drop-ins of a plugin, which has no manifest: `plugin.cpu.widget.d/x.conf`.
@Suite struct PluginDropInTests {
    private let directory = TemporaryDirectory()
    private static let script = """
        #!/bin/sh
        # <xbar.title>Processor</xbar.title>
        # <xbar.desc>How busy</xbar.desc>
        # <xbar.var>string(NAME="Ada"): Who.</xbar.var>
        """

    init() { TestLoop.start() }

    /// Reads the plugin with these files as its drop-ins.
    private func entry(_ dropIns: [String], script: String = script) throws -> Registry.Entry {
        try directory.script(script, to: "plugins/cpu.5m.sh")
        for (number, text) in dropIns.enumerated() {
            try directory.write(text, to: "widgets/plugin.cpu.widget.d/\(number).conf")
        }
        let loader = EntryLoader(
            reader: ManifestReader { _ in nil }, search: ProgramSearch(directories: [directory("bin")]))
        let plugin = PluginFile(
            path: directory("plugins/cpu.5m.sh"), name: try #require(PluginName(fileName: "cpu.5m.sh")))
        return loader.load(plugin, [directory("widgets/plugin.cpu.widget.d")])
    }

    private func manifest(_ dropIns: String...) throws -> Manifest {
        let entry = try entry(dropIns)
        #expect(entry.reason == nil && entry.complaints.isEmpty)
        return try #require(entry.manifest)
    }

    @Test func eachKeyChangesThePlugin() throws {
        let manifest = try manifest(
            """
            [Widget]
            DisplayName=CPU
            Description=Busy
            Icon=x
            ExtensionPoint=status-bar
            LargestDisplayMode=compact
            AllowsCommands=no
            URLSchemes=
            URLSchemes=gopher
            [Update]
            Protocol=swiftbar
            Interval=1h
            Timeout=5s
            UpdateOnAppear=2min
            Environment=A=b
            [Limits]
            MemoryMax=64M
            OutputMax=1M
            [Settings]
            NAME=default=Eve
            COUNT=number default=3
            """)
        #expect(manifest.id.text == "plugin.cpu" && manifest.displayName == "CPU" && manifest.summary == "Busy")
        #expect(manifest.icon == "x" && manifest.extensionPoints == [.statusBar])
        #expect(manifest.largestDisplayMode == .compact && !manifest.allowsCommands)
        #expect(manifest.urlSchemes == ["gopher"])
        let update = manifest.update
        #expect(update.command == [directory("plugins/cpu.5m.sh")] && update.contentProtocol == .swiftbar)
        #expect(update.interval == .hours(1) && update.timeout == .seconds(5))
        #expect(update.updateOnAppear == .minutes(2) && update.environment == ["A": "b"])
        #expect(update.workingDirectory == directory("plugins"))
        #expect(manifest.limits.memory == ByteSize(bytes: 64 << 20))
        #expect(manifest.limits.output == ByteSize(bytes: 1 << 20))
        #expect(manifest.settings.map(\.name) == ["NAME", "COUNT"])
        #expect(manifest.settings.map(\.defaultText) == ["Eve", "3"])
        #expect(manifest.settings.first?.label == "Who.")
    }

    @Test func whatNoFileChangesStays() throws {
        let plain = try #require(try entry([]).manifest)
        #expect(plain.displayName == "Processor" && plain.summary == "How busy")
        #expect(plain.settings.map(\.defaultText) == ["Ada"])
        var expected = plain
        expected.update.timeout = .seconds(5)
        // The plugin was written anew.
        var manifest = try manifest("[Update]\nTimeout=5s")
        manifest.identifyProgram()
        expected.identifyProgram()
        #expect(manifest == expected)
    }

    /// An empty value takes back what another drop-in says, and leaves what the plugin says.
    @Test func anEmptyValueTakesBackADropIn() throws {
        var plain = try #require(try entry([]).manifest)
        var changed = try manifest(
            """
            [Widget]
            DisplayName=CPU
            Description=Busy
            LargestDisplayMode=compact
            AllowsEditing=yes
            AllowsCommands=no
            [Update]
            ExecStart=/bin/true
            Protocol=text
            Stream=yes
            Interval=1h
            Timeout=5s
            WorkingDirectory=/
            UpdateOnAppear=1min
            [Limits]
            MemoryMax=1G
            OutputMax=1K
            """,
            """
            [Widget]
            DisplayName=
            Description=
            LargestDisplayMode=
            AllowsEditing=
            AllowsCommands=
            [Update]
            ExecStart=
            Protocol=
            Stream=
            Interval=
            Timeout=
            WorkingDirectory=
            UpdateOnAppear=
            [Limits]
            MemoryMax=
            OutputMax=
            """)
        plain.identifyProgram()
        changed.identifyProgram()
        #expect(changed == plain)
    }

    @Test func aWrongDropInSaysItsPlaceAndThePluginDoesNotRun() throws {
        let wrong = try entry(["[Update]\nTimeout=soon\n"])
        #expect(wrong.reason?.hasPrefix("0.conf:2: Timeout=: ") == true)
        #expect(wrong.displayName == "Processor")
        let unknown = try entry(["[Update]\nTimout=5s\n"])
        #expect(unknown.reason == nil)
        #expect(
            unknown.complaints.map(\.description) == [
                "\(directory("widgets/plugin.cpu.widget.d/0.conf")):2: unknown key Timout= in [Update]; did you mean "
                    + "Timeout=?"
            ])
        let stream = try entry(
            ["[Update]\nProtocol=varlink\n"], script: "#!/bin/sh\n#<swiftbar.type>streamable</swiftbar.type>\n")
        #expect(stream.reason?.hasPrefix("0.conf:2: Stream=: ") == true)
    }

    @Test func itMayNameAnotherProgram() throws {
        let other = try directory.script("", to: "bin/wrapper")
        let entry = try entry(["[Update]\nExecStart=wrapper %%\n"], script: "no shebang")
        #expect(entry.manifest?.update.command == [other, "%"])
        // Nothing runs the plugin's file, so that its first line is of no interest.
        #expect(entry.reason == nil)
        let missing = try self.entry(["[Update]\nExecStart=./none\n"])
        #expect(missing.reason?.hasPrefix("0.conf:2: ExecStart=: \(directory("plugins/none")) does not exist") == true)
        #expect(missing.awaitedDirectories == [directory("plugins")])
    }

    @Test func tooManyAreRefused() throws {
        let entry = try entry((0...DropIns.most).map { _ in "" })
        #expect(entry.reason == "cpu.5m.sh: has 65 drop-ins, and 64 are the most")
    }

    @Test @LoopActor func dropInsComeChangeAndGo() async throws {
        try directory.script("#!/bin/sh\n", to: "plugins/cpu.5m.sh")
        try directory.makeDirectory("widgets")
        let registry = try Registry(searchPath: SearchPath(widgetDirectories: [directory("widgets")]))
        func timeout() -> TimeSpan? { registry.widgets.values.first?.manifest?.update.timeout }
        registry.reload()
        #expect(timeout() == .minutes(2))
        for seconds in [5, 6] as [Int64] {
            try directory.write("[Update]\nTimeout=\(seconds)s\n", to: "widgets/plugin.cpu.widget.d/x.conf")
            try await eventually("the new one") { timeout() == .seconds(seconds) }
        }
        registry.reload()
        #expect(timeout() == .seconds(6))
        try directory.delete("widgets/plugin.cpu.widget.d/x.conf")
        try await eventually("the plugin's own") { timeout() == .minutes(2) }
    }
}
