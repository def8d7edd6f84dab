// SPDX-License-Identifier: MIT
import JSON
import Testing

@testable import TodayModel

@Suite struct ImportReportTests {
    private func report() -> ImportReport {
        var report = ImportReport(host: "Waybar", directory: "/w", isDryRun: true)
        report.source = "/c/config"
        var file = ImportReport.File(.manifest, .new, "/w/a.b.widget", from: "/c/config:3")
        (file.module, file.text) = ("custom/b", "[Widget]\n")
        var other = ImportReport.File(.plugin, .kept, "/p/a.sh", from: "/q/a.sh")
        other.reason = "it is a directory"
        report.files = [file, other]
        report.remarks = [.init(.loss, "/c/config", line: 3, "lost"), .init(.error, "/c/config", line: nil, "wrong")]
        report.complaints = [.error("/w/a.b.widget", 8, "no program")]
        report.replacements = [.init("custom/b", from: "/c/config:3", ["exec": "x"])]
        return report
    }

    @Test func itSurvivesItsJSON() throws {
        var report = report()
        #expect(try ImportReport(JSONField(root: report.json)) == report)
        report.failure = .init("no space", isNotPermitted: true)
        #expect(try ImportReport(JSONField(root: report.json)) == report)
        report.source = nil
        report.places = ["/a", "/b"]
        #expect(try ImportReport(JSONField(root: report.json)) == report)
    }

    @Test func itIsCompleteWhereAllFilesAreThere() {
        var report = report()
        #expect(report.isComplete)
        report.files[1].outcome = .failed
        #expect(!report.isComplete)
        report.files[1].outcome = .unchanged
        report.failure = .init("no space", isNotPermitted: false)
        #expect(!report.isComplete)
        #expect(!ImportReport(host: "Waybar", directory: "/w", isDryRun: false).isComplete)
    }

    @Test func remarksHaveTheFormOfCompilers() {
        #expect(report().remarks.map(\.description) == ["/c/config:3: lost", "/c/config: wrong"])
    }
}
