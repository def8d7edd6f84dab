// SPDX-License-Identifier: MIT

import Arguments
import Console
import JSON
import Link
import Rendering
import TodayModel

/// Explains why a widget shows what it shows.
struct Why: ControlCommand {
    static let command = Command(
        "why", summary: "explain why a widget shows what it shows",
        description: """
            In sentences, the most important first: what is shown and from where, how old it is, why it is hidden, stale, \
            failing or not run and what changes that, how the last run ended and what it wrote, and what comes next. 'status \
            ID' has the same facts as a table, and more runs.
            """,
        positionals: [.widget()], examples: [.init("todayctl why disk", "The first thing to read, and to report.")])

    let id: String

    init(_ arguments: ParsedArguments) { id = arguments.word("ID") }

    func run(in context: CommandContext) throws -> ExitCode {
        let item = try context.item(id)
        let reply = try context.service.call(ServiceCall("Status", ["id": .string(item.id.text)]))
        let output = context.output
        let facts = reply["widgets"]?.arrayValue?.first ?? .null
        let status = try context.service.translated {
            try WidgetStatus(JSONField(root: facts, name: "widgets[0]", isTolerant: true))
        }
        let explanation = Explanation(status, item, now: output.presentation.now)
        if output.isJSON {
            try output.print([
                "widget": facts, "item": item.json,
                "sentences": .array(
                    explanation.sentences.map { ["kind": .string($0.kind.rawValue), "text": .string($0.text)] }),
            ])
        } else if !output.isQuiet {
            try output.print(explanation.lines(output.listing))
        }
        return .ok
    }
}
