// SPDX-License-Identifier: MIT

import Arguments
import Console
import Link
import Rendering
import TodayModel

/// Puts the scripts of other bars where todayd runs them: an import of plugins that the user names.
struct Plugin: ControlCommand {
    static let command = Command(
        "plugin", summary: "add scripts for xbar, BitBar, SwiftBar and Argos",
        description: "They run unchanged, once for the whole machine; todayd.widget(5) says what it reads of them.",
        subcommands: [
            Command(
                "add", summary: "copy plugins into the directory of your todayd",
                description: """
                    Copies each FILE, and of each DIRECTORY the files that are executable or have an interval in their name, \
                    such as cpu.5m.sh, with their NAME.vars.json. A copy gets the run bit. A file that is there stays as it \
                    is, and the exit status is then 8. Files of another user are not copied, because they would run as you. \
                    todayd reads the plugins at once.
                    """,
                options: [
                    Option("link", help: "Link to the files in place of copying them"),
                    Option("directory", short: "d", value: "DIR", completion: .files, help: "Put them there"),
                ],
                positionals: [
                    Positional("FILE", isRepeating: true, completion: .files, help: "A plugin, or a directory of them")
                ],
                examples: [.init("todayctl plugin add ~/.config/argos", "All plugins of Argos.")])
        ])

    let paths: [String]
    private let directory: String?
    private let options: [String]
    private let instance: [String]

    init(_ arguments: ParsedArguments) {
        paths = arguments.positionals("FILE")
        directory = arguments.value("directory")
        options =
            (arguments.has("link") ? ["--link"] : []) + (directory.map { ["--directory=\($0)"] } ?? [])
        instance = arguments.instanceOptions
    }

    func run(in context: CommandContext) throws -> ExitCode {
        let author = try AuthorProgram(context.service.socket, instance: instance, environment: context.environment)
        let reports = try paths.map { try author.importing("plugins", $0, options) }
        let places = ManifestPlaces(context.environment)
        let output = context.output
        for report in reports {
            let page = ImportPage(report, places, output.listing)
            if output.isJSON {
                try output.print(report.json)
            } else {
                if !output.isQuiet { try output.print(page.files + page.notes) }
                for error in page.errors { output.warn(error) }
            }
        }
        if let failure = reports.lazy.compactMap(\.failure).first {
            output.warn(failure.reason)
            return failure.isNotPermitted ? .notPermitted : .failed
        }
        if !output.isJSON, !output.isQuiet, directory == nil, let report = reports.first(where: \.hasNewFiles) {
            try output.print("Next: \(report.next(in: context))")
        }
        return reports.allSatisfy(\.hasAll) ? .ok : .failed
    }
}

extension ImportReport {
    /// Whether all that the user named is there.
    fileprivate var hasAll: Bool {
        isComplete && !files.contains { $0.outcome == .kept } && !remarks.contains { $0.kind == .error }
    }
}
