// SPDX-License-Identifier: MIT

import Arguments
import Bars
import Console
import Files
import Glibc
import Link
import Rendering
import Spelling
import TodayModel

/// The first evening: finds the user's bars and plugins, imports them with consent, and prints the configuration for the bars.
struct Setup: ControlCommand {
    static let command = Command(
        "setup", summary: "find your bars and scripts, and make widgets of them",
        description: """
            Looks where Waybar, i3blocks, Polybar, i3status-rust, i3, sway, xbar, SwiftBar and Argos keep their \
            configuration, and says what it would import and what the programs need outside a sandbox. After you agree, \
            it imports them, shows the new widgets, and prints the lines that show widgets in the bars that it found. It \
            changes no configuration of another program and overwrites no file. --undo removes what it has written, \
            except for files that you have changed since.
            """,
        options: [
            Option("yes", short: "y", help: "Answer all questions with yes"),
            Option("undo", help: "Remove the widgets that earlier setups wrote"),
        ],
        exclusiveOptions: [["yes", "undo"]],
        examples: [.init("todayctl setup", "Shows what it finds, and asks before it writes.")])

    private let agrees: Bool
    private let undoes: Bool
    private let instance: [String]

    init(_ arguments: ParsedArguments) throws {
        agrees = arguments.has("yes")
        undoes = arguments.has("undo")
        instance = arguments.instanceOptions
        if arguments.has("json") {
            throw UsageError(
                commands: ["todayctl", "setup"], reason: "--json: 'todayctl import HOST --json' is for programs")
        }
    }

    func run(in context: CommandContext) throws -> ExitCode {
        let record = SetupRecord(context.environment)
        if undoes { return try undo(record, context) }
        let author = try AuthorProgram(context.service.socket, instance: instance, environment: context.environment)
        // Configurations that a distribution installs in /etc are not the user's choice.
        let home = context.environment["HOME"].map { "\($0)/" } ?? "/"
        let plans = try Import.hosts.map { try author.importing($0, nil, ["--dry-run"]) }
            .filter { $0.source?.hasPrefix(home) == true && (!$0.files.isEmpty || $0.hasLosses) }
        let bars = InstalledBar.all(context.environment)
        let page = SetupPage(plans, bars, ManifestPlaces(context.environment), context.output.listing)
        try context.output.print(page.findings)
        guard plans.contains(where: \.hasNewFiles) else {
            try context.output.print(page.nothingNew)
            try offer(bars, context)
            return plans.isEmpty && bars.isEmpty ? .no : .ok
        }
        guard agrees || context.output.agrees(page.question, byDefault: true) else {
            try context.output.print("Nothing is written. 'todayctl setup --yes' does it.")
            return .no
        }
        let asked = ImportConsent(plans, context.output.listing)
        var consent: SandboxConsent?
        if asked.isAsked {
            try context.output.print(asked.lines)
            if agrees { try context.output.print(asked.agreement) }
            consent = asked.consent(agrees || context.output.agrees(asked.question, byDefault: false))
        }
        let reports = try plans.filter(\.hasNewFiles).map {
            try author.importing($0.word, nil, ImportConsent.options(consent, isAnswer: true))
        }
        let files = reports.flatMap { $0.sandboxes + $0.files }.filter { $0.outcome == .new }
        if !files.isEmpty { try record.write(files.map(\.path)) }
        let errors = reports.flatMap { ImportPage($0, page.places, context.output.listing).errors }
        for error in errors + reports.compactMap({ $0.failure?.reason }) { context.output.warn(error) }
        try context.output.print(
            "Wrote \(files.count.counted("file")); 'todayctl setup --undo' removes \(files.count == 1 ? "it" : "them")."
        )
        try context.output.print(SetupPage.complaints(reports, context.output.listing))
        let ids = reports.flatMap(\.widgets)
        try showResult(ids, reports, context)
        try offer(bars, context)
        return errors.isEmpty && reports.allSatisfy { $0.failure == nil } ? .ok : .failed
    }

    // MARK: The result

    /// Shows the new widgets, after a run of each.
    private func showResult(_ ids: [String], _ reports: [ImportReport], _ context: CommandContext) throws {
        guard context.service.daemonStatus() != nil else {
            return try context.output.print("todayd reads them when it runs: \(context.service.socket.remedy).")
        }
        _ = try context.service.call(ServiceCall("Reload"))
        if context.output.errorsAreLive, !context.output.isQuiet {
            context.output.showProgress("running \(ids.count.counted("new widget")) for the first time …")
        }
        // todayd answers after at most 40 s. A widget that fails shows the reason on its card.
        _ = try? context.service.call(.updating(nil))
        context.output.clearProgress()
        let items = ids.compactMap { try? context.item($0) }
        if items.isEmpty, let report = reports.first {
            return try context.output.print("Next: \(report.next(in: context))")
        }
        try context.output.print([StyledLine()] + TodayPage(items, context.output.presentation).lines)
        if items.contains(where: { !$0.isShown(at: .today) }) {
            let line = "They are in bars; 'todayctl enable --on today ID' shows one in the Today view, too."
            try context.output.print([StyledLine(), context.output.presentation.line(line, .dim)])
        }
    }

