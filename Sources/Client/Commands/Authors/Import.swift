// SPDX-License-Identifier: MIT

import Arguments
import Console
import Files
import Glibc
import Link
import Rendering
import Spelling
import TodayModel

/// Makes widgets of another host's configuration or plugins.
struct Import: ControlCommand {
    static let hosts = ["waybar", "i3blocks", "polybar", "xbar", "swiftbar", "argos", "i3status-rust", "i3", "sway"]

    static let command = Command(
        "import", summary: "make widgets of what another bar has",
        description: """
            Reads the configuration of HOST, or its directory of plugins, and writes a manifest \
            import.HOST.NAME.widget for each of its programs, or copies the plugins. Without FILE it looks where HOST \
            itself looks. Whatever cannot be carried over is listed with file and line. No file is overwritten, so an \
            import can be repeated. todayd reads the manifests at once; it does not have to be running.

            If HOST is the path of a plugin for xbar, BitBar, SwiftBar or Argos, or of a directory of them, it copies \
            them with their NAME.vars.json and makes them executable. An existing file stays as it is, and the exit \
            status is then 8. Files of another user are not copied, because they would run as you.

            The programs run in a sandbox, without network and home. On a terminal, import asks about those that seem \
            to need more, judging by their text; elsewhere --allow says what each gets if it needs it: network, \
            session (the bus, windows and sound), files (those that it names in the home directory, /tmp, /var, /run, \
            /mnt, /media and /srv) or machine (processes, disks or devices, which means no sandbox). all sandboxes \
            none of them, and nothing revokes what an earlier import allowed.

            The exit status is 0 if everything that can be imported is there, 1 if there is nothing to import, and 8 \
            if nothing can be read or a file cannot be written.
            """,
        options: [
            Option("dry-run", help: "Write nothing, and print what would be written"),
            Option("link", help: "Link to plugins instead of copying them"),
            Option(
                "allow", value: "WORD", choices: SandboxConsent.words,
                help: "What each may access if it needs it; may be repeated"),
            Option("directory", short: "d", value: "DIR", completion: .files, help: "Write the files there"),
        ],
        positionals: [
            Positional(
                "HOST", completion: .filesOr(hosts), help: "The bar (\(hosts.joined(separator: ", "))), or a plugin"),
            Positional(
                "FILE", isOptional: true, isRepeating: true, completion: .files,
                help: "Its configuration or the directory of its plugins; or more plugins"),
        ],
        examples: [
            .init("todayctl import waybar --dry-run", "What the modules of your Waybar would become."),
            .init("todayctl import argos ~/src/plugins", "All plugins of a directory."),
            .init("todayctl import ./cpu.5m.sh --allow network", "One script, which may ask servers."),
        ])

    /// Nil if the user names plugins.
    let host: String?
    let paths: [String]
    private let directory: String?
    private let isDryRun: Bool
    private let options: [String]
    private let consent: SandboxConsent?
    private let instance: [String]

    init(_ arguments: ParsedArguments) throws(UsageError) {
        let words = [arguments.word("HOST")] + arguments.positionals("FILE")
        host = Self.hosts.contains(words[0]) ? words[0] : nil
        paths = host == nil ? words : Array(words.dropFirst())
        if host == nil, !Paths.exists(words[0]) {
            let hint = hint(for: words[0], among: Self.hosts)
            throw UsageError(
                commands: ["todayctl", "import"],
                reason:
                    "HOST: '\(words[0])' is neither a file nor one of \(Self.hosts.joined(separator: ", "))\(hint)")
        }
        if host != nil, paths.count > 1 {
            throw UsageError(commands: ["todayctl", "import"], reason: "unexpected argument '\(paths[1])'")
        }
        directory = arguments.value("directory")
        isDryRun = arguments.has("dry-run")
        consent = SandboxConsent(arguments.values("allow"))
        options =
            ["link"].filter { arguments.has($0) }.map { "--\($0)" }
            + (directory.map { ["--directory=\($0)"] } ?? [])
        instance = arguments.instanceOptions
    }

