// SPDX-License-Identifier: MIT
import Files
import TodayModel

/// The variables that the program of another host expects, by the protocol of its manifest. Environment= may replace
/// them.
enum HostEnvironment {
    static func variables(of request: RunRequest, _ settings: RunSettings) -> [String: String] {
        switch request.manifest.update.contentProtocol {
        case .xbar, .bitbar:
            // todayd draws for light and dark hosts at once.
            return ["XBARDarkMode": "false", "BitBarDarkMode": "false"]
        case .swiftbar: return swiftBar(request, settings)
        case .argos:
            return ["ARGOS_VERSION": "2", "ARGOS_MENU_OPEN": request.reason == .appear ? "true" : "false"]
        case .i3blocks: return i3blocks(request)
        case .text, .json, .push, .varlink, .waybar, .nagios, .genmon, .keyvalue: return [:]
        }
    }

    private static func swiftBar(_ request: RunRequest, _ settings: RunSettings) -> [String: String] {
        let stateDirectory = settings.directory(of: request.widget)
        let path = request.manifest.update.command.first ?? ""
        let reason =
            switch request.reason {
            case .boot: "FirstLaunch"
            case .schedule, .retry, .behind: "Schedule"
            case .appear: "MenuOpen"
            case .request, .action, .editing, .mode: "MenuAction"
            case .wake: "WakeFromSleep"
            }
        return [
            "SWIFTBAR": "1", "SWIFTBAR_VERSION": "2.0.0", "SWIFTBAR_BUILD": "500",
            "SWIFTBAR_PLUGINS_PATH": Paths.parent(of: path), "SWIFTBAR_PLUGIN_PATH": path,
            "SWIFTBAR_PLUGIN_CACHE_PATH": stateDirectory, "SWIFTBAR_PLUGIN_DATA_PATH": stateDirectory,
            "SWIFTBAR_PLUGIN_REFRESH_REASON": reason, "SWIFTBAR_LAUNCH_TIME": settings.startTime.rfc3339,
            "OS_APPEARANCE": "Light",
        ]
    }

    /// i3blocks has each variable twice: in capitals as its old versions, and as the property is called.
    private static func i3blocks(_ request: RunRequest) -> [String: String] {
        let interval = request.manifest.update.interval.map { String($0.microseconds / 1_000_000) } ?? "once"
        var variables = [
            "BLOCK_NAME": request.widget.text, "name": request.widget.text, "BLOCK_INSTANCE": "", "instance": "",
            "BLOCK_INTERVAL": interval, "interval": interval, "BLOCK_BUTTON": "", "button": "",
        ]
        if case .action(let action, _) = request.interaction, let click = Click(action: action) {
            variables["BLOCK_BUTTON"] = String(click.button)
            variables["button"] = String(click.button)
        }
        return variables
    }
}
