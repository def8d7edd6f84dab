// SPDX-License-Identifier: MIT

import Arguments
import Console
import Files
import Link
import Rendering
import Spelling
import TodayModel

/// The widgets for a bar: a process that stays, and writes an update in the bar's protocol whenever something changes.
package struct Bar: ControlCommand {
    package static let command = Command(
        "bar", summary: "keep a bar up to date",
        description: """
            Writes a line whenever something changes, in the protocol of KIND: the widgets for status bars, or those \
            that you name. Stale and failing content says so, with its age. While todayd does not answer, everything \
            is stale and the command waits; it ends when the bar closes the pipe. Every monitor can have its own bar: \
            the widgets still run once.

            waybar is one JSON object per line, i3bar the protocol of i3bar and swaybar with clicks, polybar a line \
            with tags for clicks, tmux a line for '#(...)', yambar its tags, key the plain text, and json one object \
            per line for programmable shells. Xfce's genmon starts its command anew each time, so for genmon it prints \
            once and exits.

            The left mouse button presses or opens, the middle button updates, the right button shows more or less, \
            and the wheel shows other summaries of the widget.
            """,
        options: [
            .point,
            Option(
                "click", short: "c", value: "BUTTON=DEED",
                help: "What a button does: left, middle, right, up, down; press, update, toggle, next, previous, none"),
            Option(
                "turn", value: "TIME", help: "Show the summaries of each widget in turn, each for TIME, such as 5s"),
            Option(
                "no-icon", help: "Leave out the icons, labels and formats of the widgets, if the bar has its own"),
            Option("print-config", help: "Print the lines for the configuration of the bar, and exit"),
        ],
        positionals: [
            Positional("KIND", choices: BarKind.allCases.map(\.rawValue), help: "The bar, or the form"),
            .widget(isOptional: true, isRepeating: true),
        ],
        examples: [
            .init("todayctl bar --print-config waybar disk load", "Two modules for Waybar, to paste."),
            .init("todayctl bar i3bar", "For 'status_command' of sway and i3."),
            .init("todayctl bar i3bar -c right=update", "The right button updates the widget."),
        ])

    /// The columns of the card in a tooltip.
    static let tooltipWidth = 60

    let kind: BarKind
    let ids: [String]
    let point: ExtensionPoint?
    let choices: ClickChoices
    /// How long each summary is shown; nil shows the first one.
    let turnInterval: TimeSpan?
    let hasSymbols: Bool
    /// The options that choose the daemon, for other processes of todayctl.
    let daemonOptions: [String]
    private let printsConfiguration: Bool

    package init(_ arguments: ParsedArguments) throws {
        kind = BarKind(rawValue: arguments.word("KIND")) ?? .key
        ids = arguments.positionals("ID")
        point = arguments.extensionPoint
        daemonOptions =
            arguments.instanceOptions
            + (arguments.value("socket").map { ["--socket", Paths.resolved($0) ?? $0] } ?? [])
        hasSymbols = !arguments.has("no-icon")
        printsConfiguration = arguments.has("print-config")
        if arguments.has("json") {
            throw UsageError(
                commands: ["todayctl", "bar"], reason: "--json: 'todayctl bar json' prints JSON, a line each")
        }
        if ids.count > Interfaces.mostNamedWidgets {
            let reason = "at most \(Interfaces.mostNamedWidgets) widgets can be named, and these are \(ids.count)"
            throw UsageError(commands: ["todayctl", "bar"], reason: reason)
        }
        do throws(ClickChoices.Mistake) {
            choices = try ClickChoices(arguments.values("click"))
        } catch {
            throw UsageError(commands: ["todayctl", "bar"], reason: "--click: \(error.reason)")
        }
        if !kind.hasClicks, !choices.words.isEmpty {
            throw UsageError(commands: ["todayctl", "bar"], reason: "--click: there are no clicks in \(kind.rawValue)")
        }
        turnInterval = try arguments.duration("turn", of: "bar", atLeast: .seconds(1))
    }

    /// A bar without choices.
    private init(_ kind: BarKind) {
        self.kind = kind
        (ids, point, choices, turnInterval, hasSymbols) = ([], nil, .standard, nil, true)
        (daemonOptions, printsConfiguration) = ([], true)
    }

    /// The configuration for a bar that shows all widgets of status bars.
    package static func configuration(for kind: BarKind) -> String { BarConfiguration(Bar(kind), []).text }

    /// The named widgets, wherever they are shown, or those of status bars.
    var call: ServiceCall { .show(ids, at: ids.isEmpty ? point ?? .statusBar : point) }

    package func run(in context: CommandContext) throws -> ExitCode {
        guard printsConfiguration else { return try BarLoop(self, in: context).run() }
        var widgets: [Item] = []
        for id in ids { widgets.append(try context.item(id)) }
        try context.output.write(BarConfiguration(self, widgets).text)
        return .ok
    }

    /// The command of a click that may mean any of several widgets.
    func menuCommand(_ ids: [WidgetID]) -> String {
        let place = ids.isEmpty ? ["--point", (point ?? .statusBar).name] : []
        return ShellWords.text(of: ["todayctl"] + daemonOptions + ["menu"] + place + ids.map(\.text))
    }

    /// The command of a click on a widget; nil means that the click does nothing.
    func clickCommand(_ id: WidgetID, _ button: Int) -> String? {
        let deed = choices.chosenDeed(for: button)
        if deed == ClickDeed.none { return nil }
        let name = ClickChoices.buttons.first { $0.value == button }?.key ?? "\(button)"
        return ShellWords.text(
            of: ["todayctl"] + daemonOptions + ["click"] + (deed.map { ["--do", $0.rawValue] } ?? [])
                + [id.text, name])
    }
}