    func run(in context: CommandContext) throws -> ExitCode {
        let author = try AuthorProgram(context.service.socket, instance: instance, environment: context.environment)
        let (reports, consent) = try imported(author, in: context)
        guard host != nil, let report = reports.first else { return try tell(reports, consent, in: context) }
        let places = ManifestPlaces(context.environment)
        let output = context.output
        let page = ImportPage(report, places, output.listing)
        if output.isJSON {
            try output.print(report.json)
        } else if output.isQuiet {
            for error in page.errors { output.warn(error) }
        } else {
            try output.print(ImportPage.joined(page.files, page.remarks, page.withheld(consent), page.summary))
            if report.hasNewFiles, !report.isDryRun, directory == nil {
                try output.print("Next: \(report.next(in: context))")
            }
            try offer(report, output)
        }
        if let failure = report.failure {
            output.warn(failure.reason)
            return failure.isNotPermitted ? .notPermitted : .failed
        }
        if report.source == nil {
            output.warn("\(report.host) has nothing to import: none of these exists:\(list(report, places))")
        }
        if report.isComplete { return .ok }
        return report.files.isEmpty && !report.remarks.contains { $0.kind == .error } ? .no : .failed
    }

    /// Imports the configuration of a host or the plugins that the user names. Returns the reports, and what the programs were
    /// allowed.
    private func imported(
        _ author: AuthorProgram, in context: CommandContext
    ) throws -> ([ImportReport], SandboxConsent?) {
        func run(_ more: [String]) throws -> [ImportReport] {
            if let host { return [try author.importing(host, paths.first, options + more)] }
            return try paths.map { try author.importing("plugins", $0, options + more) }
        }
        let output = context.output
        var consent = consent
        if isDryRun { return (try run(["--dry-run"] + (consent?.options ?? [])), consent) }
        if consent == nil, isatty(STDIN_FILENO) == 1, !output.isJSON, !output.isQuiet {
            let asked = ImportConsent(try run(["--dry-run"]), output.listing)
            if asked.isAsked {
                try output.print(asked.lines)
                consent = asked.consent(output.agrees(asked.question, byDefault: false))
            }
        }
        return (try run(ImportConsent.options(consent, isAnswer: self.consent == nil)), consent)
    }

    /// Reports what has become of the plugins that the user named.
    private func tell(
        _ reports: [ImportReport], _ consent: SandboxConsent?, in context: CommandContext
    ) throws -> ExitCode {
        let places = ManifestPlaces(context.environment)
        let output = context.output
        for report in reports {
            let page = ImportPage(report, places, output.listing)
            if output.isJSON {
                try output.print(report.json)
            } else {
                if !output.isQuiet {
                    try output.print(ImportPage.joined(page.files, page.notes, page.withheld(consent)))
                }
                for error in page.errors { output.warn(error) }
            }
        }
        if let failure = reports.lazy.compactMap(\.failure).first {
            output.warn(failure.reason)
            return failure.isNotPermitted ? .notPermitted : .failed
        }
        let isNew = reports.first { $0.hasNewFiles && !$0.isDryRun }
        if !output.isJSON, !output.isQuiet, directory == nil, let report = isNew {
            try output.print("Next: \(report.next(in: context))")
        }
        return reports.allSatisfy(\.hasAll) ? .ok : .failed
    }

    private func list(_ report: ImportReport, _ places: ManifestPlaces) -> String {
        report.places.map { "\n  \(places.shortened($0))" }.joined()
    }

    /// Prints what the configuration of the other host needs to show the widgets.
    private func offer(_ report: ImportReport, _ output: CommandOutput) throws {
        guard !report.replacements.isEmpty, !report.files.isEmpty, report.failure == nil else { return }
        try output.print("")
        try output.print(
            "\(report.host) still runs these programs itself. To show what todayd has, put these modules in their place:"
        )
        for replacement in report.replacements {
            try output.print("")
            try output.print("// \(replacement.source)")
            try output.printMember(replacement.module, replacement.value)
        }
    }
}

extension ImportReport {
    /// Whether everything that the user named has been imported.
    var hasAll: Bool {
        isComplete && !files.contains { $0.outcome == .kept } && !remarks.contains { $0.kind == .error }
    }

    /// What to do with the widgets. They are files, so a todayd that starts later finds them, too.
    func next(in context: CommandContext) -> String {
        guard let daemon = context.service.daemonStatus() else {
            return "start todayd, which reads them: \(context.service.socket.remedy)"
        }
        let manifests = files.contains { $0.kind == .manifest }
        let read = manifests ? daemon.widgetDirectories : daemon.pluginDirectories
        if read.contains(directory) { return "todayctl list" }
        return "start the todayd that reads \(directory); the one that answers does not"
    }
}
