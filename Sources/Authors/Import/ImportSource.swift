// SPDX-License-Identifier: MIT
import TodayModel

/// A program whose configuration or plugins can be imported.
package enum ImportSource: String, CaseIterable, Sendable {
    case waybar, i3blocks, polybar
    case i3statusRust = "i3status-rust"
    case i3, sway
    case xbar, swiftbar, argos
    /// Plugins for any of the three above, named by the user.
    case plugins

    /// Those that look in places of their own.
    package static var all: [ImportSource] { allCases.filter { $0 != .plugins } }

    /// The name on the command line, and the second label of identifiers.
    package var name: String { rawValue }

    /// How the identifiers of its programs begin.
    package var prefix: String { "\(WidgetID.importPrefix)\(name)." }

    /// The name for people.
    package var title: String {
        switch self {
        case .waybar: "Waybar"
        case .i3blocks: "i3blocks"
        case .polybar: "Polybar"
        case .i3statusRust, .i3, .sway: rawValue
        case .xbar: "xbar"
        case .swiftbar: "SwiftBar"
        case .argos: "Argos"
        case .plugins: "Plugins"
        }
    }

    /// Whether it has a directory of plugins, which stay as they are, and no configuration file.
    package var isPlugins: Bool {
        switch self {
        case .xbar, .swiftbar, .argos, .plugins: true
        case .waybar, .i3blocks, .polybar, .i3statusRust, .i3, .sway: false
        }
    }

    /// The configuration in a directory that the user names; for plugins, the directory itself.
    package func configuration(in directory: String, _ files: ImportFiles) -> String? {
        guard !isPlugins else { return directory }
        return fileNames.map { "\(directory)/\($0)" }.first { files.isFile($0) }
    }

    /// The names of the host's own configuration, the strongest first.
    package var fileNames: [String] {
        switch self {
        case .waybar: ["config", "config.jsonc"]
        case .i3blocks: ["config", ".i3blocks.conf", "i3blocks.conf"]
        case .polybar: ["config", "config.ini"]
        case .i3statusRust: ["config.toml"]
        case .i3, .sway: ["config"]
        case .xbar, .swiftbar, .argos, .plugins: []
        }
    }

    /// The first of its places in which there is something.
    package func find(_ files: ImportFiles) -> String? {
        places(files.variable).first { place in
            isPlugins ? files.list(place) != .missing : files.isFile(place)
        }
    }
}

extension ImportSource {
    /// Where the host itself looks for its configuration, the strongest place first, each once.
    ///
    /// - Parameter variable: an environment variable: HOME, XDG_CONFIG_HOME, XDG_CONFIG_DIRS, XDG_DATA_HOME.
    package func places(_ variable: (String) -> String?) -> [String] {
        let bases = Bases(variable)
        let places: [String] =
            switch self {
            case .waybar:
                (bases.configuration + bases.home + ["/etc/xdg"]).flatMap {
                    ["\($0)/waybar/config", "\($0)/waybar/config.jsonc"]
                }
            case .i3blocks:
                bases.configuration.map { "\($0)/i3blocks/config" } + bases.home.map { "\($0)/.i3blocks.conf" }
                    + bases.systemConfiguration.map { "\($0)/i3blocks/config" } + ["/etc/i3blocks.conf"]
            case .polybar:
                bases.configuration.flatMap { ["\($0)/polybar/config", "\($0)/polybar/config.ini"] }
                    + bases.systemConfiguration.map { "\($0)/polybar/config.ini" } + ["/etc/polybar/config.ini"]
            case .i3statusRust:
                (bases.configuration + bases.data + ["/usr/share"]).map { "\($0)/i3status-rust/config.toml" }
            case .i3:
                bases.configuration.map { "\($0)/i3/config" } + bases.home.map { "\($0)/.i3/config" }
                    + bases.systemConfiguration.map { "\($0)/i3/config" } + ["/etc/i3/config"]
            case .sway:
                bases.home.map { "\($0)/.sway/config" } + (bases.configuration + ["/etc"]).map { "\($0)/sway/config" }
            case .xbar:
                bases.configuration.flatMap { ["\($0)/xbar/plugins", "\($0)/xbar"] }
                    + bases.home.map { "\($0)/Library/Application Support/xbar/plugins" }
                    + bases.home.flatMap { ["\($0)/.bitbar", "\($0)/.xbar"] }
            case .swiftbar:
                bases.configuration.flatMap { ["\($0)/swiftbar/plugins", "\($0)/swiftbar", "\($0)/SwiftBar"] }
                    + bases.home.flatMap {
                        ["\($0)/Library/Application Support/SwiftBar/Plugins", "\($0)/.swiftbar"]
                    }
            case .argos: bases.configuration.map { "\($0)/argos" }
            case .plugins: []
            }
        return places.reduce(into: []) { list, place in if !list.contains(place) { list.append(place) } }
    }

    /// The base directories of the XDG Base Directory Specification, which ignores relative paths.
    private struct Bases {
        let home: [String]
        /// The user's own directory, then the default one, where hosts look as well.
        let configuration: [String]
        let systemConfiguration: [String]
        let data: [String]

        init(_ variable: (String) -> String?) {
            func directories(_ name: String) -> [String] {
                (variable(name) ?? "").split(separator: ":").filter { $0.hasPrefix("/") }.map { part in
                    var part = part
                    while part.utf8.count > 1, part.hasSuffix("/") { part.removeLast() }
                    return String(part)
                }
            }
            home = Array(directories("HOME").prefix(1))
            configuration = directories("XDG_CONFIG_HOME").prefix(1) + home.map { "\($0)/.config" }
            let system = directories("XDG_CONFIG_DIRS")
            systemConfiguration = system.isEmpty ? ["/etc/xdg"] : system
            data = directories("XDG_DATA_HOME").prefix(1) + home.map { "\($0)/.local/share" }
        }
    }
}
