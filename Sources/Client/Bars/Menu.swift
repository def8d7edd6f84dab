// SPDX-License-Identifier: MIT

import Arguments
import Console
import Glibc
import Link
import Rendering
import TodayModel

/// Shows what a widget offers as a menu, and does what is chosen.
package struct Menu: ControlCommand {
    package static let command = Command(
        "menu", summary: "choose among all that a widget offers",
        description: """
            The items of the widget with their submenus, its buttons and its links, in a window of fuzzel, wofi, tofi, bemenu, \
            rofi or dmenu, whichever is installed; in a terminal they have numbers. What is chosen is done as by 'todayctl \
            perform'. A click in a bar does this where a widget offers several things.
            """,
        options: [
            Option(
                "with", value: "PROGRAM", completion: .files,
                help: "Let this program choose: it reads lines and prints one, as dmenu does"),
            .noOpen, .locked,
        ],
        positionals: [.widget(.pressable)],
        examples: [.init("todayctl menu --with 'rofi' github", "Also from a key of the window manager.")])

    let id: String
    let program: String?
    private let opens: Bool
    private let isLocked: Bool

    package init(_ arguments: ParsedArguments) {
        id = arguments.word("ID")
        program = arguments.value("with")
        opens = !arguments.has(Option.noOpen.long)
        isLocked = arguments.has(Option.locked.long)
    }

    package func run(in context: CommandContext) throws -> ExitCode {
        let item = try context.item(id)
        guard let target = try WidgetMenu(item).choose(try asking(in: context)) else { return .no }
        return try TargetTouch(opens: opens, isLocked: isLocked, context).perform(target, of: item)
    }

    private func asking(in context: CommandContext) throws -> (String, [String]) throws -> String? {
        if let program { return try MenuPicker(named: program, in: context.environment).ask }
        if isatty(STDIN_FILENO) == 1, isatty(context.output.descriptor) == 1 {
            return { name, lines in try Self.askHere(name, lines, context.output) }
        }
        if let picker = MenuPicker(context.environment) { return picker.ask }
        throw ClientError(
            "there is neither a terminal nor one of fuzzel, wofi, tofi, bemenu, rofi and dmenu to show a menu; --with names another"
        )
    }

    /// Numbers, of which the user types one.
    private static func askHere(_ name: String, _ lines: [String], _ output: CommandOutput) throws -> String? {
        let presentation = output.presentation
        let width = "\(lines.count)".count
        try output.print(
            [presentation.line(name, .bold)]
                + lines.enumerated().map { index, text in
                    var line = presentation.line("\(index + 1)").padded(width, .trailing)
                    line.append(presentation.line("  \(text)"))
                    return line
                })
        while true {
            output.prompt("number (Enter for none): ")
            guard let typed = readLine(), !typed.isEmpty else { return nil }
            if let number = Int(typed), lines.indices.contains(number - 1) { return lines[number - 1] }
            output.prompt("there is no \(typed.prefix(20).filter(\.isASCII)): 1 to \(lines.count)\n")
        }
    }
}
