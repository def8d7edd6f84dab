// SPDX-License-Identifier: MIT

import Arguments
import Console
import Glibc
import JSON
import Link
import Rendering
import Spelling
import TodayModel

/// Runs a widget once and draws it: a simulator for widgets in every language.
struct Preview: ControlCommand {
    static let command = Command(
        "preview", summary: "run a widget once, and draw it",
        description: """
            FILE is a manifest, ID.widget, or a program without a manifest. A private todayd runs this one widget \
            exactly as the daemon would: with its environment, limits, time-out and working directory, and, if systemd \
            answers, in a control group, which systemd-run(1) makes. No other todayd has to be running. The widget's \
            files are in a directory that is removed afterwards, unless --state names one. The drawing goes to \
            standard output, and the result of the run to standard error. With '-' nothing runs: an item in the form \
            of 'Show' is read from standard input and drawn, as programs with TodayKit do for their --preview.

            The exit status is 5 if the run has failed, 2 if the file cannot be run, and 1 if there is nothing to run.
            """,
        options: [
            .form(
                "as", help: "How to draw it: as 'show' does (the default), or as 'show --output' does for a program"),
            Option(
                "mode", short: "m", value: "MODE", choices: DisplayMode.allCases.map(\.rawValue),
                help: "The display mode (default compact)"),
            Option("action", value: "NAME", help: "Press the button with this action instead of updating"),
            Option(
                "known", help: "Tell the widget that its last answer is known, so that it may say that nothing is new"),
            Option(
                "set", value: "NAME=VALUE",
                help: "The value of a setting; NAME alone takes it from the environment; may be repeated"),
            Option("state", value: "DIR", completion: .files, help: "Keep the widget's files in this directory"),
            Option("watch", help: "Run it again whenever the file or its program is saved, until Ctrl-C or q"),
            .scriptProtocol, .numbers,
        ],
        positionals: [Positional("FILE", completion: .files, help: "A manifest or a script, or -")],
        exclusiveOptions: [["json", "as"]],
        examples: [
            .init("todayctl preview org.example.disk.widget --mode expanded", "With more room."),
            .init("todayctl preview --watch ./disk.sh --protocol json", "While you write it."),
            .init("todayctl preview todo.widget --action done --state /tmp/todo", "What a button does."),
        ])

    let file: String
    let form: OutputForm
    let watches: Bool
    let isNumbered: Bool
    let mode: DisplayMode
    private let options: [String]
    private let instance: [String]

    init(_ arguments: ParsedArguments) {
        file = arguments.word("FILE")
        form = arguments.has("json") ? .json : arguments.value("as").flatMap { OutputForm(rawValue: $0) } ?? .terminal
        watches = arguments.has("watch")
        isNumbered = arguments.has("numbers")
        mode = arguments.value("mode").flatMap { DisplayMode(rawValue: $0) } ?? .compact
        var options = arguments.scriptProtocolOptions
        for name in ["mode", "action", "state"] {
            if let value = arguments.value(name) { options.append("--\(name)=\(value)") }
        }
        options += arguments.values("set").map { "--set=\($0)" }
        if arguments.has("known") { options.append("--known") }
        self.options = options
        instance = arguments.instanceOptions
    }

    func run(in context: CommandContext) throws -> ExitCode {
        if file == "-" { return try drawInput(to: context.output) }
        let author = try AuthorProgram(context.service.socket, instance: instance, environment: context.environment)
        if watches { return try PreviewLoop(self, author, context.output).run() }
        guard let report = try once(author) else { return .failed }
        try print(report, to: context.output)
        return Self.code(report)
    }

    /// Draws the item on standard input.
    private func drawInput(to output: CommandOutput) throws -> ExitCode {
        if watches || !options.isEmpty {
            throw ClientError("'-' is drawn as it is: only --as and --numbers go with it", .usage)
        }
        let item: Item
        do {
            let bytes = try InputFile.read("-", upTo: 2 * ContentLimits.contentBytes)
            item = try Item(JSONField(root: JSON.parse(bytes), isTolerant: true))
        } catch let error as JSONMismatch {
            throw ClientError("standard input is not an item: \(error)", .usage)
        } catch let error as JSONSyntaxError {
            throw ClientError("standard input is not JSON: \(error)", .usage)
        }
        let shown = Shown([item], extras: .init(numbers: isNumbered), json: item.json.pretty)
        if !output.isQuiet { try output.write(form.text(of: shown, output.presentation)) }
        return .ok
    }

