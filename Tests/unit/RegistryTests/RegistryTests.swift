// SPDX-License-Identifier: MIT
import Files
import Glibc
import Reactor
import TestSupport
import Testing
import TodayModel

@testable import Registry

/// Changes as they happen.
@Suite struct RegistryTests {
    private let directory = TemporaryDirectory()
    private let changes = Arrivals<Registry.Change>("change")
    private let settings = Arrivals<Settings>("changed settings")
    private static let push = "[Update]\nProtocol=push\n"

    init() { TestLoop.start() }

    @LoopActor private func start(_ names: String...) throws -> Registry {
        let registry = try Registry(
            searchPath: SearchPath(widgetDirectories: names.map { directory($0) }),
            programDirectories: [directory("bin1"), directory("bin2")])
        registry.onReport = { [changes, settings] report in
            switch report {
            case .widgets(let all): all.forEach { changes.send($0) }
            case .settings(let new): settings.send(new)
            case .complaints: break
            }
        }
        registry.reload()
        return registry
    }

    private func isAdded(_ change: Registry.Change, _ name: String) -> Bool {
        if case .added(let entry) = change { return entry.id.text == name && entry.reason == nil }
        return false
    }

    @Test @LoopActor func aDirectoryThatComesAndGoesIsThereInTheEnd() async throws {
        try directory.write(Self.push, to: "widgets/a.a.widget")
        let registry = try start("widgets")
        let (here, away) = (directory("widgets"), directory("away"))
        for _ in 0..<5 {
            await Task.detached { for _ in 0..<3_000 { _ = (rename(here, away), rename(away, here)) } }.value
            try await eventually("the widget") { registry.widgets.count == 1 && registry.complaints.isEmpty }
        }
        try directory.write(Self.push, to: "widgets/b.b.widget")
        try await eventually("the new one") { registry.widgets.count == 2 }
    }

    @Test @LoopActor func whatIsThereIsReportedByTheFirstReload() async throws {
        try directory.write(Self.push, to: "widgets/b.b.widget")
        try directory.write(Self.push, to: "widgets/a.a.widget")
        let registry = try start("widgets")
        #expect(changes.taken().map(\.id.text) == ["a.a", "b.b"])
        #expect(registry.widgets.count == 2)
        registry.reload()
        #expect(changes.taken().isEmpty)
        withExtendedLifetime(registry) {}
    }

    /// As todayctl writes it: whole at once, whatever name it had before.
    @Test @LoopActor func aManifestThatIsWholeAtOnceIsNoticed() async throws {
        try directory.makeDirectory("widgets")
        let registry = try start("widgets")
        for number in 0..<20 {
            try NewFile.write(Self.push, at: directory("widgets/a.b\(number).widget"), mode: 0o644)
            #expect(isAdded(try await changes.next(), "a.b\(number)"))
        }
        withExtendedLifetime(registry) {}
    }

    @Test @LoopActor func aManifestComesChangesAndGoes() async throws {
        try directory.makeDirectory("widgets")
        let registry = try start("widgets")
        try directory.write(Self.push, to: "widgets/a.b.widget")
        #expect(isAdded(try await changes.next(), "a.b"))
        try directory.write(Self.push + "Interval=1h\n", to: "widgets/a.b.widget")
        guard case .changed(let new, let old) = try await changes.next() else {
            Issue.record("not changed")
            return
        }
        #expect(old.manifest?.update.interval == UpdatePlan.defaultInterval)
        #expect(new.manifest?.update.interval == .hours(1))
        try directory.delete("widgets/a.b.widget")
        guard case .removed(let gone) = try await changes.next() else {
            Issue.record("not removed")
            return
        }
        #expect(gone == new)
        #expect(registry.widgets.isEmpty)
        withExtendedLifetime(registry) {}
    }

    /// It is known that something has changed and not yet looked at: who asks now means what is there now.
    @Test @LoopActor func whoAsksDoesNotGetWhatWasBefore() async throws {
        try directory.makeDirectory("widgets")
        let registry = try start("widgets")
        try directory.write(Self.push, to: "widgets/a.b.widget")
        _ = try await changes.next()
        try directory.write(Self.push + "Interval=1h\n", to: "widgets/a.b.widget")
        try await eventually("notice of the change") {
            registry.catchUp()
            return !changes.taken().isEmpty
        }
        #expect(registry.widgets.values.first?.manifest?.update.interval == .hours(1))
    }

    @Test @LoopActor func complaintsAreReportedWhenTheyAreOthers() async throws {
        try directory.makeDirectory("widgets")
        let registry = try start("widgets")
        let told = Arrivals<Void>("complaints")
        registry.onReport = { if case .complaints = $0 { told.send() } }
        try directory.write(Self.push, to: "widgets/no_identifier.widget")
        try await told.next()
        #expect(registry.complaints.count == 1)
        registry.reload()
        try directory.delete("widgets/no_identifier.widget")
        try await told.next()
        #expect(registry.complaints.isEmpty)
        withExtendedLifetime(registry) {}
    }