    /// Prints the configuration that shows the widgets in the user's bars.
    private func offer(_ bars: [InstalledBar], _ context: CommandContext) throws {
        for (place, bar) in bars.enumerated() where bars.firstIndex(where: { $0.kind == bar.kind }) == place {
            let titles = bars.filter { $0.kind == bar.kind }.map(\.title).joined(separator: " and ")
            try context.output.print([
                StyledLine(), context.output.presentation.line("To show widgets in \(titles):", .bold),
            ])
            try context.output.write(Bar.configuration(for: bar.kind))
            if bar.kind == .waybar {
                try context.output.print(
                    "'todayctl bar --print-config waybar ID...' prints a module for each of some widgets.")
            }
        }
    }

    // MARK: Undoing it

    private func undo(_ record: SetupRecord, _ context: CommandContext) throws -> ExitCode {
        let places = ManifestPlaces(context.environment)
        let outcomes = try record.undo()
        for (path, outcome) in outcomes {
            let name = places.shortened(path)
            switch outcome {
            case .removed: try context.output.print("removed \(name)")
            case .changed: context.output.note("\(name) stays: it is not as setup wrote it")
            case .needed: context.output.note("\(name) stays with the program that it shuts in")
            case .gone: context.output.note("\(name) no longer exists")
            case .failed(let reason): context.output.warn("\(name) cannot be removed: \(reason)")
            }
        }
        if outcomes.isEmpty { context.output.note("no setup has written anything") }
        return outcomes.isEmpty ? .no : outcomes.contains { $0.outcome.isFailure } ? .failed : .ok
    }
}

extension ImportReport {
    /// Its name for `import`.
    var word: String { Import.hosts.first { $0.lowercased() == host.lowercased() } ?? host.lowercased() }

    fileprivate var hasLosses: Bool { remarks.contains { $0.kind != .note } }

    /// The identifiers of the widgets that it has written, or has found as it would write them.
    var widgets: [String] {
        files.filter { $0.outcome == .new || $0.outcome == .unchanged }.compactMap { file in
            let name = Paths.name(of: file.path)
            switch file.kind {
            case .manifest: return String(name.dropLast(".widget".count))
            case .plugin: return PluginName(fileName: name)?.id.text
            case .values, .sandbox: return nil
            }
        }
    }
}

/// What setup says.
struct SetupPage {
    private let plans: [ImportReport]
    private let bars: [InstalledBar]
    let places: ManifestPlaces
    private let presentation: Presentation

    init(_ plans: [ImportReport], _ bars: [InstalledBar], _ places: ManifestPlaces, _ presentation: Presentation) {
        self.plans = plans
        self.bars = bars
        self.places = places
        self.presentation = presentation
    }

    private func programs(_ report: ImportReport) -> [ImportReport.File] { report.files.filter { $0.kind != .values } }

    var findings: [StyledLine] {
        var table = Table([.init("FOUND"), .init("WHERE", elastic: true), .init("WHAT", elastic: true)])
        for plan in plans {
            let programs = programs(plan)
            let new = programs.filter { $0.outcome == .new }.count
            var words = programs.count.counted("program")
            if new < programs.count { words += ", \(programs.count - new) imported already" }
            table.append([
                presentation.line(plan.host, .bold), presentation.line(places.shortened(plan.source ?? "")),
                presentation.line(words),
            ])
        }
        for bar in bars {
            table.append([
                presentation.line(bar.title, .bold), presentation.line(places.shortened(bar.path)),
                presentation.line("a bar that can show widgets"),
            ])
        }
        return plans.isEmpty && bars.isEmpty ? [] : table.lines(presentation) + losses
    }

    /// Names the commands that report what is not carried over.
    private var losses: [StyledLine] {
        let lossy = plans.filter(\.hasLosses).map {
            "'todayctl import \($0.word) --dry-run'"
        }
        if lossy.isEmpty { return [] }
        let verb = lossy.count == 1 ? "says" : "say"
        return presentation.line("\(lossy.joined(separator: " and ")) \(verb) what cannot be carried over.", .dim)
            .wrapped(presentation.width)
    }

    /// todayd's complaints about written files, such as a command that only macOS has.
    static func complaints(_ reports: [ImportReport], _ presentation: Presentation) -> [StyledLine] {
        reports.flatMap(\.complaints).map { presentation.line($0.diagnostic, .meaning(.warning)) }
    }

    var nothingNew: String {
        plans.isEmpty && bars.isEmpty
            ? "There is no configuration of another bar, and no directory of plugins. 'todayctl new NAME' starts a widget, 'todayctl import FILE' takes a script, and 'todayctl watch' shows what is there."
            : plans.isEmpty ? "There is no script of a bar to import." : "There is nothing new to import."
    }

    var question: String {
        let count = plans.flatMap(programs).filter { $0.outcome == .new }.count
        return "Make \(count == 1 ? "a widget" : "widgets") of \(count == 1 ? "it" : "these \(count) programs")? [Y/n] "
    }
}
