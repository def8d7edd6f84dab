// SPDX-License-Identifier: MIT

import Rendering
import Testing
import TodayModel

@testable import Commands

/// What todayctl asks before an import.
@Suite struct ImportConsentTests {
    private func report(_ wishes: [[SandboxWish: String]], trouble: String? = nil, shutIn: Bool = true) -> ImportReport
    {
        var report = ImportReport(host: "i3blocks", directory: "/w", isDryRun: true)
        report.files = wishes.enumerated().map { index, wishes in
            var file = ImportReport.File(.manifest, .new, "/w/\(index)", from: "c")
            file.module = "m\(index)"
            file.wishes = wishes
            return file
        }
        if shutIn { report.sandboxes = report.files.map { .init(.sandbox, .new, "\($0.path).d", from: $0.path) } }
        report.sandboxTrouble = trouble
        return report
    }

    private func consent(_ reports: ImportReport...) -> ImportConsent {
        ImportConsent(reports, Presentation(width: 100, now: WallTime(microseconds: 0)))
    }

    @Test func itAsksWhereSomethingIsWanted() {
        #expect(!consent(report([[:], [:]])).isAsked && !consent().isAsked)
        #expect(consent(report([[:], [.network: "curl"]])).isAsked)
        #expect(!consent(report([[.network: "curl"]], shutIn: false)).isAsked, "it has no sandbox anyway")
        #expect(consent(report([[:]], trouble: "no bwrap")).isAsked)
        #expect(!consent(report([], trouble: "no bwrap")).isAsked)
    }

    @Test func itNamesWhoWantsWhat() {
        let asked = consent(report([[.network: "curl", .machine: "df"], [.network: "wget"]]), report([[:]]))
        #expect(
            asked.withheld().map { $0.text() } == [
                "WITHHELD                                                  FROM",
                "the network                                               m0 (curl)",
                "                                                          m1 (wget)",
                "the machine's processes, disks or devices, so no sandbox  m0 (df)",
            ])
        #expect(asked.withheld(but: .wishes([.machine])).map { $0.text() }.last == "             m1 (wget)")
        #expect(asked.withheld(but: .everyWish).isEmpty && asked.withheld(but: .everything).isEmpty)
        #expect(asked.lines.map { $0.text() }.contains { $0.contains("no network, no home") })
        #expect(asked.question == "Allow each what it seems to want? [y/N] ")
        #expect(asked.agreement == "--yes allows each what it seems to want.")
        #expect(asked.consent(true) == .everyWish && asked.consent(false) == nil)
    }

    @Test func whatIsAskedIsNotCut() {
        let long = String(repeating: "x", count: 200)
        let paths = (0..<16).map { "~/a/directory/\($0)" }.joined(separator: " ") + " ~/\(long) ~/end"
        let lines = consent(report([[.files: paths]])).withheld().map { $0.text() }
        #expect(lines.allSatisfy { $0.utf8.count <= 100 && !$0.contains("…") } && lines.count > 6)
        #expect(lines.contains { $0.utf8.count == 100 } && lines.last?.hasSuffix(" ~/end)") == true)
    }

    @Test func itSaysHowToAllowTheRest() {
        let asked = consent(report([[.network: "curl", .machine: "df", .files: "~/a"]]))
        #expect(
            asked.remedy(.wishes([.files]))
                == "The same command with --allow network --allow files --allow machine allows it.")
        #expect(asked.remedy(.everyWish) == nil && consent(report([[:]])).remedy(nil) == nil)
    }

    @Test func withoutBubblewrapItAsksForAllRights() {
        let asked = consent(report([[:]], trouble: "there is no bwrap"))
        #expect(
            asked.question.hasPrefix("there is no bwrap. Let these programs run without one") && asked.lines.isEmpty)
        #expect(asked.agreement.hasPrefix("there is no bwrap. --yes lets these programs run without one"))
        #expect(asked.consent(true) == .everything && asked.consent(false) == nil)
    }

    @Test func anAnswerIsAboutWhatIsNew() {
        #expect(ImportConsent.options(.everything, isAnswer: false) == ["--allow=all"])
        #expect(ImportConsent.options(.everything, isAnswer: true) == ["--allow=all", "--new-only"])
        #expect(ImportConsent.options(nil, isAnswer: true).isEmpty)
    }

    @Test func theWordsReadBack() {
        for consent in [SandboxConsent.everything, .wishes([]), .everyWish, .wishes([.files, .network])] {
            let words = consent.options.map { String($0.dropFirst("--allow=".count)) }
            #expect(SandboxConsent(words) == consent && words.allSatisfy(SandboxConsent.words.contains))
        }
        #expect(SandboxConsent([]) == nil && SandboxConsent(["network", "all"]) == .everything)
    }
}
