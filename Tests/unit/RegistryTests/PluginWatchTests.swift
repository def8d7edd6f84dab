// SPDX-License-Identifier: MIT
import Files
import Glibc
import Reactor
import TestSupport
import Testing
import TodayModel

@testable import Registry

/// What a change in a directory of plugins makes the registry read, as inotify(7) tells it: which files it opens.
@Suite struct PluginWatchTests {
    private let directory = TemporaryDirectory()
    private let changes = Arrivals<Registry.Change>("change")
    private let opened = Arrivals<String>("opened file")

    init() { TestLoop.start() }

    /// A registry of `widgets` and `plugins`, and a watch of what is opened in both.
    @LoopActor private func start() throws -> (Registry, [DirectorySource]) {
        try directory.makeDirectory("widgets")
        let registry = try Registry(searchPath: SearchPath(widgetDirectories: [directory("widgets")]))
        registry.onReport = { [changes] in if case .widgets(let all) = $0 { all.forEach { changes.send($0) } } }
        registry.reload()
        _ = changes.taken()
        let opening = DirectoryEvents(rawValue: UInt32(bitPattern: IN_OPEN))
        let sources = try ["widgets", "plugins"].map { name in
            try DirectorySource(path: directory(name), mask: opening) { [opened] event in
                // A listing opens the directory itself, which has no name.
                if event.kinds.contains(opening) { opened.send("\(name)/\(event.name)") }
            }
        }
        return (registry, sources)
    }

    /// Adds a plugin, and waits until it is a widget: by then all earlier changes have been read.
    private func marker(_ name: String) async throws -> [String] {
        try directory.rename("marker", to: "plugins/\(name).5m.sh")
        let change = try await changes.next()
        #expect(change.id.text == "plugin.\(name)")
        // The events of one directory arrive in their order.
        var files: Set<String> = []
        while try await isOpened(&files, until: "plugins/\(name).5m.sh") {}
        return files.sorted()
    }

    private func isOpened(_ files: inout Set<String>, until last: String) async throws -> Bool {
        let file = try await opened.next()
        files.insert(file)
        return file != last
    }

    @Test @LoopActor func aPluginThatWritesBesideItselfCostsNoReading() async throws {
        try directory.write("[Update]\nProtocol=push\n", to: "widgets/a.b.widget")
        try directory.script("#!/bin/sh\necho 1\n", to: "plugins/cpu.5m.sh")
        try directory.write("#!/bin/sh\n", to: "marker", mode: 0o755)
        let (registry, sources) = try start()
        for number in 0..<20 {
            for name in ["cache.json", ".state", "cpu.sh.log", "notes~", "other.vars.json"] {
                try directory.write("{\"n\": \(number)}", to: "plugins/\(name)")
            }
            try directory.write("new", to: "plugins/cache.tmp")
            try directory.rename("plugins/cache.tmp", to: "plugins/cache.json")
            try await Task.sleep(for: .milliseconds(10))
        }
        let files = try await marker("marker")
        let written = ["cache.json", ".state", "cpu.sh.log", "notes~", "other.vars.json", "cache.tmp"]
        let mine = Set(written.map { "plugins/\($0)" })
        // One listing, and one file: that of the marker.
        #expect(files.filter { !mine.contains($0) } == ["plugins/", "plugins/marker.5m.sh"])
        withExtendedLifetime((registry, sources)) {}
    }

    @Test @LoopActor func onlyTheChangedPluginIsReadAgain() async throws {
        try directory.write("[Update]\nProtocol=push\n", to: "widgets/a.b.widget")
        try directory.script("#!/bin/sh\n", to: "plugins/cpu.5m.sh")
        try directory.script("#!/bin/sh\n", to: "plugins/mem.5m.sh")
        try directory.write("#!/bin/sh\n", to: "marker", mode: 0o755)
        let (registry, sources) = try start()
        try directory.script("#!/bin/sh\n#<xbar.title>Memory</xbar.title>\n", to: "plugins/mem.5m.sh")
        #expect(try await changes.next().id.text == "plugin.mem")
        let files = try await marker("marker")
        #expect(files == ["plugins/", "plugins/marker.5m.sh", "plugins/mem.5m.sh"])
        withExtendedLifetime((registry, sources)) {}
    }

