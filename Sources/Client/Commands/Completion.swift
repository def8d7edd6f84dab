// SPDX-License-Identifier: MIT

import Arguments
import Console
import JSON
import Link
import Rendering
import TodayModel

/// Prints the candidates for the word that a shell completes.
struct Complete: ControlCommand {
    static let command = Command(
        "complete", summary: "tell a shell what a word may become",
        positionals: [
            Positional("KIND", choices: CompletionKind.allCases.map(\.rawValue), help: "What is wanted"),
            Positional("WORD", isOptional: true, help: "The word so far"),
            Positional("BEFORE", isOptional: true, isRepeating: true, help: "The words before it"),
        ], isHidden: true)

    let kind: CompletionKind
    let word: String
    let before: [String]

    init(_ arguments: ParsedArguments) {
        kind = CompletionKind(rawValue: arguments.word("KIND")) ?? .widgets
        word = arguments.word("WORD")
        before = arguments.positionals("BEFORE")
    }

    func run(in context: CommandContext) throws -> ExitCode {
        // Unchanged, because the shell inserts them into the command line.
        for candidate in try candidates(in: context) { try context.output.printUnchanged(candidate) }
        return .ok
    }

    private func candidates(in context: CommandContext) throws -> [String] {
        if kind == .actions {
            guard let id = before.first else { return [] }
            let item = try context.item(id)
            var seen: Set<String> = []
            return Self.names(item.content, mode: item.mode).filter { $0.hasPrefix(word) && seen.insert($0).inserted }
        }
        if [.settings, .secrets, .assignments].contains(kind) {
            guard let id = before.first else { return [] }
            let (reply, own) = try context.settings(of: id)
            let settings = SettingCandidates(own + (try context.settings("face", in: reply)))
            switch kind {
            case .secrets: return settings.secrets(of: word)
            case .assignments: return settings.assignments(of: word, after: Array(before.dropFirst()))
            default: return settings.names(of: word)
            }
        }
        if kind == .facts {
            guard let id = before.first else { return [] }
            let item = try context.item(id)
            let facts = WidgetFacts(item, try context.history(of: item.id.text, last: 0))
            let images = (item.content?.pictureNames ?? []).map { WidgetFacts.image + $0 }
            return (facts.present + images + [WidgetFacts.hasContent]).filter { $0.hasPrefix(word) }
        }
        if kind == .offers {
            return try context.offers().all.map(\.shortName).filter { $0.hasPrefix(word) }
        }
        if kind == .offeredAssignments {
            let name = before.first?.prefix { $0 != "@" }.description ?? ""
            guard let offer = try context.offers().all.one(named: name) else { return [] }
            let settings = SettingCandidates(offer.settings.map { SettingStatus($0, choosing: nil) })
            return settings.assignments(of: word, after: Array(before.dropFirst()))
        }
        let widgets = try context.service.call(ServiceCall("List"))["widgets"]?.arrayValue ?? []
        // Short identifiers must be unambiguous among all widgets, not only among those that are offered.
        let identifiers = ShortIdentifiers(widgets.compactMap { $0["id"]?.stringValue })
        let offered = Set(widgets.filter(isOffered).compactMap { $0["id"]?.stringValue })
        return identifiers.completions(of: word, among: offered)
    }

    /// Reads the JSON itself, so that content that this version cannot read does no harm.
    private func isOffered(_ item: JSON) -> Bool {
        switch kind {
        case .widgets, .actions, .settings, .secrets, .assignments, .facts, .offers, .offeredAssignments: return true
        case .editable:
            let state = item["state"]?.stringValue.flatMap { WidgetState(rawValue: $0) }
            return item["allowsEditing"] == true && state?.runs == true
        case .pressable:
            // Content that this version cannot read has no buttons.
            guard let content = item["content"], content != .null else { return false }
            let root = JSONField(root: content, isTolerant: true)
            return !Self.names(try? Content(root), mode: .expanded).isEmpty
        }
    }

