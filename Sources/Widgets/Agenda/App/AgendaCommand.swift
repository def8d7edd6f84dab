// SPDX-License-Identifier: MIT
import AgendaStore
import Arguments
import Platform

/// What was typed, understood.
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
