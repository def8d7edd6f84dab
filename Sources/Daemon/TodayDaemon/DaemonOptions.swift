// SPDX-License-Identifier: MIT
import Arguments
import Import
import TodayModel

/// The options of todayd's command line that decide which instance it is.
struct DaemonOptions: Equatable {
    var instance: DaemonStatus.Instance?
    var socket: String?
    var stateDirectory: String?
    var widgetDirectories: [String] = []
    var configuration: String?

    enum Request: Equatable {
        case run(DaemonOptions)
        case check(CheckOptions)
        case once(OnceOptions)
        case importing(ImportOptions)
        case print(String)
    }

    static let command = Command(
        "todayd", summary: "runs Today widgets and serves their snapshots",
        description: """
            Runs each widget's perform-update, keeps the last good snapshot and serves it over a Unix socket. \
            Under systemd it is started by todayd.socket and needs no options.

            With --check, --once or --import it is a tool instead: it starts no daemon, needs none, and prints JSON, one \
            object a line. 'todayctl lint', 'todayctl preview' and 'todayctl import' print the same for people.
            """,
        options: [
            Option("user", help: "Be the instance of the user who starts it (default unless root)"),
            Option("system", help: "Be the system's instance (default for root)"),
            Option("socket", value: "PATH", completion: .files, help: "Listen there instead of the usual place"),
            Option(
                "state", value: "DIR", completion: .files, help: "Keep the database and the widgets' files there"),
            Option(
                "widgets", value: "DIR", completion: .files,
                help: "Look for manifests there instead of the usual places; may be repeated, the first wins"),
            Option("config", value: "FILE", completion: .files, help: "Read this todayd.conf only"),
            Option("check", help: "Say what is wrong with each FILE: a manifest, a script or todayd.conf"),
            Option("once", help: "Run the widget of FILE, a manifest or a script, one time"),
            Option(
                "import", value: "HOST", choices: ImportSource.allCases.map(\.name),
                help: "Make widgets of the configuration or the plugins of another host, at FILE or where it has them"),
            Option(
                "protocol", value: "WORD", choices: ContentProtocol.allCases.map(\.rawValue),
                help: "With --check and --once: what a script prints (default text)"),
            Option(
                "mode", value: "MODE", choices: DisplayMode.allCases.map(\.rawValue),
                help: "With --once: for this display mode (default compact)"),
            Option("action", value: "NAME", help: "With --once: press the button with this action"),
            Option(
                "set", value: "NAME=VALUE",
                help: "With --once: the value of a setting; NAME alone takes it from the environment; may be repeated"),
            Option("known", help: "With --once: tell the widget that its last answer is known"),
            Option("directory", value: "DIR", completion: .files, help: "With --import: write the files there"),
            Option("link", help: "With --import: link to the plugins in place of copying them"),
            Option("dry-run", help: "With --import: write nothing, and say what would be written"),
            Option("version", help: "Print the version"),
        ],
        positionals: [
            Positional(
                "FILE", isOptional: true, isRepeating: true, completion: .files,
                help: "With --check, --once and --import")
        ],
        exclusiveOptions: [["user", "system"], ["check", "once", "import"]],
        examples: [
            .init("todayd --widgets ./widgets --state /tmp/state --socket /tmp/today.sock", "a private instance"),
            .init("todayd --check org.example.disk.widget", "what is wrong with a manifest"),
            .init("todayd --once ./disk.sh --protocol json", "what a script prints, and what becomes of it"),
        ])

    static func parse(_ arguments: [String]) throws(UsageError) -> Request {
        let parsed = try command.parse(arguments)
        if parsed.isHelpRequested { return .print(command.help()) }
        if parsed.has("version") { return .print("todayd \(Version.text)\n") }
        var options = DaemonOptions()
        if parsed.has("user") { options.instance = .user }
        if parsed.has("system") { options.instance = .system }
        options.socket = parsed.value("socket")
        options.stateDirectory = parsed.value("state")
        options.widgetDirectories = parsed.values("widgets")
        options.configuration = parsed.value("config")
        let files = parsed.positionals("FILE")
        if let name = parsed.value("import"), let host = ImportSource(rawValue: name) {
            try refuse(["mode", "action", "known", "set"], in: parsed, without: "once")
            try refuse(["protocol"], in: parsed, without: "check or --once")
            guard files.count <= 1 else { throw usage("--import takes one FILE or directory") }
            if host == .plugins, files.isEmpty { throw usage("--import plugins needs a FILE or directory") }
            return .importing(
                ImportOptions(
                    instance: options, host: host, path: files.first, directory: parsed.value("directory"),
                    isLinked: parsed.has("link"), isDryRun: parsed.has("dry-run")))
        }
        try refuse(["directory", "link", "dry-run"], in: parsed, without: "import")
        if parsed.has("check") {
            try refuse(["mode", "action", "known", "set"], in: parsed, without: "once")
            guard !files.isEmpty else { throw usage("--check needs a FILE") }
            return .check(CheckOptions(instance: options, files: files, scriptProtocol: parsed.scriptProtocol))
        }
        if parsed.has("once") {
            guard let file = files.first, files.count == 1 else { throw usage("--once needs one FILE") }
            var once = OnceOptions(instance: options, file: file, scriptProtocol: parsed.scriptProtocol)
            once.mode = parsed.value("mode").flatMap { DisplayMode(rawValue: $0) } ?? .compact
            once.action = parsed.value("action")
            once.isKnown = parsed.has("known")
            once.settings = parsed.values("set")
            return .once(once)
        }
        try refuse(["mode", "action", "known", "set"], in: parsed, without: "once")
        try refuse(["protocol"], in: parsed, without: "check or --once")
        if let extra = files.first { throw usage("unexpected argument '\(extra)'") }
        return .run(options)
    }

    private static func refuse(
        _ names: [String], in parsed: ParsedArguments, without other: String
    ) throws(UsageError) {
        if let name = names.first(where: parsed.has) { throw usage("--\(name) goes with --\(other)") }
    }

    private static func usage(_ reason: String) -> UsageError { UsageError(commands: ["todayd"], reason: reason) }
}

/// The options of `todayd --check`.
struct CheckOptions: Equatable {
    var instance = DaemonOptions()
    var files: [String]
    var scriptProtocol: ContentProtocol?
}

/// The options of `todayd --once`.
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

/// The options of `todayd --import`.
struct ImportOptions: Equatable {
    var instance = DaemonOptions()
    var host: ImportSource
    /// Nil looks where the host looks.
    var path: String?
    /// Nil is the first directory in which the instance looks.
    var directory: String?
    var isLinked = false
    var isDryRun = false
}

extension ParsedArguments {
    fileprivate var scriptProtocol: ContentProtocol? { value("protocol").flatMap { ContentProtocol(rawValue: $0) } }
}
