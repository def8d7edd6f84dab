// SPDX-License-Identifier: MIT
import Arguments
import TodayModel

/// The options of todayd's command line.
struct DaemonOptions: Equatable {
    var instance: DaemonStatus.Instance?
    var socket: String?
    var stateDirectory: String?
    var widgetDirectories: [String] = []
    var configuration: String?

    enum Request: Equatable {
        case run(DaemonOptions)
        case print(String)
    }

    static let command = Command(
        "todayd", summary: "runs Today widgets and serves their snapshots",
        description: """
            Runs each widget's perform-update, keeps the last good snapshot and serves it over a Unix socket. \
            Under systemd it is started by todayd.socket and needs no options.
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
            Option("version", help: "Print the version"),
        ],
        exclusiveOptions: [["user", "system"]],
        examples: [
            .init("todayd --widgets ./widgets --state /tmp/state --socket /tmp/today.sock", "a private instance")
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
        return .run(options)
    }
}
