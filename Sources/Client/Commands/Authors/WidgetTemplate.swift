// SPDX-License-Identifier: MIT

import TodayModel

/// A widget to begin with.
struct WidgetTemplate {
    enum Language: String, CaseIterable {
        case sh, python, swift
    }

    /// The programs of Sources/Client/Commands/Templates, by protocol and in the order of preference.
    private static func programs(of contentProtocol: ContentProtocol) -> [(language: Language, text: [UInt8])] {
        typealias Files = PackageResources
        return switch contentProtocol {
        case .text: [(.sh, Files.text_sh), (.python, Files.text_py), (.swift, Files.text_swiftscript)]
        case .json: [(.sh, Files.json_sh), (.python, Files.json_py), (.swift, Files.json_swiftscript)]
        case .varlink: [(.python, Files.varlink_py)]
        case .xbar, .bitbar, .swiftbar, .argos: [(.sh, Files.menu_sh)]
        case .i3blocks: [(.sh, Files.i3blocks_sh)]
        case .waybar: [(.sh, Files.waybar_sh)]
        case .nagios: [(.sh, Files.nagios_sh)]
        case .genmon: [(.sh, Files.genmon_sh)]
        case .polybar: [(.sh, Files.polybar_sh)]
        case .keyvalue: [(.sh, Files.keyvalue_sh)]
        case .push: []
        }
    }

    static func languages(of contentProtocol: ContentProtocol) -> [Language] {
        programs(of: contentProtocol).map(\.language)
    }

    let contentProtocol: ContentProtocol
    /// The text of the program; nil if the protocol has none.
    let program: String?

    /// Nil if the protocol is not available in the language.
    ///
    /// - Parameter language: nil chooses the first that can.
    init?(_ contentProtocol: ContentProtocol, _ language: Language?) {
        self.contentProtocol = contentProtocol
        guard contentProtocol.hasProgram else {
            program = nil
            return
        }
        let programs = Self.programs(of: contentProtocol)
        guard let chosen = programs.first(where: { language == nil || $0.language == language }) else { return nil }
        program = String(decoding: chosen.text, as: UTF8.self)
    }

    /// - Parameter name: of the widget for people, and of its program.
    func manifest(named name: String) -> String {
        var lines = ["# See todayd.widget(5).", "[Widget]", "DisplayName=\(name)"]
        // Text has the same view in both modes.
        if contentProtocol != .text, program != nil { lines.append("LargestDisplayMode=expanded") }
        lines += ["", "[Update]"]
        if program != nil { lines.append("ExecStart=./\(name)") }
        lines.append("Protocol=\(contentProtocol.rawValue)")
        if program != nil { lines.append("Interval=5min") }
        return lines.map { "\($0)\n" }.joined()
    }
}
