// SPDX-License-Identifier: MIT

import Arguments
import JSON
import TodayModel

/// Tells a shell what may be typed in place of the word that is being completed.
struct Complete: ControlCommand {
    enum Kind: String, CaseIterable {
        /// All widgets.
        case widgets
        /// Those that can be edited now.
        case editable
        /// Those that show something to press.
        case pressable
        /// The actions of the widget that is the word before.
        case actions

        var completion: ValueCompletion { .answers(of: "todayctl complete \(rawValue)") }
    }

    static let command = Command(
        "complete", summary: "tell a shell what a word may become",
        positionals: [
            Positional("KIND", choices: Kind.allCases.map(\.rawValue), help: "What is wanted"),
            Positional("WORD", isOptional: true, help: "The word so far"),
            Positional("BEFORE", isOptional: true, isRepeating: true, help: "The words before it"),
        ], isHidden: true)

    let kind: Kind
    let word: String
    let before: [String]

    init(_ arguments: ParsedArguments) {
        kind = Kind(rawValue: arguments.word("KIND")) ?? .widgets
        word = arguments.word("WORD")
        before = arguments.positionals("BEFORE")
    }

    func run(in context: CommandContext) throws -> ExitCode {
        // As they are: a shell has to type them.
        for candidate in try candidates(in: context) { try context.output.printAsItIs(candidate) }
        return .ok
    }

    private func candidates(in context: CommandContext) throws -> [String] {
        if kind == .actions {
            guard let id = before.first else { return [] }
            var seen: Set<String> = []
            let actions = try context.item(id).content?.actions ?? []
            return actions.filter { $0.hasPrefix(word) && seen.insert($0).inserted }
        }
        let widgets = try context.service.call(ServiceCall("List"))["widgets"]?.arrayValue ?? []
        // Names are shortened among all widgets, whichever are offered.
        let names = ShortNames(widgets.compactMap { $0["id"]?.stringValue })
        let offered = Set(widgets.filter(isOffered).compactMap { $0["id"]?.stringValue })
        return names.completions(of: word, among: offered)
    }

    /// Of raw values: names need no version that understands all of the content.
    private func isOffered(_ item: JSON) -> Bool {
        switch kind {
        case .widgets, .actions: return true
        case .editable:
            guard item["allowsEditing"] == true else { return false }
            switch item["state"]?.stringValue.flatMap({ WidgetState(rawValue: $0) }) {
            case .waiting, .ready, .failing, .empty: return true
            case .hidden, .disabled, .invalid, .unsupported, .masked, nil: return false
            }
        case .pressable:
            // Whether one of it is a button, `actions` says; what is no content has none.
            guard let content = item["content"], content != .null else { return false }
            let root = JSONField(root: content, isTolerant: true)
            return (try? Content(root))?.actions.isEmpty == false
        }
    }
}