    /// What a person may do in the directory, as a command of the shell, and the widgets after it.
    static let steps: [(command: String, ids: [String])] = [
        ("printf '#!/bin/sh\\n' > plugins/new.5m.sh; chmod +x plugins/new.5m.sh", ["cpu", "new"]),
        // Without an interval it is a plugin while it is executable.
        ("printf '#!/bin/sh\\n' > plugins/tool; chmod +x plugins/tool", ["cpu", "tool"]),
        ("chmod -x plugins/cpu.5m.sh", ["cpu!"]),
        ("rm plugins/cpu.5m.sh", []),
        ("mv plugins/cpu.5m.sh plugins/cpu.5m.sh.off", []),
        ("mv plugins/cpu.5m.sh plugins/cpu.5m.sh.off; sleep 0.2; mv plugins/cpu.5m.sh.off plugins/cpu.5m.sh", ["cpu"]),
        ("ln -s ../other plugins/link.1m.sh; sleep 0.2; ln -sfn ../closed plugins/link.1m.sh", ["cpu", "link!"]),
        ("ln -s ../gone plugins/link.1m.sh", ["cpu", "link!"]),
        ("ln -s .. plugins/link.1m.sh", ["cpu"]),
        // Two of one name: the second one is spelled out, until the first one is gone.
        ("cp -p other plugins/cpu.9m.py", ["cpu", "cpu.9m.py"]),
        ("cp -p other plugins/cpu.9m.py; sleep 0.2; rm plugins/cpu.5m.sh", ["cpu"]),
        // A manifest of its name replaces it.
        ("printf '[Update]\\nProtocol=push\\n' > widgets/plugin.cpu.widget", ["cpu"]),
        ("ln -s /dev/null widgets/plugin.cpu.widget", ["cpu!"]),
        ("ln -s /dev/null widgets/plugin.cpu.widget; sleep 0.2; rm widgets/plugin.cpu.widget", ["cpu"]),
        ("cp -p other plugins/cpu.9m.py; sleep 0.2; ln -s /dev/null widgets/plugin.cpu.widget", ["cpu!"]),
        ("mkdir plugins/dir.5m.sh", ["cpu"]), ("rm -r plugins", []),
        ("mv plugins p; sleep 0.2; mv p plugins", ["cpu"]),
    ]

    @Test(arguments: steps.indices) @LoopActor func whatPeopleDoWithPluginsIsNoticed(place: Int) async throws {
        let (command, ids) = Self.steps[place]
        try directory.script("#!/bin/sh\n", to: "plugins/cpu.5m.sh")
        try directory.script("#!/bin/sh\n", to: "other")
        try directory.write("#!/bin/sh\n", to: "closed")
        let (registry, sources) = try start()
        let shell = "cd \(directory.path) && \(command)"
        #expect(await Task.detached { system(shell) }.value == 0)
        // As a daemon that starts now would find them.
        try await eventually("\(ids)") {
            let fresh = try Registry(searchPath: registry.searchPath)
            fresh.reload()
            return found(registry) == ids && fresh.widgets == registry.widgets
        }
        withExtendedLifetime(sources) {}
    }

    @Test @LoopActor func aPluginIsThereWhenItsManifestGoes() async throws {
        try directory.script("#!/bin/sh\n", to: "plugins/cpu.5m.sh")
        try directory.write("", to: "widgets/plugin.cpu.widget")
        let (registry, sources) = try start()
        #expect(found(registry) == ["cpu!"])
        try directory.delete("widgets/plugin.cpu.widget")
        try await eventually("the plugin") { found(registry) == ["cpu"] }
        withExtendedLifetime(sources) {}
    }

