// SPDX-License-Identifier: MIT

import ClientTestSupport
import Glibc
import JSON
import Link
import Rendering
import TestSupport
import Testing
import TodayModel

@testable import Commands

/// What is drawn of a report, and what is said beside it. IntegrationTests run widgets.
@Suite struct PreviewCommandTests {
    private let presentation = Presentation(width: 60, now: WallTime(microseconds: 5_000_000))

    private func report(
        _ result: RunRecord.Result, failure: String? = nil, errors: String = "",
        _ change: (inout FileReport) -> Void = { _ in }
    ) throws -> FileReport {
        let id = try #require(WidgetID("org.a.b"))
        var item = Item(
            id: id, name: "B", points: [.today], position: 0, state: result == .failed ? .failing : .ready)
        if result == .newData { item.content = Content(text: "fine") }
        item.failure = failure
        var trial = FileReport.Trial(item)
        trial.run = RunRecord(
            started: WallTime(microseconds: 5), duration: .milliseconds(20), reason: .request, result: result,
            failure: failure, exit: nil, errorOutput: errors)
        var report = FileReport(file: "/w/org.a.b.widget", kind: .manifest)
        report.trial = trial
        change(&report)
        return report
    }

    private func remarks(_ report: FileReport, mode: DisplayMode = .compact) -> [String] {
        PreviewDrawing(report, mode: mode).remarks.map(\.text)
    }

    @Test func theCardIsTheOneOfShow() throws {
        let report = try report(.newData)
        let item = try #require(report.trial?.item)
        #expect(PreviewDrawing(report, mode: .compact).lines(presentation) == TodayPage([item], presentation).lines)
        #expect(remarks(report) == ["new content in 20 ms"])
        #expect(Preview.code(report) == .ok)
    }

    /// A host shows the first lines; an author wants all.
    @Test func longContentIsWhole() throws {
        let report = try report(.newData) { report in
            let lines = (1...30).map { "line \($0)" }
            report.trial?.item.content = Content(text: lines.joined(separator: "\n"))
        }
        let drawn = PreviewDrawing(report, mode: .compact).lines(presentation).map { $0.text() }
        #expect(drawn.contains { $0.contains("line 30") }, "\(drawn)")
    }

    /// The end of what it wrote, of a run that did not fail because of it.
    @Test(arguments: [(3, 1), (12, 1), (13, 2), (40, 29)]) func lintPrintsTwelveLinesOfStandardError(
        count: Int, first: Int
    ) throws {
        let errors = (1...count).map { "line \($0)" }.joined(separator: "\n")
        func lines(_ result: RunRecord.Result) throws -> [String] {
            let lines = Lint.lines(try report(result, errors: errors), presentation).map { $0.text() }
            return lines.filter { $0.contains("it wrote to standard error: ") }
        }
        let said = try lines(.newData)
        #expect(said.count == min(count, 12) && said.first?.hasSuffix(": line \(first)") == true, "\(said)")
        #expect(try lines(.failed).isEmpty)
    }

    /// As a program with TodayKit has its preview drawn.
    @Test func anItemOnStandardInputIsDrawn() throws {
        let item = Wire.item("org.a.b", text: "drawn by its author", change: ["name": "B"])
        let result = try preview(["-"], item.text)
        #expect(result.code == .ok && result.errors.isEmpty)
        #expect(result.output.contains("B ") && result.output.contains("drawn by its author"))
        let line = try preview(["-", "--as", "tmux"], item.text).output
        #expect(line.contains("drawn by its author") && line.split(separator: "\n").count == 1)
        #expect(try JSON.parse(preview(["-", "--json"], item.text).output)["name"] == "B")
        #expect(try preview(["-", "-q"], item.text).output.isEmpty)
    }

    @Test(
        arguments: [
            (["-"], "", "standard input is not JSON"), (["-"], "{", "standard input is not JSON"),
            (["-"], "[]", "standard input is not an item"),
            (["-"], "{\"id\":\"x\"}", "standard input is not an item: "),
            (["-", "--watch"], "{}", "'-' is drawn as it is"),
            (["-", "--mode=expanded"], "{}", "'-' is drawn as it is"),
        ])
    func whatIsNoItemIsSaid(arguments: [String], input: String, reason: String) throws {
        let result = try preview(arguments, input)
        #expect(result.code == .usage && result.output.isEmpty && result.errors.hasPrefix("todayctl: \(reason)"))
    }

    private func preview(_ arguments: [String], _ input: String) throws -> Program.Result {
        let program = Program()
        let path = program.directory("input")
        try Array(input.utf8).withUnsafeBytes { bytes in
            let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
            defer { close(file) }
            try #require(write(file, bytes.baseAddress, bytes.count) == bytes.count)
        }
        return try StandardInput.replaced {
            let before = dup(STDIN_FILENO)
            let file = open(path, O_RDONLY | O_CLOEXEC)
            dup2(file, STDIN_FILENO)
            defer {
                dup2(before, STDIN_FILENO)
                for descriptor in [before, file] { close(descriptor) }
            }
            return try program.run(["preview"] + arguments)
        }
    }