    @Test @LoopActor func aFileThatIsBeingWrittenIsReadWhenItIsClosed() async throws {
        try directory.makeDirectory("widgets")
        let registry = try start("widgets")
        let file = open(directory("widgets/a.b.widget"), O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
        let half = Array("[Update]\nProtocol=pu".utf8)
        #expect(write(file, half, half.count) == half.count)
        // Whatever the daemon does meanwhile: the marker is read, the half file is not.
        try directory.write(Self.push, to: "widgets/marker.x.widget")
        #expect(isAdded(try await changes.next(), "marker.x"))
        #expect(write(file, Array("sh\n".utf8), 3) == 3)
        close(file)
        #expect(isAdded(try await changes.next(), "a.b"))
        withExtendedLifetime(registry) {}
    }

    @Test @LoopActor func renamesLinksAndMasksAreSeen() async throws {
        try directory.makeDirectory("strong")
        try directory.write(Self.push, to: "weak/a.b.widget.new")
        let registry = try start("strong", "weak")
        try directory.rename("weak/a.b.widget.new", to: "weak/a.b.widget")
        #expect(isAdded(try await changes.next(), "a.b"))
        symlink("/dev/null", directory("strong/a.b.widget"))
        guard case .changed(let masked, _) = try await changes.next() else {
            Issue.record("not masked")
            return
        }
        #expect(masked.validity == .masked)
        link(directory("weak/a.b.widget"), directory("weak/hard.link.widget"))
        #expect(isAdded(try await changes.next(), "hard.link"))
        withExtendedLifetime(registry) {}
    }

    @Test @LoopActor func directoriesThatAppearLaterAreWatched() async throws {
        let registry = try start("one/two/widgets")
        try directory.write(Self.push, to: "one/two/widgets/a.b.widget")
        #expect(isAdded(try await changes.next(), "a.b"))
        try directory.write(Self.push, to: "one/two/widgets/c.d.widget")
        #expect(isAdded(try await changes.next(), "c.d"))
        // Away and back again, as another directory.
        try directory.rename("one/two", to: "one/three")
        _ = try await changes.next(2)
        #expect(registry.widgets.isEmpty)
        try directory.rename("one/three", to: "one/two")
        _ = try await changes.next(2)
        try directory.write(Self.push, to: "one/two/widgets/e.f.widget")
        #expect(isAdded(try await changes.next(), "e.f"))
        withExtendedLifetime(registry) {}
    }

    @Test @LoopActor func dropInsAreWatched() async throws {
        try directory.write(Self.push, to: "widgets/a.b.widget")
        let registry = try start("widgets")
        _ = try await changes.next()
        for minutes in [2, 3] as [Int64] {
            try directory.write("[Update]\nInterval=\(minutes)min", to: "widgets/a.b.widget.d/x.conf")
            _ = try await changes.first { @Sendable change in
                if case .changed(let entry, _) = change { return entry.manifest?.update.interval == .minutes(minutes) }
                return false
            }
        }
        try directory.delete("widgets/a.b.widget.d/x.conf")
        _ = try await changes.first { @Sendable change in
            if case .changed(let entry, _) = change { return entry.manifest?.update.interval == .minutes(5) }
            return false
        }
        withExtendedLifetime(registry) {}
    }

    @Test(arguments: ["widgets/program", "elsewhere/deep/program"])
    @LoopActor func aWidgetBecomesValidWhenItsProgramIsReady(program: String) async throws {
        let path = directory(program)
        try directory.write("[Update]\nExecStart=\(path)\n", to: "widgets/a.b.widget")
        let registry = try start("widgets")
        guard case .added(let missing) = try await changes.next() else {
            Issue.record("not added")
            return
        }
        #expect(missing.reason?.contains("does not exist") == true)
        try directory.write("#!/bin/sh\n", to: program)
        _ = try await changes.first { @Sendable change in
            if case .changed(let entry, _) = change { return entry.reason?.hasSuffix("(chmod +x)") == true }
            return false
        }
        chmod(path, 0o755)
        guard case .changed(let ready, _) = try await changes.next() else {
            Issue.record("not changed")
            return
        }
        #expect(ready.reason == nil)
        withExtendedLifetime(registry) {}
    }

    /// Beside its manifest a saved program is noticed; elsewhere it is when it is looked at.
    @Test(arguments: ["widgets", "bin"]) @LoopActor func aSavedProgramChangesItsWidget(place: String) async throws {
        let program = try directory.script("#!/bin/sh\n", to: "\(place)/tool")
        try directory.write("[Update]\nExecStart=\(program)\n", to: "widgets/a.b.widget")
        let registry = try start("widgets")
        guard case .added(let first) = try await changes.next() else {
            Issue.record("not added")
            return
        }
        registry.checkProgram(of: first.id)
        registry.catchUp()
        #expect(changes.taken().isEmpty)
        try directory.script("#!/bin/sh\necho saved\n", to: "\(place)/tool")
        if place == "bin" { registry.checkProgram(of: first.id) }
        guard case .changed(let saved, let before) = try await changes.next() else {
            Issue.record("not changed")
            return
        }
        #expect(before == first && saved.reason == nil)
        #expect(saved.manifest?.programHash != first.manifest?.programHash)
        withExtendedLifetime(registry) {}
    }

    @Test(arguments: ["bin1", "bin2", "bin3"])
    @LoopActor func aProgramMayComeToAnyDirectoryOfThePath(place: String) async throws {
        try directory.write("[Update]\nExecStart=program\n", to: "widgets/a.b.widget")
        let registry = try start("widgets")
        guard case .added(let missing) = try await changes.next() else {
            Issue.record("not added")
            return
        }
        #expect(missing.reason?.contains("there is no program \"program\"") == true)
        let program = try directory.script("", to: "\(place)/program")
        if place == "bin3" { registry.setProgramDirectories([directory("bin2"), directory("bin3")]) }
        let change = try await changes.first { @Sendable change in
            if case .changed(let entry, _) = change { return entry.reason == nil }
            return false
        }
        if case .changed(let ready, _) = change { #expect(ready.manifest?.update.command == [program]) }
        withExtendedLifetime(registry) {}
    }

    @Test @LoopActor func pluginsAndBadNamesComeAndGo() async throws {
        try directory.makeDirectory("widgets")
        let registry = try start("widgets")
        try directory.write("#!/bin/sh", to: "plugins/cpu.5m.sh")
        #expect(try await changes.next().id.text == "plugin.cpu")
        try directory.write(Self.push, to: "widgets/plugin.cpu.widget")
        guard case .changed(let manifest, _) = try await changes.next() else {
            Issue.record("not changed")
            return
        }
        #expect(manifest.path.hasSuffix(".widget"))
        try directory.delete("widgets/plugin.cpu.widget")
        guard case .changed(let plugin, _) = try await changes.next() else {
            Issue.record("not changed back")
            return
        }
        #expect(plugin.path.hasSuffix("cpu.5m.sh"))
        try directory.write(Self.push, to: "widgets/bad.widget")
        try await eventually("complaint") { !registry.complaints.isEmpty }
        #expect(registry.complaints.count == 1)
        withExtendedLifetime(registry) {}
    }

    @Test @LoopActor func settingsAreReadAndWatched() async throws {
        try directory.write("[Daemon]\nDefaultTimeout=5s\nConcurrencyMax=x", to: "todayd.conf")
        try directory.script("", to: "widgets/p")
        try directory.write("[Update]\nExecStart=./p", to: "widgets/a.b.widget")
        let registry = try start("widgets")
        #expect(try await settings.next().defaultTimeout == .seconds(5))
        #expect(registry.complaints.count == 1)
        guard case .added(let entry) = try await changes.next() else {
            Issue.record("not added")
            return
        }
        #expect(entry.manifest?.update.timeout == .seconds(5))
        try directory.write("[Daemon]\nDefaultTimeout=6s\nConcurrencyMax=2", to: "todayd.conf.d/x.conf")
        #expect(try await settings.first { @Sendable in $0.concurrencyMax == 2 }.defaultTimeout == .seconds(6))
        guard case .changed(let changed, _) = try await changes.next() else {
            Issue.record("not changed")
            return
        }
        #expect(changed.manifest?.update.timeout == .seconds(6))
        withExtendedLifetime(registry) {}
    }

    @Test @LoopActor func theTargetOfLinkedSettingsIsWatched() async throws {
        let file = try directory.write("[Daemon]\nConcurrencyMax=2\n", to: "dotfiles/settings")
        try directory.makeDirectory("widgets")
        try directory.link("todayd.conf", to: "dotfiles/settings")
        let registry = try start("widgets")
        #expect(try await settings.next().concurrencyMax == 2)
        try directory.write("[Daemon]\nConcurrencyMax=3\n", to: "dotfiles/settings")
        #expect(try await settings.next().concurrencyMax == 3)
        try directory.link("new", to: file)
        try directory.rename("new", to: "todayd.conf")
        try directory.write("[Daemon]\nConcurrencyMax=4\n", to: "dotfiles/settings")
        #expect(try await settings.first { @Sendable in $0.concurrencyMax == 4 }.concurrencyMax == 4)
        withExtendedLifetime(registry) {}
    }

    @Test @LoopActor func aBurstIsReportedAtOnce() async throws {
        try directory.makeDirectory("widgets")
        let registry = try start("widgets")
        let batches = Arrivals<Int>("batch")
        registry.onReport = { if case .widgets(let all) = $0 { batches.send(all.count) } }
        for number in 0..<200 { try directory.write(Self.push, to: "widgets/a.w\(number).widget") }
        var seen = 0
        var count = 0
        while seen < 200 {
            seen += try await batches.next()
            count += 1
        }
        #expect(seen == 200)
        #expect(count <= 20)
        withExtendedLifetime(registry) {}
    }
}
