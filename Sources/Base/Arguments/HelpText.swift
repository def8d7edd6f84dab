// SPDX-License-Identifier: MIT

extension Command {
    /// The help text of the command at `path` below this one, wrapped to `width` columns (40 to 100).
    package func help(for path: [String] = [], width: Int = 80) -> String {
        let lineage = lineage(of: path)
        return HelpText(lineage: lineage, width: min(max(width, 40), 100)).text
    }
}

/// The help text of one command.
private struct HelpText {
    let lineage: [Command]
    let width: Int

    private var command: Command { lineage[lineage.count - 1] }
    private var typed: String { lineage.map(\.name).joined(separator: " ") }

    var text: String {
        var blocks = ["\(typed) - \(command.summary)", usage]
        if !command.description.isEmpty {
            blocks += paragraphs(command.description).map { wrap($0, indent: 0) }
        }
        blocks.append(commands)
        blocks.append(
            section("Arguments", rows: command.positionals.map { ($0.name, explanation($0.help, $0.choices)) }))
        blocks.append(section("Options", rows: (command.options + [.help]).map(row)))
        let inherited = lineage.dropLast().flatMap(\.options)
        blocks.append(section("Options of every command", rows: inherited.map(row)))
        blocks.append(examples)
        return blocks.filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
    }

    private var commands: String {
        let rows = command.subcommands.filter { !$0.isHidden }.map { ($0.name, $0.summary) }
        if command.groups.isEmpty { return section("Commands", rows: rows) }
        let widest = rows.map(\.0.count).max() ?? 0
        return command.groups.map { group in
            let shown = group.names.compactMap { name in rows.first { $0.0 == name } }
            return section(group.title, rows: shown, widest: widest)
        }.joined(separator: "\n")
    }

    private var usage: String {
        var words = ["Usage:", typed, "[OPTION...]"]
        if !command.subcommands.isEmpty {
            words.append(command.subcommandIsOptional ? "[COMMAND]" : "COMMAND")
        }
        words += command.positionals.map(\.usage)
        return words.joined(separator: " ")
    }

    private var examples: String {
        if command.examples.isEmpty { return "" }
        let lines = command.examples.map { "  \($0.line)\n" + wrap($0.meaning, indent: 6) }
        return "Examples:\n" + lines.joined(separator: "\n")
    }

    private func row(_ option: Option) -> (String, String) {
        let short = option.short.map { "-\($0), " } ?? "    "
        let value = option.valueName.map { " \($0)" } ?? ""
        return ("\(short)--\(option.long)\(value)", explanation(option.help, option.choices))
    }

    private func explanation(_ help: String, _ choices: [String]) -> String {
        choices.isEmpty ? help : "\(help) (\(choices.joined(separator: ", ")))"
    }

    private func section(_ title: String, rows: [(term: String, help: String)], widest common: Int = 0) -> String {
        if rows.isEmpty { return "" }
        // A term longer than a third of the line gets its own line, so that the explanations keep their width.
        let widest = max(common, rows.map(\.term.count).filter { $0 <= width / 3 }.max() ?? 0)
        let indent = widest + 4
        let lines = rows.map { row -> String in
            let help = wrap(row.help, indent: indent)
            if row.term.count > widest { return "  \(row.term)\n\(help)" }
            let padding = String(repeating: " ", count: indent - 2 - row.term.count)
            return "  \(row.term)\(padding)\(help.dropFirst(indent))"
        }
        return "\(title):\n" + lines.joined(separator: "\n")
    }

    private func paragraphs(_ text: String) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).split(separator: "").map {
            $0.joined(separator: " ")
        }
    }

    private func wrap(_ text: String, indent: Int) -> String {
        let margin = String(repeating: " ", count: indent)
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if !line.isEmpty, indent + line.count + 1 + word.count > width {
                lines.append(margin + line)
                line = ""
            }
            line += line.isEmpty ? "\(word)" : " \(word)"
        }
        lines.append(margin + line)
        return lines.joined(separator: "\n")
    }
}
