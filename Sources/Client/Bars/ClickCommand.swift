// SPDX-License-Identifier: MIT

import Arguments
import Console
import JSON
import Link
import TodayModel

/// Does what a click on a widget in a bar means, for bars that start a program for each click.
package struct ClickCommand: ControlCommand {
    package static let command = Command(
        "click", summary: "do what a click on a widget in a bar does",
        description: """
            The left button presses or opens what the widget offers; if it offers several things, it shows them as a \
            menu, with fuzzel, wofi, tofi, bemenu, rofi or dmenu. The right button shows more or less of the widget. \
            The middle button updates it. The wheel shows another summary of the widget, in all bars. A program for \
            i3blocks that handles clicks gets all of them. Bars start this command; 'todayctl bar i3bar' receives its \
            clicks itself.
            """,
        options: [
            Option(
                "do", value: "DEED", choices: ClickDeed.allCases.map(\.rawValue),
                help: "Do this, whatever the button means"),
            .noOpen,
        ],
        positionals: [
            .widget(),
            Positional(
                "BUTTON", isOptional: true, choices: ClickChoices.names,
                help: "The mouse button: left, the default, or another one"),
        ],
        examples: [
            .init("todayctl click disk", "What the left button does, for 'on-click' of Waybar."),
            .init("todayctl click disk middle", "Updates the widget."),
        ], isHidden: true)

    let id: String
    let button: Int
    let deed: ClickDeed?
    private let opens: Bool

    package init(_ arguments: ParsedArguments) {
        id = arguments.word("ID")
        button = arguments.positional("BUTTON").flatMap(ClickChoices.button) ?? 1
        deed = arguments.value("do").flatMap { ClickDeed(rawValue: $0) }
        opens = !arguments.has(Option.noOpen.long)
    }

    package func run(in context: CommandContext) throws -> ExitCode {
        let item = try context.item(id)
        let touch = TargetTouch(opens: opens, context)
        let id = item.id.text
        var effect = ClickEffect(deed ?? ClickChoices.standard.deed(for: button, of: item), button: button, of: item)
        let picker = MenuPicker(context.environment)
        if effect == .menu, picker == nil { effect = ClickEffect.toggled(item) }
        switch effect {
        case .menu:
            guard let target = try picker.flatMap({ try WidgetMenu(item).choose($0.ask) }) else { return .ok }
            return try touch.perform(target, of: item)
        case .action(let action): return try touch.press(action, of: id)
        case .touch(let target): return try touch.perform(target, of: item)
        case .update: return try touch.update(id)
        case .mode(let mode):
            let reply = try context.service.call(.setting(mode, of: id))
            if context.output.isJSON { try context.output.print(.object(reply)) }
            return .ok
        case .page(let turn):
            if PageTurnSocket.send(turn, in: context.environment) > 0 { return .ok }
            context.output.note("no 'todayctl bar' of yours runs that could show another summary")
            return .no
        case .nothing:
            context.output.note("\(id) has nothing for this button")
            return .no
        }
    }
}
