// SPDX-License-Identifier: MIT
import TodayModel

/// The readers of bytes that come from outside. Each must end without a trap, whatever it reads, and what it gives must
/// have the properties that the other parts rely on.
enum Parser: String, CaseIterable {
    case json, lenient, call, manifest, plugin, variables, content, text, xbar, bitbar, swiftbar, argos, i3blocks,
        waybar,
        nagios, genmon, polybar, keyvalue, ansi, pango, framing
    case pluginName = "plugin-name"
    case importWaybar = "import-waybar"
    case importI3blocks = "import-i3blocks"
    case importPolybar = "import-polybar"
    case importI3statusRust = "import-i3status-rust"
    case importSway = "import-sway"
    case importPlugins = "import-plugins"

    func read(_ bytes: [UInt8]) {
        switch self {
        case .json: JSONChecks.read(bytes)
        case .lenient: JSONChecks.readLeniently(bytes)
        case .call: JSONChecks.readCall(bytes)
        case .manifest: ConfigurationChecks.readManifest(bytes)
        case .plugin: PluginChecks.readScript(bytes)
        case .variables: PluginChecks.readVariables(bytes)
        case .pluginName: PluginChecks.readName(bytes)
        case .content: ContentChecks.read(bytes, .json)
        case .ansi: TextChecks.readSequences(bytes)
        case .pango: TextChecks.readMarkup(bytes)
        case .framing: StreamChecks.read(bytes)
        case .importWaybar: ConfigurationChecks.readHost(bytes, .waybar)
        case .importI3blocks: ConfigurationChecks.readHost(bytes, .i3blocks)
        case .importPolybar: ConfigurationChecks.readHost(bytes, .polybar)
        case .importI3statusRust: ConfigurationChecks.readHost(bytes, .i3statusRust)
        case .importSway: ConfigurationChecks.readHost(bytes, .sway)
        case .importPlugins: PluginDirectoryChecks.read(bytes)
        case .text, .xbar, .bitbar, .swiftbar, .argos, .i3blocks, .waybar, .nagios, .genmon, .polybar,
            .keyvalue:
            guard let contentProtocol = ContentProtocol(rawValue: rawValue) else {
                fatalError("\(self) has no protocol")
            }
            ContentChecks.read(bytes, contentProtocol)
        }
    }
}

/// Traps with the text that has characters which no part may show.
func expectPlain(_ text: String, lines: Bool = false, _ what: String) {
    if let complaint = PlainText.complaint(about: text, allowingLines: lines) {
        fatalError("\(what) \(complaint): \(text.debugDescription)")
    }
}

/// Traps where a property does not hold. Release builds do not print the message of `precondition`.
func expect(_ holds: Bool, _ message: @autoclosure () -> String = "", file: StaticString = #fileID, line: UInt = #line)
{
    if !holds { fatalError(message(), file: file, line: line) }
}
