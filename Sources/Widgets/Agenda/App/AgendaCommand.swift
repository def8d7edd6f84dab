// SPDX-License-Identifier: MIT
import AgendaStore
import Arguments
import Platform

/// What the user has asked for.
enum AgendaCommand: Hashable {
    case add(title: String, due: CivilDay)
    case list(all: Bool, isJSON: Bool)
    case done(Int)
    case remove(Int)
    case refresh

    init(_ arguments: ParsedArguments, today: CivilDay) throws {
        switch arguments.path.first {
        case "add":
            self = .add(
                title: try AgendaTitle.checked(arguments.positionals("TITLE").joined(separator: " ")),
                due: try Self.day(arguments.value("due") ?? "today", today: today))
        case "done": self = .done(try Self.number(arguments))
        case "remove": self = .remove(try Self.number(arguments))
        case "refresh": self = .refresh
        default: self = .list(all: arguments.has("all"), isJSON: arguments.has("json"))
        }
    }

    private static func day(_ text: String, today: CivilDay) throws(UsageError) -> CivilDay {
        switch text {
        case "today": return today
        case "tomorrow": return CivilDay(number: today.number + 1)
        default:
            if let day = CivilDay(text) { return day }
            throw UsageError(
                commands: ["agenda", "add"],
                reason: "--due: '\(text)' is not a day; write it as 2026-11-21, today or tomorrow")
        }
    }

    private static func number(_ arguments: ParsedArguments) throws(UsageError) -> Int {
        let text = arguments.positional("N") ?? ""
        if let number = Int(text), number > 0 { return number }
        throw UsageError(
            commands: ["agenda"] + arguments.path,
            reason: "'\(text)' is not the number of an item; 'agenda list' shows them")
    }
}

// MARK: - The command line

extension Agenda {
    static let command = Command(
        "agenda", summary: "what is to be done, and by which day",
        description: """
            Without a command it lists what is still to be done. The widget org.todayd.agenda shows what is due today or \
            overdue, with a button for each item that marks it done. The widget shows a later item from the midnight of \
            its day on; no program has to run then. App and widget use one database, agenda.sqlite in the directory of the \
            app group group.org.todayd.agenda.

            With nothing to do at all the widget hides itself, and todayd does not launch it. 'agenda add' shows it again. \
            After another program has changed the database, 'agenda refresh' lets the widget look again, and shows it if something is to be done.

            Exit status: 0 success, 1 no such item, 2 wrong usage, 3 the database cannot be used, 4 the database cannot be \
            written or was locked all the time, 5 any other error, 6 the agenda is changed, but todayd refuses or fails to \
            tell the widget. It is not an error if todayd does not run: it tells the widget when it starts.
            """,
        options: [
            Option("verbose", short: "v", help: "Say where the database is, and what todayd is not told and why")
        ],
        subcommands: [add, list, done, remove, refresh], subcommandIsOptional: true,
        examples: [
            .init("agenda add \"Call Ada\" --due 2026-11-21", "It is due on that day."),
            .init("agenda done 3", "As the button in the widget does."),
            .init("agenda list --all --json", "Everything, for another program."),
        ])

    private static let number = Positional("N", help: "The number of the item, from 'agenda list'")

    private static let add = Command(
        "add", summary: "add an item",
        options: [
            Option("due", value: "DAY", help: "The day as 2026-11-21, or today or tomorrow; today unless given")
        ],
        positionals: [Positional("TITLE", isRepeating: true, help: "What is to be done, in one line")])

    private static let list = Command(
        "list", summary: "list the items in the order of their days",
        options: [
            Option("all", short: "a", help: "Also list the items that are done"),
            Option("json", short: "j", help: "Print JSON"),
        ])

    private static let done = Command("done", summary: "mark an item done", positionals: [number])
    private static let remove = Command("remove", summary: "remove an item for good", positionals: [number])
    private static let refresh = Command(
        "refresh", summary: "show the widget if there is anything to do, and let it look again; prints nothing")
}