    /// The names of the plugins, with a mark behind those that cannot run.
    @LoopActor private func found(_ registry: Registry) -> [String] {
        let names = registry.widgets.values.map { entry in
            String(entry.id.text.dropFirst(PluginName.prefix.count)) + (entry.reason == nil ? "" : "!")
        }
        return names.sorted()
    }

    @Test @LoopActor func theValuesOfItsVariablesAreRead() async throws {
        let script = "#!/bin/sh\n#<xbar.var>string(NAME=\"Ada\")</xbar.var>\n"
        try directory.script(script, to: "plugins/cpu.5m.sh")
        let (registry, sources) = try start()
        for name in ["Bob", "Eve"] {
            try directory.write("{\"NAME\": \"\(name)\"}", to: "plugins/cpu.5m.sh.vars.json")
            try await eventually("the value") {
                registry.widgets.values.first?.manifest?.settings.first?.defaultText == name
            }
        }
        try directory.delete("plugins/cpu.5m.sh.vars.json")
        try await eventually("the default") {
            registry.widgets.values.first?.manifest?.settings.first?.defaultText == "Ada"
        }
        withExtendedLifetime(sources) {}
    }

    /// A client that asks does not wait for the pause, after which all is read.
    @Test @LoopActor func whoAsksGetsThePluginOfNow() async throws {
        try directory.script("#!/bin/sh\n", to: "plugins/cpu.5m.sh")
        let (registry, sources) = try start()
        try directory.script("#!/bin/sh\n#<xbar.title>One</xbar.title>\n", to: "plugins/cpu.5m.sh")
        try await eventually("the title") {
            registry.catchUp()
            return registry.widgets.values.first?.displayName == "One"
        }
        withExtendedLifetime(sources) {}
    }
}

/// A plugin is right again when its user has done what its complaint says.
@Suite struct PluginCureTests {
    private let directory = TemporaryDirectory()

    init() { TestLoop.start() }

    @LoopActor private func start() throws -> Registry {
        let registry = try Registry(
            searchPath: SearchPath(widgetDirectories: [directory("widgets")]), programDirectories: [directory("bin")])
        registry.reload()
        return registry
    }

    @LoopActor private func entry(_ registry: Registry) throws -> Registry.Entry {
        try #require(registry.widgets.values.first)
    }

    @Test(arguments: [true, false]) @LoopActor func whatItNeedsIsInstalled(isDirectoryThere: Bool) async throws {
        try directory.script("#!/bin/sh\n#<xbar.dependencies>jq,yq</xbar.dependencies>\n", to: "plugins/a.1m.sh")
        if isDirectoryThere { try directory.makeDirectory("bin") }
        let registry = try start()
        #expect(try entry(registry).complaints.first?.reason.hasPrefix("needs jq, yq: ") == true)
        try directory.script("", to: "bin/jq")
        try await eventually("jq") { try entry(registry).complaints.first?.reason.hasPrefix("needs yq: ") == true }
        try directory.script("", to: "bin/yq")
        try await eventually("yq") { try entry(registry).complaints.isEmpty }
    }

    /// What a first line names, and what is installed. `%` is the directory of the test.
    @Test(arguments: ["#!%/bin/tool -x\n", "#!/usr/bin/env tool\n"])
    @LoopActor func itsInterpreterIsInstalled(line: String) async throws {
        let parts = line.split(separator: "%", omittingEmptySubsequences: false)
        try directory.script(parts.joined(separator: directory.path), to: "plugins/a.1m.sh")
        let registry = try start()
        #expect(try entry(registry).reason?.contains("its interpreter ") == true)
        try directory.script("", to: "bin/tool")
        try await eventually("the interpreter") { try entry(registry).reason == nil }
    }

