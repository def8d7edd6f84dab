// SPDX-License-Identifier: MIT
import Spelling
import TodayModel

/// The other machine: through ssh(1), with the user's keys and rights, or through the page of its todayd, for reading.
enum FollowSource: Equatable {
    /// What ssh calls the machine.
    case ssh(String)
    /// The address of the page, without a slash at the end.
    case page(String)

    /// Nil if the text does not name a machine.
    init?(_ text: String) {
        let isHarmless = text.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value != 0x7f && $0 != "\"" }
        guard !text.isEmpty, text.first != "-", isHarmless else { return nil }
        if text.hasPrefix("http://") || text.hasPrefix("https://") {
            let end = text.reversed().prefix { $0 == "/" }.count
            self = .page(String(text.dropLast(end)))
        } else {
            self = .ssh(text)
        }
    }

    var name: String {
        switch self {
        case .ssh(let name), .page(let name): name
        }
    }

    /// What is asked of the source before following it.
    enum Request: Equatable {
        case action(String)
        case update
    }

    /// The words of ssh(1). The machine prints its clock, in seconds since 1970, does what is asked, and then prints the widget
    /// whenever it changes. A connection that is dead is noticed after a minute.
    static func sshArguments(_ host: String, widget: String, _ request: Request?) -> [String] {
        let id = ShellWords.quoted(widget)
        let asked =
            switch request {
            case .action(let action): "todayctl --quiet perform -- \(id) \(ShellWords.quoted(action)) || exit; "
            case .update: "todayctl --quiet update -- \(id) || :; "
            case nil: ""
            }
        let script = "date +%s; \(asked)exec todayctl --json watch -- \(id)"
        return [
            "-T", "-o", "BatchMode=yes", "-o", "ConnectTimeout=20", "-o", "ServerAliveInterval=20", "-o",
            "ServerAliveCountMax=3", "--", host, ShellWords.onOtherMachine(script),
        ]
    }

    /// The arguments of curl(1) for the page's stream, which tells that the widget has changed, and for the widget itself
    /// afterwards. The token goes through standard input, because other users can read command lines.
    static func streamArguments(_ page: String, widget: WidgetID) -> [String] {
        curl + ["--no-buffer", "--connect-timeout", "20", "\(page)/api/stream?widget=\(widget)"]
    }

    static func showArguments(_ page: String, widget: WidgetID) -> [String] {
        curl + ["--include", "--max-time", "20", "\(page)/api/show?widget=\(widget)"]
    }

    private static let curl = ["--silent", "--show-error", "--fail", "--globoff", "--config", "-"]

    /// The input of curl.
    static func curlConfiguration(token: String?) -> String {
        let quoted = token?.replacing("\\", by: "\\\\").replacing("\"", by: "\\\"")
        return quoted.map { "header = \"Authorization: Bearer \($0)\"\n" } ?? ""
    }
}
