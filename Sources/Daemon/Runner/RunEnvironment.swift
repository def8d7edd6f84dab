// SPDX-License-Identifier: MIT
import TodayModel

/// The environment of a run, the same for updates and actions: docs/environment.md is its contract.
enum RunEnvironment {
    /// What of the daemon's own environment says who and where the user is. Nothing else comes through, so that a widget
    /// does under systemd what it does when the daemon was started by hand.
    static let inherited: Set<String> = [
        "PATH", "HOME", "USER", "LOGNAME", "SHELL", "TZ", "TMPDIR", "LANG", "LANGUAGE",
        "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME",
        "XDG_CONFIG_DIRS", "XDG_DATA_DIRS", "DBUS_SESSION_BUS_ADDRESS", "SSH_AUTH_SOCK",
        "http_proxy", "https_proxy", "ftp_proxy", "all_proxy", "no_proxy",
        "HTTP_PROXY", "HTTPS_PROXY", "FTP_PROXY", "ALL_PROXY", "NO_PROXY",
    ]

    /// In all processes of one run, to know them by.
    static let mark = "TODAY_RUN"

    /// What the widget is to do about editing; nil where it is not edited.
    private static func editing(_ request: RunRequest) -> String? {
        switch request.errand {
        case .beginEditing: "begin"
        case .endEditing(let isCancelled): isCancelled ? "cancel" : "end"
        case .action, .displayMode, nil: request.isEditing ? "continue" : nil
        }
    }

    static func base(from environment: [String: String]) -> [String: String] {
        var base = environment.filter { name, _ in inherited.contains(name) || name.hasPrefix("LC_") }
        base["PATH"] = ProgramPath.value(in: environment)
        base["TODAYD"] = "1"
        base["TODAYD_VERSION"] = Version.text
        return base
    }

    /// Later ones win: what the daemon says of itself, what the manifest says, what is true of this run.
    static func variables(
        of request: RunRequest, mark: String, base: [String: String], settings: RunSettings
    ) -> [String: String] {
        var variables = base
        for (name, value) in request.manifest.update.environment { variables[name] = value }
        let size = request.sizes[request.mode]
        variables["TODAY_WIDGET"] = request.widget.text
        variables["TODAY_REASON"] = request.reason.rawValue
        variables["TODAY_DISPLAY_MODE"] = request.mode.rawValue
        variables["TODAY_MAX_COLUMNS"] = String(size.columns)
        variables["TODAY_MAX_ROWS"] = String(size.rows)
        variables["TODAY_STATE_DIRECTORY"] = settings.directory(of: request.widget)
        variables["TODAY_SOCKET"] = settings.socket
        variables["TODAY_KNOWN"] = request.isKnown ? "1" : "0"
        if case .action(let action) = request.errand { variables["TODAY_ACTION"] = action }
        variables["TODAY_EDITING"] = editing(request)
        variables[Self.mark] = mark
        let groups = request.manifest.appGroups
        for group in groups {
            variables["TODAY_GROUP_DIRECTORY_\(group.variableName)"] = settings.directory(ofGroup: group)
        }
        if groups.count == 1 { variables["TODAY_GROUP_DIRECTORY"] = settings.directory(ofGroup: groups[0]) }
        return variables
    }
}