    /// As `todayctl import --link FILE` makes it, and over a second link.
    @Test(arguments: [["../src/a.sh"], ["../second", "src/a.sh"]])
    @LoopActor func theTargetOfALinkBecomesExecutable(links: [String]) async throws {
        let target = try directory.write("#!/bin/sh\n", to: "src/a.sh")
        try directory.makeDirectory("plugins")
        try directory.link("plugins/a.1m.sh", to: links[0])
        if links.count > 1 { try directory.link("second", to: links[1]) }
        let registry = try start()
        #expect(try entry(registry).reason == "a.1m.sh: is not executable (chmod +x)")
        chmod(target, 0o755)
        try await eventually("the run bit") { try entry(registry).reason == nil }
        // Its author goes on writing it.
        try directory.script("#!/bin/sh\n#<xbar.title>Mine</xbar.title>\n", to: "new")
        try directory.rename("new", to: "src/a.sh")
        try await eventually("the title") { try entry(registry).displayName == "Mine" }
        try directory.delete("src/a.sh")
        try await eventually("that it is gone") { try entry(registry).reason?.hasSuffix("does not exist") == true }
        try directory.script("#!/bin/sh\n", to: "src/a.sh")
        try await eventually("that it is back") { try entry(registry).reason == nil }
    }

    @Test @LoopActor func aManifestsProgramBehindALinkBecomesExecutable() async throws {
        let target = try directory.write("#!/bin/sh\n", to: "src/program")
        for (name, command) in [("a.path", directory("bin/program")), ("a.name", "program")] {
            try directory.write("[Update]\nExecStart=\(command)\n", to: "widgets/\(name).widget")
        }
        try directory.makeDirectory("bin")
        try directory.link("bin/program", to: "../src/program")
        let registry = try start()
        #expect(registry.widgets.values.allSatisfy { $0.reason?.hasSuffix("(chmod +x)") == true })
        chmod(target, 0o755)
        try await eventually("the run bit") { registry.widgets.values.allSatisfy { $0.reason == nil } }
    }

    /// As managers of dotfiles put links in the place of files. A program in another directory is not watched.
    @Test @LoopActor func aChangeBehindAnyLinkOfAManifestIsSeen() async throws {
        func program(_ text: String, _ name: String) throws {
            try directory.script("#!/bin/sh\necho \(text)\n", to: "new")
            try directory.rename("new", to: name)
        }
        for name in ["files", "elsewhere", "links", "widgets/a.two.widget.d"] { try directory.makeDirectory(name) }
        for name in ["files/one", "files/two", "elsewhere/three"] { try program("old", name) }
        try directory.write("[Update]\nExecStart=./one\n", to: "files/one.widget")
        try directory.write("[Update]\nExecStart=./two\n", to: "widgets/a.two.widget")
        try directory.write("[Update]\nExecStart=\(directory("links/three"))\n", to: "widgets/a.three.widget")
        try directory.write("[Widget]\nDisplayName=old\n", to: "files/name.conf")
        for (link, target) in [
            ("widgets/a.one.widget", "../files/one.widget"), ("widgets/two", "../files/two"),
            ("widgets/a.two.widget.d/name.conf", "../../files/name.conf"), ("links/three", "../elsewhere/three"),
            ("widgets/a.two.widget.d/off.conf", "/dev/null"), ("widgets/a.off.widget", "/dev/null"),
        ] { try directory.link(link, to: target) }
        let registry = try start()
        func widget(_ name: String) throws -> Registry.Entry {
            try #require(registry.widgets.values.first { $0.id.text == name })
        }
        func version(_ name: String) throws -> UInt64? { try widget(name).programVersion }
        let before = try ["a.one", "a.two", "a.three"].map(version)
        #expect(!before.contains(nil))
        for name in ["files/one", "files/two", "elsewhere/three"] { try program("newer", name) }
        try await eventually("the programs") { try version("a.one") != before[0] && version("a.two") != before[1] }
        try directory.write("[Widget]\nDisplayName=new\n", to: "files/name.conf")
        try directory.write("[Widget]\nDisplayName=new\n[Update]\nExecStart=./one\n", to: "files/one.widget")
        try await eventually("the names") {
            try widget("a.one").displayName == "new" && widget("a.two").displayName == "new"
        }
        #expect(try widget("a.three").linkedFiles.isEmpty && widget("a.off").linkedFiles.isEmpty)
        #expect(!(try widget("a.two").linkedFiles.contains("/dev/null")))
    }
}
