// SPDX-License-Identifier: MIT
import Arguments
import Import
import TodayDaemon
import TodayModel

/// What today-author is asked for: one of its tools, with its options.
enum AuthorTask: Equatable {
    case check(CheckOptions)
    case once(OnceOptions)
    case importing(ImportOptions)

    static let command = Command(
        "today-author", summary: "reads, runs and imports widgets without a daemon",
        description: """
            Does the work of 'todayctl lint', 'todayctl preview' and 'todayctl import': reads files and runs widgets as \
            todayd does, needs no todayd, and prints JSON, one object per line.
            """,
        options: DaemonOptions.instanceOptions + [
            Option(
                "socket", value: "PATH", completion: .files, help: "With --once: the socket that TODAY_SOCKET names"),
            Option(
                "state", value: "DIR", completion: .files, help: "With --once: keep the widget's files there"),
            Option("check", help: "Report what is wrong with each FILE: a manifest, a script or todayd.conf"),
            Option("once", help: "Run the widget of FILE, a manifest or a script, once"),
            Option(
                "import", value: "HOST", choices: ImportSource.allCases.map(\.name),
                help: "Make widgets of the configuration or the plugins of another host, at FILE or in the usual places"
            ),
            Option(
                "protocol", value: "WORD", choices: ContentProtocol.allCases.map(\.rawValue),
                help: "With --check and --once: what a script prints (default text)"),
            Option(
                "mode", value: "MODE", choices: DisplayMode.allCases.map(\.rawValue),
                help: "With --once: the display mode (default compact)"),
            Option("action", value: "NAME", help: "With --once: press the button with this action"),
            Option(
                "set", value: "NAME=VALUE",
                help: "With --once: the value of a setting; NAME alone takes it from the environment; may be repeated"),
            Option("known", help: "With --once: tell the widget that its last answer is known"),
            DaemonOptions.delegated,
            Option("directory", value: "DIR", completion: .files, help: "With --import: write the files there"),
            Option("link", help: "With --import: link to the plugins instead of copying them"),
            Option(
                "allow", value: "WORD", choices: SandboxConsent.words,
                help: "With --import: what the programs may access if they seem to need it; may be repeated"),
            Option("new-only", help: "With --allow: change nothing for programs that were imported before"),
            Option("dry-run", help: "With --import: write nothing, and report what would be written"),
            .version,
        ],
        positionals: [
            Positional("FILE", isOptional: true, isRepeating: true, completion: .files, help: "What to read")
        ],
        exclusiveOptions: [["user", "system"], ["check", "once", "import"]],
        examples: [
            .init("today-author --check org.example.disk.widget", "what is wrong with a manifest"),
            .init("today-author --once ./disk.sh --protocol json", "what a script prints, and what becomes of it"),
        ])

    static func parse(_ arguments: [String]) throws(UsageError) -> ProgramRequest<AuthorTask> {
        let parsed = try command.parse(arguments)
        if let text = command.information(for: parsed, version: Version.text) { return .print(text) }
        let options = DaemonOptions(parsed)
        let files = parsed.positionals("FILE")
        if let name = parsed.value("import"), let host = ImportSource(rawValue: name) {
            try refuse(["mode", "action", "known", "set", "delegated"], in: parsed, without: "once")
            try refuse(["protocol"], in: parsed, without: "check or --once")
            guard files.count <= 1 else { throw usage("--import takes one FILE or directory") }
            if host == .plugins, files.isEmpty { throw usage("--import plugins needs a FILE or directory") }
            return .run(
                .importing(
                    ImportOptions(
                        instance: options, host: host, path: files.first, directory: parsed.value("directory"),
                        isLinked: parsed.has("link"), isDryRun: parsed.has("dry-run"),
                        consent: SandboxConsent(parsed.values("allow")), isConsentForNew: parsed.has("new-only"))))
        }
        try refuse(["directory", "link", "allow", "new-only", "dry-run"], in: parsed, without: "import")
        if parsed.has("once") {
            guard let file = files.first, files.count == 1 else { throw usage("--once needs one FILE") }
            var once = OnceOptions(instance: options, file: file, scriptProtocol: parsed.scriptProtocol)
            once.mode = parsed.value("mode").flatMap { DisplayMode(rawValue: $0) } ?? .compact
            once.action = parsed.value("action")
            once.isKnown = parsed.has("known")
            once.settings = parsed.values("set")
            return .run(.once(once))
        }
        try refuse(["mode", "action", "known", "set", "delegated"], in: parsed, without: "once")
        guard parsed.has("check") else { throw usage("say --check, --once or --import HOST") }
        guard !files.isEmpty else { throw usage("--check needs a FILE") }
        return .run(.check(CheckOptions(instance: options, files: files, scriptProtocol: parsed.scriptProtocol)))
    }

    private static func refuse(
        _ names: [String], in parsed: ParsedArguments, without other: String
    ) throws(UsageError) {
        if let name = names.first(where: parsed.has) { throw usage("--\(name) goes with --\(other)") }
    }

    private static func usage(_ reason: String) -> UsageError { UsageError(commands: ["today-author"], reason: reason) }
}

/// The options of `today-author --check`.
struct CheckOptions: Equatable {
    var instance = DaemonOptions()
    var files: [String]
    var scriptProtocol: ContentProtocol?
}

/// The options of `today-author --once`.
struct OnceOptions: Equatable {
    var instance = DaemonOptions()
    var file: String
    var scriptProtocol: ContentProtocol?
    var mode = DisplayMode.compact
    var action: String?
    var isKnown = false
    /// `NAME=VALUE`, or `NAME` for the value of that variable.
    var settings: [String] = []
}

/// The options of `today-author --import`.
struct ImportOptions: Equatable {
    var instance = DaemonOptions()
    var host: ImportSource
    /// Nil looks where the host looks.
    var path: String?
    /// Nil is the first directory in which the instance looks.
    var directory: String?
    var isLinked = false
    var isDryRun = false
    /// Nil means strict for what is new; programs that are there keep what they were allowed.
    var consent: SandboxConsent?
    /// The user answered import's question, which names only the new programs, so the answer is about those.
    var isConsentForNew = false
}

extension ParsedArguments {
    fileprivate var scriptProtocol: ContentProtocol? { value("protocol").flatMap { ContentProtocol(rawValue: $0) } }
}
