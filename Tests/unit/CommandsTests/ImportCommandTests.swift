// SPDX-License-Identifier: MIT

import ClientTestSupport
import Platform
import Rendering
import TestSupport
import Testing
import TodayModel

@testable import Commands
@testable import Link

/// What is printed about an import. IntegrationTests make imports.
@Suite struct ImportCommandTests {
    private let places = ManifestPlaces(EnvironmentVariables(["HOME": "/home/ada"]), uid: 1)

    private func page(width: Int = 200, _ change: (inout ImportReport) -> Void) -> ImportPage {
        var report = ImportReport(host: "Waybar", directory: "/home/ada/w", isDryRun: false)
        report.source = "/home/ada/config"
        change(&report)
        return ImportPage(report, places, Presentation(width: width, now: WallTime(microseconds: 0)))
    }

    private func file(
        _ outcome: ImportReport.File.Outcome, _ reason: String? = nil, kind: ImportReport.File.Kind = .manifest
    ) -> ImportReport.File {
        var file = ImportReport.File(kind, outcome, "/home/ada/w/a", from: "~/config:3")
        (file.module, file.reason) = ("custom/a", reason)
        return file
    }

    /// An outcome and its line.
    static let outcomes: [(ImportReport.File.Outcome, String?, String)] = [
        (.new, nil, "wrote ~/w/a (custom/a, ~/config:3)"),
        (.unchanged, nil, "unchanged: ~/w/a (custom/a, ~/config:3)"),
        (
            .kept, "it is a directory",
            "kept: ~/w/a (custom/a, ~/config:3): it is a directory; remove it to import this"
        ),
        (.failed, "Is a directory", "not written: ~/w/a (custom/a, ~/config:3): Is a directory"),
    ]

    @Test(arguments: outcomes) func eachFileHasALine(
        outcome: ImportReport.File.Outcome, reason: String?, line: String
    ) {
        #expect(page { $0.files = [file(outcome, reason)] }.files.map { $0.text() } == [line])
    }

    @Test func aNarrowTerminalGetsWholeWords() {
        let narrow = page(width: 32) {
            $0.files = [file(.new)]
            $0.remarks = [ImportReport.Remark(.loss, "config", line: 3, "click-left: a manifest has none")]
        }
        #expect(
            (narrow.files + narrow.remarks).map { $0.text() } == [
                "wrote ~/w/a (custom/a,", "  ~/config:3)", "", "Not carried over:", "config:3: click-left: a",
                "  manifest has none",
            ])
    }

    /// The sandbox of a program that was there before; that of a new one belongs to it.
    @Test func theSandboxOfAnOldProgramHasALine() {
        var sandbox = file(.new, kind: .sandbox)
        sandbox.source = "/home/ada/w/a"
        func count(_ outcome: ImportReport.File.Outcome, isDryRun: Bool) -> Int {
            page { ($0.files, $0.sandboxes, $0.isDryRun) = ([file(outcome)], [sandbox], isDryRun) }
                .files.filter { $0.text().contains("~/w/a") }.count
        }
        #expect(count(.new, isDryRun: false) == 1)
        #expect(count(.new, isDryRun: true) == 2 && count(.unchanged, isDryRun: false) == 2)
    }

    @Test func whatStopsAllIsNotSaidOfEach() {
        #expect(page { $0.files = [file(.failed), file(.failed)] }.files.isEmpty)
    }

    @Test func whatIsKeptIsNotImported() {
        func report(_ outcomes: [ImportReport.File.Outcome], _ kind: ImportReport.Remark.Kind = .note) -> ImportReport {
            var report = ImportReport(host: "Waybar", directory: "/home/ada/w", isDryRun: false)
            report.files = outcomes.map { file($0) }
            report.remarks = [ImportReport.Remark(kind, "config", line: 3, "such")]
            return report
        }
        #expect(report([.new]).hasAll && report([.unchanged, .new], .loss).hasAll)
        #expect(!report([.new, .kept]).hasAll && !report([.failed]).hasAll && !report([]).hasAll)
        #expect(!report([.new], .error).hasAll)
    }

    @Test func aDryRunPrintsTheManifests() {
        let lines = page { report in
            report.isDryRun = true
            var file = file(.new)
            file.text = "[Widget]\n\n[Update]\n"
            report.files = [file]
        }.files.map { $0.text() }
        #expect(lines == ["would write ~/w/a (custom/a, ~/config:3)", "    [Widget]", "", "    [Update]", ""])
    }

    @Test func remarksStandByTheirKind() {
        let lines = page {
            $0.remarks = [
                .init(.note, "~/c", line: 1, "note"), .init(.loss, "~/c", line: 2, "loss"),
                .init(.error, "~/c", line: nil, "error"),
            ]
            $0.complaints = [.error("/w/a", 3, "no shell")]
        }.remarks.map { $0.text() }
        #expect(
            lines == [
                "", "Not understood:", "~/c: error", "", "Not carried over:", "~/c:2: loss", "", "To know:",
                "~/c:1: note",
                "", "todayd about what was written:", "/w/a:3: error: no shell",
            ])
    }

    @Test func theFirstSectionHasNoBlankLineAboveIt() {
        let (blank, line) = (StyledLine(), Presentation(width: 80, now: WallTime(microseconds: 0)).line("a"))
        #expect(ImportPage.joined([], [blank, line], [blank, line]) == [line, blank, line])
        #expect(ImportPage.joined([line], [blank, line]) == [line, blank, line] && ImportPage.joined([], []).isEmpty)
        #expect(ImportPage.joined([line, blank], [blank, line, blank, line]) == [line, blank, line, blank, line])
    }

    @Test func theSummaryCounts() {
        func summary(_ change: (inout ImportReport) -> Void) -> String? { page(change).summary.last?.text() }
        #expect(summary { _ in } == "Waybar, ~/config: nothing to import")
        #expect(summary { $0.source = nil } == nil)
        #expect(
            summary {
                $0.files = [file(.new), file(.new), file(.kept), file(.unchanged), file(.failed)]
                $0.remarks = [
                    .init(.loss, "", line: 1, ""), .init(.error, "", line: 1, ""), .init(.error, "", line: 1, ""),
                ]
            }
                == "Waybar, ~/config: 2 written, 1 unchanged, 1 kept, 1 not written, 1 thing not carried over, 2 things not understood"
        )
    }

    @Test func textsOfOthersAreHarmless() {
        let lines = page {
            $0.files = [file(.kept, "\u{1b}[2J")]
            $0.remarks = [.init(.loss, "a\u{1b}b", line: 1, "c\u{9b}d")]
        }
        #expect(
            !(lines.files + lines.remarks).contains {
                $0.text().unicodeScalars.contains { $0.value < 0x20 || $0 == "\u{9b}" }
            })
    }

    @Test func hostsAreThoseOfTodayd() throws {
        #expect(
            Import.hosts == [
                "waybar", "i3blocks", "polybar", "xbar", "swiftbar", "argos", "i3status-rust", "i3", "sway",
            ])
        let program = Program()
        for arguments in [["import"], ["import", "conky"], ["import", "xbar", "a", "b"]] {
            #expect(try program.run(arguments).code == .usage)
        }
        #expect(throws: Never.self) { try Import(TodayControl.command.parse(["import", "waybar", "config"])) }
    }
}
