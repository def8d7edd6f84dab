// SPDX-License-Identifier: MIT

import Arguments
import Console
import JSON
import Link
import Rendering
import TodayModel

/// Says what is wrong with files.
struct Lint: ControlCommand {
    static let command = Command(
        "lint", summary: "say what is wrong with a manifest or a script",
        description: """
            Each FILE is a manifest, ID.widget, a program without a manifest, or a todayd.conf. Each complaint is one line, \
            FILE:LINE:COLUMN: error: REASON, which editors can open. The files are read as todayd would read them if they \
            were installed. No todayd has to run, and no program is run without --run.

            The exit status is 0 even if there are warnings, 1 if a file has an error, and 5 if a run has failed.
            """,
        options: [
            Option("run", help: "Run each valid widget once, and say what is wrong with its output"), .scriptProtocol,
        ],
        positionals: [
            Positional("FILE", isRepeating: true, completion: .files, help: "A manifest, a script or a todayd.conf")
        ],
        examples: [
            .init("todayctl lint ~/.config/todayd/widgets/*.widget", "All of your manifests."),
            .init("todayctl lint --run ./disk.sh", "A script, and what it prints."),
        ])

    let files: [String]
    let runs: Bool
    private let options: [String]
    private let instance: [String]

    init(_ arguments: ParsedArguments) {
        files = arguments.positionals("FILE")
        runs = arguments.has("run")
        options = arguments.scriptProtocolOptions
        instance = arguments.instanceOptions
    }

    func run(in context: CommandContext) throws -> ExitCode {
        let author = try AuthorProgram(context.service.socket, instance: instance, environment: context.environment)
        var reports = try author.check(files, options)
        if runs {
            for (index, file) in zip(reports.indices, files) where reports[index].isRunnable {
                if let report = try author.once(file, options) { reports[index] = report }
            }
        }
        try context.output.answer(["files": .array(reports.map(\.json))]) {
            let presentation = context.output.listing
            return reports.flatMap { Self.lines($0, presentation) }
        }
        if reports.contains(where: { !$0.isValid }) { return .no }
        return reports.contains { $0.trial?.run?.result == .failed } ? .updateFailed : .ok
    }

    static func lines(_ report: FileReport, _ presentation: Presentation) -> [StyledLine] {
        var lines = report.complaints.map { complaint in
            presentation.line(
                complaint.diagnostic, .meaning(complaint.severity == .error ? .critical : .warning))
        }
        lines += (report.trial?.notes ?? []).map { note in
            presentation.line(
                "\(report.file): warning: its output: \(note)", .meaning(.warning))
        }
        let errors = report.trial?.run?.result == .failed ? "" : report.trial?.run?.errorOutput ?? ""
        lines += errors.split(separator: "\n").suffix(12).map { line in
            presentation.line("\(report.file): warning: it wrote to standard error: \(line)", .meaning(.warning))
        }
        if let run = report.trial?.run {
            if run.result == .failed {
                let reason = "\(report.file): error: its run failed: \(run.failure ?? "it did not say why")"
                lines.append(presentation.line(reason, .meaning(.critical)))
            } else {
                lines.append(presentation.line("\(report.file): it ran: \(run.resultInWords)"))
            }
        }
        if lines.isEmpty { lines.append(presentation.line("\(report.file): no complaints", .dim)) }
        return lines
    }
}

extension FileReport {
    /// Whether there is a program that todayd would run.
    var isRunnable: Bool { isValid && !isMasked && !command.isEmpty && widget != nil }
}

extension RunRecord {
    var resultInWords: String {
        let time = duration.duration
        return switch result {
        case .newData: "new content in \(time)"
        case .noData: "nothing new in \(time)"
        case .failed: "failed in \(time): \(failure ?? "it did not say why")"
        }
    }
}

// MARK: - Options of the tools for authors

extension Option {
    static let scriptProtocol = Option(
        "protocol", value: "WORD", choices: ContentProtocol.allCases.map(\.rawValue),
        help: "What a script without a manifest prints (default text; a plugin is read as one)")
}

extension ParsedArguments {
    /// For todayd.
    var scriptProtocolOptions: [String] { value("protocol").map { ["--protocol", $0] } ?? [] }
}