    /// - Returns: nil if it was interrupted.
    func once(_ author: AuthorProgram, until interruption: (any Interruption)? = nil) throws -> FileReport? {
        try author.once(file, options, until: interruption)
    }

    func print(_ report: FileReport, to output: CommandOutput) throws {
        let drawing = PreviewDrawing(report, mode: mode, isNumbered: isNumbered)
        if !output.isQuiet, let shown = drawing.shown(form) {
            try output.write(form.text(of: shown, output.presentation))
        }
        // The report has them.
        if form == .json { return }
        for remark in drawing.remarks where remark.isTrouble || !output.isQuiet { output.remark(remark.text) }
    }

    static func code(_ report: FileReport) -> ExitCode {
        guard let trial = report.trial else { return .usage }
        if let run = trial.run { return run.result == .failed ? .updateFailed : .ok }
        return report.isValid ? .no : .usage
    }
}

/// What a preview shows of a run.
struct PreviewDrawing {
    struct Remark: Equatable {
        let text: String
        var isTrouble = false
    }

    let report: FileReport
    private let mode: DisplayMode
    private let isNumbered: Bool

    init(_ report: FileReport, mode: DisplayMode, isNumbered: Bool = false) {
        self.report = report
        self.mode = mode
        self.isNumbered = isNumbered
    }

    func lines(_ presentation: Presentation) -> [StyledLine] {
        guard let item = report.trial?.item else { return [] }
        return TodayPage([item], presentation, extras).lines
    }

    /// Nil if there is nothing to draw. In JSON, the report is shown in any case.
    func shown(_ form: OutputForm) -> Shown? {
        let item = report.trial?.item
        if item == nil, form != .json { return nil }
        return Shown(item.map { [$0] } ?? [], extras: extras, json: report.json.text)
    }

    private var extras: TodayPage.Extras { TodayPage.Extras(numbers: isNumbered, whole: true) }

    /// Further remarks, the most important last.
    var remarks: [Remark] {
        var remarks = report.complaints.map { Remark(text: $0.diagnostic, isTrouble: true) }
        guard let trial = report.trial else { return remarks }
        if report.isValid, trial.item.mode != mode {
            remarks.append(
                Remark(text: "drawn in the \(trial.item.mode.rawValue) mode: LargestDisplayMode= allows no other"))
        }
        if let reason = trial.reason, report.isValid { remarks.append(Remark(text: reason, isTrouble: true)) }
        guard let run = trial.run else { return remarks }
        remarks += quoted(run.errorOutput, as: "it wrote to standard error:")
        if run.result == .failed, let printed = trial.printed {
            remarks += quoted(
                printed.beginning, as: "it printed \(printed.bytes.counted("byte")):", isCut: printed.isCut)
        }
        remarks += quoted(trial.notes.joined(separator: "\n"), as: "notes on its output:")
        if run.result == .newData, trial.item.content?.isEmpty ?? false {
            remarks.append(Remark(text: "it says that there is nothing to show, so hosts leave it out"))
        }
        remarks.append(Remark(text: run.resultInWords, isTrouble: run.result == .failed))
        return remarks
    }

    private static let mostLines = 12

    private func quoted(_ text: String, as title: String, isCut: Bool = false) -> [Remark] {
        if text.isEmpty { return [] }
        let whole = text.last == "\n" ? text.dropLast() : text[...]
        let lines = whole.split(separator: "\n", omittingEmptySubsequences: false)
        let shown = lines.prefix(Self.mostLines).map { Remark(text: "  | \($0.prefix(500))") }
        let rest = isCut || lines.count > shown.count ? [Remark(text: "  | …")] : []
        return [Remark(text: title)] + shown + rest
    }
}
