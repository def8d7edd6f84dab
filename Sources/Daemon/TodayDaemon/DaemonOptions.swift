// SPDX-License-Identifier: MIT
import Arguments
import TodayModel

/// The options of todayd's command line: which instance it is, and where its files are.
package struct DaemonOptions: Equatable {
    package var instance: DaemonStatus.Instance?
    package var socket: String?
    package var stateDirectory: String?
    package var widgetDirectories: [String] = []
    package var configuration: String?
    /// Whether the service manager has given the process's control group to it.
    package var isDelegated = false

    package init(
        instance: DaemonStatus.Instance? = nil, socket: String? = nil, stateDirectory: String? = nil,
        widgetDirectories: [String] = [], configuration: String? = nil
    ) {
        self.instance = instance
        self.socket = socket
        self.stateDirectory = stateDirectory
        self.widgetDirectories = widgetDirectories
        self.configuration = configuration
    }

    static let command = Command(
        "todayd", summary: "runs Today widgets and serves their snapshots",
        description: """
            Runs each widget's perform-update, keeps the last good snapshot and serves it over a Unix socket. \
            Under systemd it is started by todayd.socket and needs no options.
            """,
        options: instanceOptions + [
            Option("socket", value: "PATH", completion: .files, help: "Listen there instead of the usual place"),
            Option(
                "state", value: "DIR", completion: .files, help: "Keep the database and the widgets' files there"),
            delegated, .version,
        ],
        exclusiveOptions: [["user", "system"]],
        examples: [
            .init("todayd --widgets ./widgets --state /tmp/state --socket /tmp/today.sock", "a private instance")
        ])

    /// The options that say which widgets and settings are meant, for todayd and for the tools of authors.
    package static let instanceOptions = [
        Option("user", help: "Be the instance of the user who starts it (default unless root)"),
        Option("system", help: "Be the system's instance (default for root)"),
        Option(
            "widgets", value: "DIR", completion: .files,
            help: "Look for manifests there instead of the usual places; may be repeated, the first wins"),
        Option("config", value: "FILE", completion: .files, help: "Read this todayd.conf only"),
    ]

    package static let delegated = Option(
        "delegated", help: "Run each widget in a control group below that of this process; the unit needs Delegate=")

    static func parse(_ arguments: [String]) throws(UsageError) -> ProgramRequest<DaemonOptions> {
        let parsed = try command.parse(arguments)
        if let text = command.information(for: parsed, version: Version.text) { return .print(text) }
        return .run(DaemonOptions(parsed))
    }
}

extension DaemonOptions {
    package init(_ parsed: ParsedArguments) {
        self.init(
            instance: parsed.has("user") ? .user : parsed.has("system") ? .system : nil,
            socket: parsed.value("socket"), stateDirectory: parsed.value("state"),
            widgetDirectories: parsed.values("widgets"), configuration: parsed.value("config"))
        isDelegated = parsed.has("delegated")
    }
}
