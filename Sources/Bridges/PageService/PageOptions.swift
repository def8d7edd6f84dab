// SPDX-License-Identifier: MIT

import Arguments
import Platform
import TodayClient
import TodayModel
import WebPage

/// The options of today-page's command line.
struct PageOptions: Equatable {
    var socket: DaemonSocket
    var address = ListenAddress.standard
    var allowsChanges = false
    /// Whether other users of this machine may look. The system's todayd shows its widgets to all of them anyway.
    var servesAllUsers = false
    var names: [String] = []
    var frames: [String] = []

    enum Request: Equatable {
        case run(PageOptions)
        case print(String)
    }

    static let command = Command(
        "today-page", summary: "serves the Today view to browsers of this machine",
        description: """
            A page with the widgets' cards, live, on the loopback address: http://localhost:8733/. It is a client of todayd's \
            socket, has no widgets itself, and changes nothing unless --allow-changes is given. Of other users of this machine \
            it answers none but root.

            /?point=lock-screen shows another extension point, /?widget=ID one card, and ?kiosk larger cards for a wall. \
            /api/list, /api/show and /api/stream give JSON and events to programs, /metrics numbers to Prometheus.
            """,
        options: [
            Option("user", help: "Show the widgets of the user's todayd"),
            Option("system", help: "Show the widgets of the system's todayd"),
            Option(
                "socket", value: "PATH", completion: .files, help: "Show the widgets of the todayd that listens there"),
            Option(
                "listen", value: "ADDRESS",
                help: "Listen there, if systemd has passed no socket (default 127.0.0.1:8733); 0 is any free port"),
            Option("allow-changes", help: "Let the page press buttons, and expand, update, move and hide widgets"),
            Option("all-users", help: "Answer other users of this machine, too, as --system does"),
            Option("host", value: "NAME", help: "Answer requests for this name, too, as of a proxy; may be repeated"),
            Option("frame", value: "ORIGIN", help: "Let this site show the page in a frame; may be repeated"),
            Option("version", help: "Print the version"),
        ],
        exclusiveOptions: [["user", "system", "socket"]],
        examples: [
            .init("today-page", "the page of your widgets, to look at"),
            .init("today-page --allow-changes --listen 127.0.0.1:9000", "with buttons, on another port"),
            .init("today-page --frame http://dash.example:8080", "cards in the frames of a dashboard"),
        ])

    static func parse(_ arguments: [String], environment: EnvironmentVariables) throws(UsageError) -> Request {
        let parsed = try command.parse(arguments)
        if parsed.isHelpRequested { return .print(command.help()) }
        if parsed.has("version") { return .print("today-page \(Version.text)\n") }
        var options = PageOptions(socket: DaemonSocket(parsed, environment: environment))
        if let text = parsed.value("listen") {
            do throws(ListenAddress.Fault) {
                options.address = try ListenAddress(text)
            } catch {
                throw usage("--listen \(text): \(error.reason)")
            }
        }
        options.allowsChanges = parsed.has("allow-changes")
        options.servesAllUsers = parsed.has("all-users") || options.socket.kind == .system
        options.names = parsed.values("host")
        options.frames = parsed.values("frame")
        if let name = options.names.first(where: { !Gate.isName($0) }) {
            throw usage("--host \(name): is no name of a host, without a port")
        }
        if let frame = options.frames.first(where: { !SecurityHeaders.isOrigin($0) }) {
            throw usage("--frame \(frame): is no origin like http://host:8080")
        }
        return .run(options)
    }

    private static func usage(_ reason: String) -> UsageError { UsageError(commands: ["today-page"], reason: reason) }
}
