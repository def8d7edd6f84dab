// SPDX-License-Identifier: MIT
import Files
import Glibc
import Import
import JSON
import TestSupport
import Testing
import TodayDaemon
import TodayModel

@testable import AuthorTools

/// `today-author --import`, from the files of another host to those of todayd.
@Suite struct ImportModeTests {
    static let configurations: [ImportSource] = [.waybar, .i3blocks, .polybar, .i3statusRust]
    static let plugins: [ImportSource] = [.xbar, .swiftbar, .argos]

    @Test(arguments: configurations)
    func everyManifestIsValid(host: ImportSource) throws {
        let machine = try ImportMachine()
        let report = try machine.report(host)
        #expect(report.isComplete && report.count(.new) == report.files.count && report.files.count >= 8)
        #expect(report.source.map { FileContents(at: $0, limit: 1 << 20) } != nil, "\(report.source ?? "no source")")
        #expect(machine.names("widgets").count == report.files.count)
        for file in report.files {
            // The shell of one fixture is not installed everywhere.
            let complaints = try machine.complaints(about: file.path).filter { !$0.contains("/usr/bin/fish") }
            #expect(complaints.isEmpty, "\(complaints)")
        }
        let unknown = report.complaints.filter { !$0.reason.contains("/usr/bin/fish") }
        #expect(unknown.isEmpty, "\(unknown)")
        var status = stat()
        #expect(stat(machine.home(".config/todayd/widgets"), &status) == 0 && status.st_mode & 0o777 == 0o700)
        #expect(stat(report.files[0].path, &status) == 0 && status.st_mode & 0o777 == 0o600)
    }

    @Test(arguments: ImportSource.all)
    func aSecondTimeChangesNothing(host: ImportSource) throws {
        let machine = try ImportMachine()
        let first = try machine.report(host)
        let marks = first.files.map { FileMark(at: $0.path) }
        let second = try machine.report(host)
        #expect(second.count(.unchanged) == first.files.count && second.isComplete)
        #expect(first.files.map { FileMark(at: $0.path) } == marks)
    }

    @Test(arguments: ImportSource.all)
    func whatTheUserHasChangedIsKept(host: ImportSource) throws {
        let machine = try ImportMachine()
        let first = try machine.report(host)
        let name = host.isPlugins ? "plugins" : "widgets"
        let changed = ".config/todayd/\(name)/\(Paths.name(of: first.files[1].path))"
        try machine.home.write("mine\n", to: changed)
        let second = try machine.report(host)
        #expect(second.count(.kept) == 1 && second.count(.unchanged) == first.files.count - 1 && second.isComplete)
        #expect(second.files.first { $0.outcome == .kept }?.reason == "it says something else")
        #expect(try machine.home.read(changed) == "mine\n")
    }

    @Test(arguments: ImportSource.all)
    func aDryRunWritesNothing(host: ImportSource) throws {
        let machine = try ImportMachine()
        let before = try machine.home.names(in: ".config")
        let report = try machine.report(host, isDryRun: true)
        #expect(report.isDryRun && report.count(.new) == report.files.count && report.isComplete)
        #expect(try machine.home.names(in: ".config") == before)
        #expect(report.files.allSatisfy { ($0.text == nil) == ($0.kind != .manifest) })
        let written = try machine.report(host)
        #expect(written.files.map(\.path) == report.files.map(\.path))
        for file in report.files where file.kind == .manifest {
            #expect(FileContents(at: file.path, limit: 1 << 16) == .bytes(Array((file.text ?? "").utf8)))
        }
    }

    @Test func whatIsGoneIsSaidAndStays() throws {
        let machine = try ImportMachine(withFixtures: false)
        func notes(_ configuration: String, _ name: String = "config") throws -> [String] {
            let path = try machine.home.write(configuration, to: name)
            return try machine.report(.i3blocks, path).remarks.filter { $0.text.contains("earlier import") }.map(\.file)
        }
        let (a, b) = ("[a]\ncommand=x\n", "[b]\ncommand=y\n")
        #expect(try notes(a + b).isEmpty)
        let gone = machine.home(".config/todayd/widgets/import.i3blocks.b.widget")
        #expect(try notes(a) == [gone] && machine.names("widgets").count == 2)
        #expect(try notes("[a]\ncommand=todayctl show x\n" + b).isEmpty, "one that shows a widget is no lost one")
        // Another configuration says nothing about this one's, and errors may hide a program.
        #expect(try notes(a, "other").isEmpty)
        #expect(try notes(a + "x\n") == [machine.home(".config/todayd/widgets")])
        #expect(try notes(a + b + "x\n").isEmpty)
    }

    /// Blocks of one name keep their widgets, whichever of them comes, goes or moves.
    @Test func equalNamesKeepTheirManifests() throws {
        let machine = try ImportMachine(withFixtures: false)
        func outcomes(_ commands: [String]) throws -> [String] {
            let path = try machine.home.write(commands.map { "[x]\ncommand=\($0)\n" }.joined(), to: "config")
            let report = try machine.report(.i3blocks, path)
            let gone = report.remarks.filter { $0.text.contains("earlier import") }.map { "gone \($0.file)" }
            return (report.files.map { "\($0.outcome) \($0.path)" } + gone).map { line in
                line.replacing(machine.home(".config/todayd/widgets/import.i3blocks."), with: "")
            }
        }
        #expect(try outcomes(["a", "b"]) == ["new x.widget", "new x-2.widget"])
        #expect(try outcomes(["b", "a"]) == ["unchanged x-2.widget", "unchanged x.widget"])
        #expect(try outcomes(["b"]) == ["unchanged x-2.widget", "gone x.widget"])
        #expect(try outcomes(["c", "a", "b"]) == ["new x-3.widget", "unchanged x.widget", "unchanged x-2.widget"])
        #expect(try outcomes(["d", "b"]) == ["kept x.widget", "unchanged x-2.widget", "gone x-3.widget"])
        #expect(try outcomes(["todayctl show y", "b"]) == ["unchanged x-2.widget", "gone x-3.widget"])
    }

