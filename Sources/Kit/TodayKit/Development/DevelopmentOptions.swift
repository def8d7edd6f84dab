// SPDX-License-Identifier: MIT
import Arguments

/// What the author of a widget can ask its program for.
package struct DevelopmentOptions: Hashable, Sendable {
    package var isJSON = false
    package var isOnce = false
    package var mode = NCWidgetDisplayMode.compact
    package var width: Int?
    package var action: String?
    package var isEditing = false
    package var isPlaceholder = false
    package var manifest: String?

    package static func command(_ name: String) -> Command {
        Command(
            name, summary: "a Today widget",
            description: """
                Started by todayd, this program is a widget. Started by hand it performs one update and draws what the widget \
                shows in the terminal; it needs no daemon for that, but uses one that runs for the defaults of app groups.

                A debugger can start it like this, or attach to the process that todayd has started.
                """,
            options: [
                Option("preview", help: "Draw the widget as a host does (what happens without any option, too)"),
                Option("once", help: "The same without colours, for scripts; with --json the content itself"),
                Option("json", help: "Print the content as todayd gets it"),
                Option("mode", value: "MODE", choices: ["compact", "expanded"], help: "The display mode"),
                Option("width", value: "COLUMNS", help: "How wide, from 10 to 1000; that of the terminal unless given"),
                Option("action", value: "NAME", help: "Press the button with this action instead of an update"),
                Option(
                    "editing", help: "Begin editing instead of an update; with --action, press a button in the editor"),
                Option("placeholder", help: "Perform no update: what is shown before the first answer"),
                Option(
                    "manifest", value: "FILE",
                    help: "Whose name to show; else the one in the package, beside the program or where todayd looks"),
            ],
            positionals: [
                Positional(
                    "ARGUMENT", isOptional: true, isRepeating: true,
                    help: "After --: for the widget itself, as in ExecStart= of its manifest")
            ],
            exclusiveOptions: [
                ["preview", "once"], ["preview", "json"], ["placeholder", "action"], ["placeholder", "editing"],
            ],
            examples: [
                .init("\(name) --preview --mode expanded --width 40", "How it looks in a narrow column."),
                .init("\(name) --once --json", "What todayd gets, to look into or to compare."),
            ])
    }

    package init(_ arguments: ParsedArguments) throws(UsageError) {
        isJSON = arguments.has("json")
        isOnce = arguments.has("once") || isJSON
        mode = arguments.value("mode") == "expanded" ? .expanded : .compact
        action = arguments.value("action")
        isEditing = arguments.has("editing")
        isPlaceholder = arguments.has("placeholder")
        manifest = arguments.value("manifest")
        guard let text = arguments.value("width") else { return }
        guard let width = Int(text), (10...1_000).contains(width) else {
            throw UsageError(
                commands: [Containers.programName], reason: "--width: '\(text)' is not a number from 10 to 1000")
        }
        self.width = width
    }
}
