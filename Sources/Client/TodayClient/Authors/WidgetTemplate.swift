// SPDX-License-Identifier: MIT

import TodayModel

/// A widget to begin with. A new protocol or language is a line in `programs`.
struct WidgetTemplate {
    enum Language: String, CaseIterable {
        case sh, python, swift
    }

    private struct Key: Hashable {
        let contentProtocol: ContentProtocol
        let language: Language

        init(_ contentProtocol: ContentProtocol, _ language: Language) {
            self.contentProtocol = contentProtocol
            self.language = language
        }
    }

    private static let programs: [Key: String] = [
        Key(.text, .sh): textInShell,
        Key(.text, .python): textInPython,
        Key(.text, .swift): textInSwift,
        Key(.json, .sh): jsonInShell,
        Key(.json, .python): jsonInPython,
        Key(.json, .swift): jsonInSwift,
        Key(.varlink, .python): varlinkInPython,
        Key(.xbar, .sh): menuInShell(host: "xbar"),
        Key(.bitbar, .sh): menuInShell(host: "BitBar"),
        Key(.swiftbar, .sh): menuInShell(host: "SwiftBar"),
        Key(.argos, .sh): menuInShell(host: "Argos"),
        Key(.i3blocks, .sh): i3blocksInShell,
        Key(.waybar, .sh): waybarInShell,
        Key(.nagios, .sh): nagiosInShell,
        Key(.genmon, .sh): genmonInShell,
        Key(.keyvalue, .sh): keyvalueInShell,
    ]

    /// Those that can be begun.
    static let protocols = ContentProtocol.allCases.filter { one in
        !one.hasProgram || programs.keys.contains { $0.contentProtocol == one }
    }

    static func languages(of contentProtocol: ContentProtocol) -> [Language] {
        Language.allCases.filter { programs[Key(contentProtocol, $0)] != nil }
    }

    let contentProtocol: ContentProtocol
    /// The text of the program; nil where the protocol has none.
    let program: String?

    /// Nil where the language cannot have the protocol.
    ///
    /// - Parameter language: nil chooses the first that can.
    init?(_ contentProtocol: ContentProtocol, _ language: Language?) {
        self.contentProtocol = contentProtocol
        guard contentProtocol.hasProgram else {
            program = nil
            return
        }
        let languages = language.map { [$0] } ?? Language.allCases
        guard let text = languages.lazy.compactMap({ Self.programs[Key(contentProtocol, $0)] }).first else {
            return nil
        }
        program = text
    }

    /// - Parameter name: of the widget for people, and of its program.
    func manifest(named name: String) -> String {
        var lines = ["# See todayd.widget(5).", "[Widget]", "DisplayName=\(name)"]
        // Text has one view for both modes.
        if contentProtocol != .text, program != nil { lines.append("LargestDisplayMode=expanded") }
        lines += ["", "[Update]"]
        if program != nil { lines.append("ExecStart=./\(name)") }
        lines.append("Protocol=\(contentProtocol.rawValue)")
        if program != nil { lines.append("Interval=5min") }
        return lines.map { "\($0)\n" }.joined()
    }
}
