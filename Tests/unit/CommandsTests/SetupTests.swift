// SPDX-License-Identifier: MIT

import Files
import Glibc
import Platform
import Rendering
import TestSupport
import Testing
import TodayModel

@testable import Commands
@testable import Link

/// What `todayctl setup` finds and says, and what it takes back. IntegrationTests run it.
@Suite struct SetupTests {
    private let directory = TemporaryDirectory()

    private var environment: EnvironmentVariables { EnvironmentVariables(["HOME": directory.path]) }

    private func plan(_ outcomes: [ImportReport.File.Outcome], lost: Int = 0) -> ImportReport {
        var report = ImportReport(host: "i3blocks", directory: "/w", isDryRun: true)
        report.source = directory("config")
        report.files = outcomes.enumerated().map {
            ImportReport.File(.manifest, $1, "/w/import.a.\($0).widget", from: "c")
        }
        report.remarks = (0..<lost).map { .init(.loss, "c", line: $0, "x") }
        return report
    }

    private func page(_ plans: [ImportReport], _ bars: [InstalledBar] = []) -> SetupPage {
        SetupPage(
            plans, bars, ManifestPlaces(environment, uid: 1),
            Presentation(width: 160, now: WallTime(microseconds: 0)))
    }

    @Test func itSaysWhatItFinds() {
        let bar = InstalledBar(title: "sway", kind: .i3bar, path: directory("sway"))
        let lines = page([plan([.new, .new, .unchanged], lost: 4)], [bar]).findings.map { $0.text() }
        #expect(lines.count == 4 && lines[1] == "i3blocks  ~/config  3 programs, 1 imported already")
        #expect(
            lines[2].hasPrefix("sway")
                && lines[3] == "'todayctl import i3blocks --dry-run' says what cannot be carried over.")
        #expect(page([plan([.new])]).question == "Make a widget of it? [Y/n] ")
        #expect(page([plan([.new, .kept, .new])]).question == "Make widgets of these 2 programs? [Y/n] ")
        #expect(page([]).findings.isEmpty && page([]).nothingNew.contains("todayctl new"))
        #expect(page([], [bar]).nothingNew == "There is no script of a bar to import.")
        #expect(page([plan([.unchanged])]).nothingNew == "There is nothing new to import.")
    }

    @Test func aReportNamesItsWidgets() {
        var report = plan([.new, .unchanged, .kept, .failed])
        report.files.append(.init(.plugin, .new, "/p/cpu.5m.sh", from: "x"))
        report.files.append(.init(.values, .new, "/p/cpu.5m.sh.vars.json", from: "x"))
        report.files.append(.init(.sandbox, .new, "/w/plugin.cpu.widget.d/import.conf", from: "x"))
        #expect(report.widgets == ["import.a.0", "import.a.1", "plugin.cpu"])
        #expect(report.word == "i3blocks")
        #expect(ImportReport(host: "SwiftBar", directory: "", isDryRun: true).word == "swiftbar")
    }

    @Test func barsAreFoundByTheirFiles() throws {
        #expect(InstalledBar.all(environment).isEmpty && InstalledBar.all(EnvironmentVariables([:])).isEmpty)
        for name in ["waybar/config.jsonc", "sway/config", "tmux/tmux.conf"] {
            try Paths.makeDirectory(Paths.parent(of: directory(".config/\(name)")), mode: 0o700)
            try directory.write("", to: ".config/\(name)")
        }
        try directory.write("", to: ".tmux.conf")
        let bars = InstalledBar.all(environment)
        #expect(bars.map(\.title) == ["Waybar", "sway", "tmux"] && bars.map(\.kind) == [.waybar, .i3bar, .tmux])
        #expect(bars.last?.path == directory(".config/tmux/tmux.conf"))
    }

    // MARK: Undoing

    @Test func whatIsAsItWasIsRemoved() throws {
        let record = SetupRecord(environment)
        #expect(try record.undo().isEmpty)
        let paths = try ["a b.widget", "changed", "gone"].map { try directory.write("text", to: $0) }
        try record.write(paths)
        try directory.write("other", to: "changed")
        #expect(remove(paths[2]) == 0)
        #expect(try record.undo().map(\.outcome) == [.removed, .changed, .gone])
        #expect(!Paths.exists(paths[0]) && Paths.exists(paths[1]))
        #expect(try record.undo().isEmpty, "once")
    }

    @Test func severalSetupsAreUndoneTogether() throws {
        let record = SetupRecord(EnvironmentVariables(["XDG_STATE_HOME": directory("state"), "HOME": "/nowhere"]))
        for name in ["a", "b"] { try record.write([try directory.write(name, to: name)]) }
        #expect(try record.undo().map { Paths.name(of: $0.path) } == ["a", "b"])
        #expect(throws: (any Error).self) { try SetupRecord(EnvironmentVariables([:])).write([]) }
    }
}