    /// What `perform` accepts besides numbers: actions, and the titles of targets without an action.
    private static func names(_ content: Content?, mode: DisplayMode) -> [String] {
        guard let content else { return [] }
        let targets = Numbering(content, mode: mode).targets.compactMap { $0.action ?? ($0.hasTitle ? $0.title : nil) }
        return content.actions + targets.filter { !$0.isEmpty }
    }
}

/// Prints the completion script for a shell.
struct Completion: ControlCommand {
    static let command = Command(
        "completion", summary: "print the completion script for a shell",
        positionals: [
            Positional("SHELL", choices: CompletionScript.Shell.allCases.map(\.rawValue), help: "Which shell")
        ],
        examples: [.init("source <(todayctl completion bash)", "Completes in this shell.")])

    let shell: CompletionScript.Shell

    init(_ arguments: ParsedArguments) {
        shell = CompletionScript.Shell(rawValue: arguments.word("SHELL")) ?? .bash
    }

    func run(in context: CommandContext) throws -> ExitCode {
        try context.output.write(CompletionScript(for: TodayControl.command).text(for: shell))
        return .ok
    }
}

/// The short identifiers of widgets: the end of an identifier is enough if only one widget has it.
struct ShortIdentifiers {
    private let ids: [String]
    /// The number of widgets that have each ending.
    private let counts: [Substring: Int]

    init(_ ids: [String]) {
        self.ids = ids
        counts = ids.reduce(into: [:]) { counts, id in
            for ending in Self.endings(of: id) { counts[ending, default: 0] += 1 }
        }
    }

    /// The shortest identifiers that begin with `word`. If there are none, longer ones, up to the whole identifier.
    ///
    /// - Parameter offered: the identifiers of the widgets that are wanted; nil means all.
    func completions(of word: String, among offered: Set<String>? = nil) -> [String] {
        let names = ids.filter { offered?.contains($0) ?? true }.map { id in
            Self.endings(of: id).filter { counts[$0] == 1 || $0.count == id.count }
        }
        let short = names.compactMap(\.first).filter { $0.hasPrefix(word) }
        let fitting = short.isEmpty ? names.compactMap { $0.first { $0.hasPrefix(word) } } : short
        return fitting.map(String.init)
    }

    /// The last label, the last two, and so on up to the whole identifier.
    private static func endings(of id: String) -> [Substring] {
        id.indices.reversed().filter { $0 == id.startIndex || id[id.index(before: $0)] == "." }.map { id[$0...] }
    }
}

/// The completions of a word of `todayctl config`.
struct SettingCandidates {
    private let settings: [SettingStatus]

    init(_ settings: [SettingStatus]) { self.settings = settings }

    /// The settings for which the user has set a value.
    func names(of word: String) -> [String] {
        settings.filter(\.isSet).map(\.setting.name).filter { $0.hasPrefix(word) }
    }

    func secrets(of word: String) -> [String] {
        settings.filter { $0.setting.type == .secret }.map(\.setting.name).filter { $0.hasPrefix(word) }
    }

    /// `NAME=`, and then the values of a choice or a boolean. A secret is not set on a command line.
    ///
    /// - Parameter before: the words before it. bash breaks words at an equals sign, so that the last one may be a name.
    func assignments(of word: String, after before: [String]) -> [String] {
        let open = settings.filter { $0.setting.type != .secret }
        if let equals = word.firstIndex(of: "=") {
            let name = word[..<equals]
            let values = open.first { $0.setting.name == name }?.values ?? []
            return values.map { "\(name)=\($0)" }.filter { $0.hasPrefix(word) }
        }
        if let last = before.last, let setting = open.first(where: { $0.setting.name == last }) {
            return setting.values.filter { $0.hasPrefix(word) }
        }
        return open.map { "\($0.setting.name)=" }.filter { name in
            name.hasPrefix(word) && !before.contains { $0.hasPrefix(name) || "\($0)=" == name }
        }
    }
}

extension SettingStatus {
    /// The possible values; none if any text is one.
    fileprivate var values: [String] {
        switch setting.type {
        case .choice: setting.options
        case .boolean: ["yes", "no"]
        case .string, .number, .secret, .list: []
        }
    }
}