    @Test func aFailureSaysWhatWasPrinted() throws {
        let report = try report(.failed, failure: "output is not JSON", errors: "one\ntwo") {
            $0.trial?.printed = Printed(Array("{x\n".utf8), keeping: 2)
        }
        #expect(
            remarks(report) == [
                "it wrote to standard error:", "  | one", "  | two", "it printed 3 bytes:", "  | {x", "  | …",
                "failed in 20 ms: output is not JSON",
            ])
        #expect(Preview.code(report) == .updateFailed)
        let whole = try self.report(.failed, failure: "x") {
            $0.trial?.printed = Printed(Array("a\n\n".utf8), keeping: 9)
        }
        #expect(remarks(whole).prefix(3) == ["it printed 3 bytes:", "  | a", "  | "])
        #expect(remarks(whole).count == 4, "what ends a line is no line")
    }

    @Test func newContentMayBeEmpty() throws {
        let words = "it says that there is nothing to show, so hosts leave it out"
        for (result, isSaid) in [(RunRecord.Result.newData, true), (.noData, false)] {
            let report = try report(result) {
                $0.trial?.item.content = Content(text: "")
                $0.trial?.item.content?.isEmpty = true
            }
            #expect(remarks(report).contains(words) == isSaid)
        }
    }

    @Test func complaintsComeFirst() throws {
        let report = try report(.noData) { $0.complaints = [.warning("/f", 2, "odd")] }
        #expect(remarks(report) == ["/f:2: warning: odd", "nothing new in 20 ms"])
    }

    @Test func anErrorIsWorseThanAWarning() throws {
        let report = try report(.noData) {
            $0.complaints = [.error("/f", 2, "wrong"), .warning("/f", 3, "odd")]
            $0.trial = nil
        }
        #expect(
            Lint.lines(report, presentation).prefix(2) == [
                presentation.line("/f:2: error: wrong", .meaning(.critical)),
                presentation.line("/f:3: warning: odd", .meaning(.warning)),
            ])
    }

    @Test func aModeThatTheManifestForbidsIsSaid() throws {
        #expect(
            remarks(try report(.noData), mode: .expanded).first
                == "drawn in the compact mode: LargestDisplayMode= allows no other")
    }

    @Test func whatCannotRunSaysWhy() throws {
        let pushed = try report(.noData) {
            $0.trial?.run = nil
            $0.trial?.reason = "Protocol=push"
        }
        #expect(remarks(pushed) == ["Protocol=push"])
        #expect(Preview.code(pushed) == .no)
        let invalid = try report(.noData) {
            $0.trial?.run = nil
            $0.trial?.reason = "f:2: wrong"
            $0.complaints = [.error("/f", 2, "wrong")]
        }
        // The complaint has said it.
        #expect(remarks(invalid) == ["/f:2: error: wrong"])
        #expect(Preview.code(invalid) == .usage)
        #expect(Preview.code(FileReport(file: "/", kind: .other)) == .usage)
    }

    @Test func formsAreThoseOfShow() throws {
        let form = TodayControl.command.subcommands.first { $0.name == "preview" }?.options.first { $0.long == "as" }
        #expect(form?.choices == OutputForm.allCases.map(\.rawValue))
        let drawing = PreviewDrawing(try report(.newData), mode: .compact)
        #expect(try #require(drawing.shown(.waybar)).text(.waybar, presentation).contains("\"text\":\"fine\""))
        #expect(try #require(drawing.shown(.json)).text(.json, presentation) == drawing.report.json.text + "\n")
        let nothing = PreviewDrawing(FileReport(file: "/", kind: .other), mode: .compact)
        #expect(nothing.shown(.terminal) == nil && nothing.shown(.json) != nil)
    }
}

extension Shown {
    fileprivate func text(_ form: OutputForm, _ presentation: Presentation) -> String {
        form.text(of: self, presentation)
    }
}

@Suite struct WatchedFilesTests {
    private let directory = TemporaryDirectory()

    @Test func aSavedFileIsAChangeUntilTheNextLook() throws {
        let path = try directory.write("one", to: "file")
        var files = WatchedFiles([path])
        #expect(!files.haveChanged)
        try directory.write("another", to: "file")
        #expect(files.haveChanged)
        files.look()
        #expect(!files.haveChanged)
    }

    @Test func anEditorMayReplaceTheFile() throws {
        let path = try directory.write("one", to: "file")
        let files = WatchedFiles([path])
        try directory.delete("file")
        // There is nothing to run yet.
        #expect(!files.haveChanged)
        try directory.write("one", to: "new")
        try directory.rename("new", to: "file")
        #expect(files.haveChanged)
    }

    @Test func aMissingFileThatAppearsIsAChange() throws {
        var files = WatchedFiles([directory("a")])
        files.add([directory("a"), directory("b")])
        #expect(!files.haveChanged)
        try directory.write("", to: "b")
        #expect(files.haveChanged)
    }
}