    @Test func hostsAreImportedBesideEachOther() throws {
        let machine = try ImportMachine()
        var count = 0
        for host in Self.configurations { count += try machine.report(host).count(.new) }
        #expect(machine.names("widgets").count == count && count > 30)
    }

    @Test func pluginsKeepTheirBytesAndModes() throws {
        let machine = try ImportMachine()
        let report = try machine.report(.xbar)
        #expect(report.directory == machine.home(".config/todayd/plugins"))
        let values = try #require(report.file("github.5m.sh.vars.json"))
        #expect(values.kind == .values)
        for file in report.files {
            #expect(FileContents(at: file.path, limit: 1 << 16) == FileContents(at: file.source, limit: 1 << 16))
            var status = stat()
            #expect(stat(file.path, &status) == 0 && status.st_mode & 0o777 == (file.kind == .values ? 0o600 : 0o755))
        }
        // A script that has a password in it is read by no other user.
        let own = try ImportMachine()
        let source = try #require(report.file("github.5m.sh")).source
        let secret = source.replacing(machine.home.path, with: own.home.path)
        #expect(secret != source && chmod(secret, 0o700) == 0)
        let copy = try #require(try own.report(.xbar).file("github.5m.sh"))
        var status = stat()
        #expect(stat(copy.path, &status) == 0 && status.st_mode & 0o777 == 0o700)
        // What is switched off there is off here.
        let argos = try machine.report(.argos)
        let todo = try #require(argos.file("todo.5m.sh"))
        #expect(todo.outcome == .new && access(todo.path, X_OK) != 0)
        #expect(argos.complaints.contains { $0.file == todo.path && $0.reason == "is not executable (chmod +x)" })
    }

    @Test func pluginsMayBeLinked() throws {
        let machine = try ImportMachine()
        let report = try machine.report(.xbar, isLinked: true)
        #expect(report.isComplete && report.files.allSatisfy { Paths.resolved($0.path) == Paths.resolved($0.source) })
        #expect(try machine.report(.xbar).count(.unchanged) == report.files.count)
    }

    /// A plugin that is another one keeps its own values.
    @Test func valuesFollowTheirPlugin() throws {
        let machine = try ImportMachine()
        try machine.home.write("mine", to: ".config/todayd/plugins/github.5m.sh")
        let report = try machine.report(.xbar)
        #expect(report.file("github.5m.sh.vars.json")?.outcome == .kept)
        #expect(!machine.names("plugins").contains("github.5m.sh.vars.json"))
    }

    @Test func aDirectoryOrOnePluginMayBeNamed() throws {
        let machine = try ImportMachine()
        #expect(try machine.report(.waybar, machine.home(".config/waybar")).files.count >= 8)
        let one = try machine.report(.xbar, machine.home(".config/xbar/plugins/ip.5m.sh"), directory: machine.home("p"))
        #expect(one.files.map(\.path) == [machine.home("p/ip.5m.sh")] && one.isComplete)
        let none = try machine.report(.polybar, machine.home(".config/waybar"))
        #expect(
            none.source == nil
                && none.places == [machine.home(".config/waybar/config"), machine.home(".config/waybar/config.ini")])
    }

    @Test func whereNothingIsThePlacesAreNamed() throws {
        let machine = try ImportMachine(withFixtures: false)
        let report = try machine.report(.argos)
        #expect(!report.isComplete && report.places == [machine.home(".config/argos")])
        #expect(try ImportReport(JSONField(root: report.json)) == report)
    }

    @Test func theSystemsWidgetsGoIntoEtcAndCanBeRead() throws {
        let machine = try ImportMachine()
        let options = ImportOptions(host: .waybar, isDryRun: true)
        let report = ImportMode.report(options, try machine.instance(.system))
        #expect(report.directory == "/etc/todayd/widgets")
        #expect(report.remarks.last?.text.contains("~ and $HOME are another directory") == true)
        let modules = report.replacements.compactMap { $0.value["exec"]?.stringValue }
        let command = "todayctl --system bar waybar --no-icon import."
        #expect(modules.count > 3 && modules.allSatisfy { $0.hasPrefix(command) })
        let written = ImportMode.report(
            ImportOptions(host: .waybar, directory: machine.home("etc")), try machine.instance(.system))
        let path = try #require(written.files.first).path
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o644)
        #expect(stat(machine.home("etc"), &status) == 0 && status.st_mode & 0o777 == 0o755)
    }

    @Test func withoutAHomeADirectoryIsAskedFor() throws {
        let machine = try ImportMachine()
        let instance = try machine.instance(.user, ["XDG_RUNTIME_DIR": "/run/user/1"])
        let report = ImportMode.report(ImportOptions(host: .waybar), instance)
        #expect(report.failure?.reason.hasPrefix("HOME is not set") == true && report.files.isEmpty)
    }
}
