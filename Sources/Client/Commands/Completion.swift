// SPDX-License-Identifier: MIT

import Arguments
import Console
import JSON
import Link
import Rendering
import TodayModel

/// Prints what a word may become, for the completion scripts.
struct Complete: ControlCommand {
    static let command = Command(
        "complete", summary: "tell a shell what a word may become",
        positionals: [
            Positional("WORD", isOptional: true, help: "The word so far"),
            Positional("BEFORE", isOptional: true, isRepeating: true, help: "The arguments before it"),
        ], isHidden: true)

    private var completions: Completions

    init(_ arguments: ParsedArguments) {
        completions = Completions(
            of: arguments.word("WORD"), after: arguments.positionals("BEFORE"), in: TodayControl.command)
    }

    func run(in context: CommandContext) throws -> ExitCode {
        var completions = completions
        for kind in completions.kinds.compactMap(CompletionKind.init(rawValue:)) {
            for text in (try? candidates(kind, in: context)) ?? [] { completions.add(text) }
        }
        // Unchanged, because the shell inserts them into the command line.
        for line in completions.lines { try context.output.printUnchanged(line) }
        return .ok
    }

    private func candidates(_ kind: CompletionKind, in context: CommandContext) throws -> [String] {
        let before = completions.words
        switch kind {
        case .widgets, .editable, .pressable:
            let widgets = try context.service.call(ServiceCall("List"))["widgets"]?.arrayValue ?? []
            // Short identifiers must be unambiguous among all widgets, not only among those that are offered.
            let identifiers = ShortIdentifiers(widgets.compactMap { $0["id"]?.stringValue })
            let offered = Set(widgets.filter { Self.isOffered($0, kind) }.compactMap { $0["id"]?.stringValue })
            return identifiers.completions(of: completions.value, among: offered)
        case .actions:
            guard let id = before.first else { return [] }
            let item = try context.item(id)
            var seen: Set<String> = []
            return Self.names(item.content, mode: item.mode).filter { seen.insert($0).inserted }
        case .settings, .secrets, .assignments:
            guard let id = before.first else { return [] }
            let (reply, own) = try context.settings(of: id)
            let settings = own + (try context.settings("face", in: reply))
            switch kind {
            case .secrets: return settings.filter { $0.setting.type == .secret }.map(\.setting.name)
            case .assignments: return assignments(of: settings)
            default: return settings.filter(\.isSet).map(\.setting.name)
            }
        case .facts:
            guard let id = before.first else { return [] }
            let item = try context.item(id)
            let facts = WidgetFacts(item, try context.history(of: item.id.text, last: 0))
            let images = (item.content?.pictureNames ?? []).map { WidgetFacts.image + $0 }
            return facts.present + images + [WidgetFacts.hasContent]
        case .offers: return try context.offers().all.map(\.shortName)
        case .offeredAssignments:
            let name = before.first?.prefix { $0 != "@" }.description ?? ""
            guard let offer = try context.offers().all.one(named: name) else { return [] }
            return assignments(of: offer.settings.map { SettingStatus($0, choosing: nil) })
        }
    }

    /// `NAME=`, and then the values of a choice or a boolean. A secret is not set on a command line.
    private func assignments(of settings: [SettingStatus]) -> [String] {
        let open = settings.filter { $0.setting.type != .secret }
        let before = completions.words.dropFirst()
        if let equals = completions.value.firstIndex(of: "=") {
            let name = completions.value[..<equals]
            return open.first { $0.setting.name == name }?.values.map { "\(name)=\($0)" } ?? []
        }
        return open.map { "\($0.setting.name)=" }.filter { name in
            !before.contains { $0.hasPrefix(name) || "\($0)=" == name }
        }
    }

    /// Reads the JSON itself, so that content that this version cannot read does no harm.
    private static func isOffered(_ item: JSON, _ kind: CompletionKind) -> Bool {
        switch kind {
        case .editable:
            let state = item["state"]?.stringValue.flatMap { WidgetState(rawValue: $0) }
            return item["allowsEditing"] == true && state?.runs == true
        case .pressable:
            // Content that this version cannot read has no buttons.
            guard let content = item["content"], content != .null else { return false }
            let root = JSONField(root: content, isTolerant: true)
            return !names(try? Content(root), mode: .expanded).isEmpty
        default: return true
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
