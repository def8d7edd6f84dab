// SPDX-License-Identifier: MIT

import Arguments
import Console
import JSON
import Link
import Rendering
import TodayModel

/// The view, which is redrawn when it changes.
package struct Watch: ControlCommand {
    package static let command = Command(
        "watch", summary: "keep the Today view on the screen, and use the widgets there",
        description: """
            On a terminal the view stays up to date until q or Ctrl-C. The arrow keys and j and k select a widget; \
            Enter presses what it offers or shows more of it, o opens its link, u updates it, h hides it, J and K move \
            it, e edits the view with its hidden widgets, / filters, and ? lists all keys. The mouse selects and \
            presses, too.

            If standard input is not a terminal, there are no keys. If standard output is not one, every widget is \
            printed again when it changes; with --json as one object per line, first everything, then what has changed \
            and what has left. When todayd restarts, the view starts again.
            """,
        options: [
            .point, .sort, .numbers, .all,
            Option("events", help: "Print events as they happen: one line each, with --json one object each"),
        ], positionals: [.widget(isOptional: true, isRepeating: true)],
        exclusiveOptions: [
            ["json", "numbers"], ["events", "point"], ["events", "sort"], ["events", "numbers"], ["events", "all"],
        ],
        examples: [
            .init("todayctl watch", "The Today view."),
            .init("todayctl watch disk load", "Two widgets, even if they are hidden."),
            .init("todayctl watch --events", "Runs, changes and content, until Ctrl-C."),
        ])

    private let view: ViewRequest
    private var showsEvents = false

    package init(_ arguments: ParsedArguments) throws {
        self.init(ViewRequest(arguments))
        showsEvents = arguments.has("events")
        if showsEvents, !view.ids.isEmpty {
            throw UsageError(commands: ["todayctl", "watch"], reason: "--events are those of all widgets: name none")
        }
    }

    package init(_ view: ViewRequest) { self.view = view }

    package func run(in context: CommandContext) throws -> ExitCode {
        if showsEvents { return try EventLines.run(in: context) }
        let isOnScreen = context.output.isLive && !context.output.isJSON
        return isOnScreen ? try WatchLoop(view, in: context).run() : try LiveShow(view, in: context).run()
    }
}

/// The widgets on a page, and the positions of their cards.
struct WatchPage {
    let items: [Item]
    let grid: CardGrid

    init(_ items: [Item], _ state: WatchState, _ cards: inout CardCache) {
        self.items = items
        let columns =
            state.isViewEdited
            ? CardColumns(oneFor: items, in: state.presentation.width)
            : CardColumns(for: items, in: state.presentation.width)
        let drawn = items.map { cards.lines(state.card($0), width: columns.width) }
        grid = CardGrid(drawn, in: columns, areSeparated: !state.isViewEdited)
    }
}

/// The lines of the last drawn cards.
struct CardCache {
    private struct Entry {
        let freshness: String
        let isSelected: Bool
        let width: Int
        let lines: [StyledLine]
    }

    private var entries: [WidgetID: Entry] = [:]

    mutating func clear() { entries = [:] }

    mutating func remove(_ id: WidgetID) { entries[id] = nil }

    mutating func lines(_ card: Card, width: Int) -> [StyledLine] {
        let freshness = card.item.freshnessOfCard(at: card.presentation.now)
        if let known = entries[card.item.id],
            (known.freshness, known.isSelected, known.width) == (freshness, card.isSelected, width)
        {
            return known.lines
        }
        let lines = card.lines(width: width)
        entries[card.item.id] = Entry(
            freshness: freshness, isSelected: card.isSelected, width: width, lines: lines)
        return lines
    }
}

/// `todayctl watch --events`: prints the events of the daemon, one per line, until the user ends it.
enum EventLines {
    static func run(in context: CommandContext) throws -> ExitCode {
        let output = context.output
        try context.service.stream(ServiceCall("Monitor")) { reply in
            if output.isJSON {
                for event in try reply.member("events", [JSON].self) { try output.printLine(event) }
            } else {
                let presentation = output.presentation
                var lines: [StyledLine] = []
                for event in try reply.member("events", [Event].self) {
                    lines.append(line(event, clock: ClockTime(event.time), presentation))
                }
                if let lost = reply["lost"]?.intValue, lost > 0 {
                    lines.append(presentation.line("(\(lost) events were not read in time)", .meaning(.warning)))
                }
                try output.print(lines)
            }
            return true
        }
        return .ok
    }

    static func line(_ event: Event, clock: ClockTime, _ presentation: Presentation) -> StyledLine {
        var line = presentation.line("\(clock)  ", .dim)
        let isTrouble = event.kind == .storage
        line.append(presentation.printable(event.kind.rawValue.padded(10)), isTrouble ? .meaning(.warning) : .plain)
        if let id = event.id { line.append(presentation.printable("\(id)  "), .bold) }
        line.append(presentation.printable(event.text))
        return line
    }
}

extension String {
    fileprivate func padded(_ width: Int) -> String {
        self + String(repeating: " ", count: Swift.max(0, width - count))
    }
}
