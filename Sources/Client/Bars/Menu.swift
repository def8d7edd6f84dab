// SPDX-License-Identifier: MIT

import Arguments
import Console
import Glibc
import Link
import Rendering
import TodayModel

/// Shows the targets of a widget as a menu, and performs the chosen one.
package struct Menu: ControlCommand {
    package static let command = Command(
        "menu", summary: "choose among all that widgets offer",
        description: """
            Shows the items of a widget with their submenus, its buttons and its links in a window of fuzzel, wofi, \
            tofi, bemenu, rofi or dmenu, whichever is installed; in a terminal they are numbered. Your choice has the \
            same effect as with 'todayctl perform'. A click in a bar starts this command if a widget offers several \
            things. If you name several widgets or none, you choose a widget first.
            """,
        options: [
            Option(
                "with", value: "PROGRAM", completion: .files,
                help: "Use this program, which reads lines and prints one, as dmenu does"),
            .point, .noOpen, .locked,
        ],
        positionals: [.widget(.pressable, isOptional: true, isRepeating: true)],
        examples: [
            .init("todayctl menu", "First a widget, then what it offers."),
            .init("todayctl menu --with 'rofi' github", "Also from a key of the window manager."),
        ])

    private let view: ViewRequest
    let program: String?
    private let opens: Bool
    private let isLocked: Bool

    package init(_ arguments: ParsedArguments) {
        view = ViewRequest(arguments)
        program = arguments.value("with")
        opens = !arguments.has(Option.noOpen.long)
        isLocked = arguments.has(Option.locked.long)
    }

    package func run(in context: CommandContext) throws -> ExitCode {
        let reply = try context.service.call(view.call)
        let items = try context.service.translated { try reply.member("items", [Item].self) }
        if items.isEmpty { throw ClientError("there is no widget; 'todayctl setup' looks for some") }
        let ask = try asking(in: context)
        guard let item = items.count == 1 ? items[0] : try WidgetMenu.choose(among: items, ask),
            let target = try WidgetMenu(item).choose(ask)
        else { return .no }
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

    /// Prints numbers, of which the user types one.
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
