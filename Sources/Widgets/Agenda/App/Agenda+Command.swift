// SPDX-License-Identifier: MIT
import Arguments

extension Agenda {
    static let command = Command(
        "agenda", summary: "what is to be done, and by which day",
        description: """
            Without a command it lists what is still to be done. The widget org.todayd.agenda shows what is due today or \
            overdue, with a button for each that marks it done; with nothing due it hides itself, and 'agenda add' shows \
            it again. Both use one database, agenda.sqlite in the directory of the app group group.org.todayd.agenda.

            What is due later the widget shows from the midnight of its day on, with no program running then. With nothing \
            to do at all it is hidden and not launched; 'agenda refresh' lets it look again, as after a change of the \
            database by other means.

            Exit status: 0 success, 1 no such item, 2 wrong usage, 3 the database cannot be used, 4 it cannot be written \
            or has been locked all the time, 5 any other error, 6 the agenda is changed, but todayd refuses or fails to \
            tell the widget. That no todayd runs is no error: it is told when it starts.
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
        "list", summary: "list the items, what is due first first",
        options: [
            Option("all", short: "a", help: "Those that are done, too"),
            Option("json", short: "j", help: "Print JSON"),
        ])

    private static let done = Command("done", summary: "mark an item done", positionals: [number])
    private static let remove = Command("remove", summary: "remove an item for good", positionals: [number])
    private static let refresh = Command(
        "refresh", summary: "show the widget if there is anything to do, and let it look again; prints nothing")
}
