// SPDX-License-Identifier: MIT
import JSON
import Testing

@testable import TodayModel

@Suite struct FileReportTests {
    private func report() -> FileReport {
        var report = FileReport(file: "/w/a.b.widget", kind: .manifest)
        report.widget = WidgetID("a.b")
        report.name = "B"
        report.command = ["/bin/echo", "hi"]
        report.contentProtocol = "text"
        (report.interval, report.timeout) = (.minutes(5), .seconds(30))
        report.complaints = [
            .warning("/w/a.b.widget", 3, "unknown", column: 7), .warning("/bin/echo", nil, "odd"),
        ]
        return report
    }

    @Test func itSurvivesItsJSON() throws {
        var report = report()
        #expect(try FileReport(JSONField(root: report.json)) == report)
        var item = Item(id: try #require(report.widget), name: "B", points: [.today], position: 0, state: .ready)
        item.content = Content(text: "hi")
        var trial = FileReport.Trial(item)
        trial.run = RunRecord(
            started: WallTime(microseconds: 5), duration: .seconds(1), reason: .request, result: .newData, failure: nil,
            exit: "exited with status 0", errorOutput: "careful")
        trial.printed = Printed(Array("hi\u{1b}[2J".utf8), keeping: 100)
        report.trial = trial
        #expect(try FileReport(JSONField(root: report.json)) == report)
        #expect(report.json["masked"] == false)
        report.trial?.reason = "why not"
        report.isMasked = true
        #expect(try FileReport(JSONField(root: report.json)) == report)
    }

    @Test func anErrorMakesItInvalidAndAWarningDoesNot() {
        var report = report()
        #expect(report.isValid && report.json["valid"] == true)
        report.complaints.append(.error("/w/a.b.widget", nil, "wrong"))
        #expect(!report.isValid && report.json["valid"] == false)
        #expect(!FileReport(file: "/", kind: .other).isValid)
    }

    @Test func complaintsHaveTheFormOfCompilers() {
        #expect(
            report().complaints.map(\.diagnostic) == [
                "/w/a.b.widget:3:7: warning: unknown", "/bin/echo: warning: odd",
            ])
    }

    @Test func whatIsPrintedIsCutAndHarmless() {
        let printed = Printed(Array("a\u{1b}[31mbc".utf8), keeping: 7)
        #expect(printed.beginning == "ab" && printed.bytes == 8 && printed.isCut)
        #expect(Printed([0xff, 0x41], keeping: 2).beginning == "\u{fffd}A")
        #expect(!Printed([], keeping: 0).isCut)
    }
}
