// SPDX-License-Identifier: MIT
import Arguments

extension GreetingApp {
    static let command = Command(
        "greeting", summary: "whom the Greeting widget greets, and how",
        description: """
            Chooses the text and the person of the widget org.todayd.greeting. The text is in the defaults of the group \
            group.org.todayd.greeting, people are in the database people.sqlite in the group's directory; the widget reads \
            both, and its button opens this program with the URL of the person.

            Exit status: 0 success, 1 no such person, 2 wrong usage, 3 the database cannot be read or changed, 4 the widget \
            cannot be told. That no todayd runs is no error: it is told when it starts.
            """,
        subcommands: [
            Command(
                "text", summary: "choose the greeting",
                positionals: [Positional("TEXT", isRepeating: true, help: "such as Good morning")]),
            Command(
                "add", summary: "add a person, who is greeted from now on",
                options: [Option("note", value: "NOTE", help: "What to remember about the person")],
                positionals: [Positional("TEXT", isRepeating: true, help: "The person's name")]),
            Command(
                "show", summary: "show a person",
                options: [Option("wait", help: "Wait for Enter before it ends, in a terminal that would close")],
                positionals: [Positional("PERSON", help: "The number, or a URL such as greeting://person/1")]),
        ],
        examples: [
            .init("greeting text Good morning", "The widget says so at once."),
            .init("greeting add Ada --note 'likes tea'", "It greets Ada."),
            .init("greeting show greeting://person/1", "As the widget's button does."),
        ])
}
