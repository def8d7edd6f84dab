// SPDX-License-Identifier: MIT

import Arguments
import Console
import Glibc
import JSON
import Link
import Platform
import Rendering
import Spelling
import TodayModel

/// Prints one value of a widget, for scripts, or the history of one of its numbers.
struct Get: ControlCommand {
    static let command = Command(
        "get", summary: "print one value of a widget, or the history of a number",
        description: """
            Without NAME it prints all current values of the widget, with their names. metrics.NAME is a number of its \
            content; history.NAME has the last values of this number, and history.percentage those of the percentage: \
            one per line with its date, the oldest first. metrics and history alone print the available names. age is \
            a number of seconds; freshness is what cards show: the age in words, with 'stale' or 'failing' before it \
            if that applies. image.NAME is a picture as a PNG file, image.1 the first one, and image lists the names; \
            the same picture always has the same name. For has-content, the exit status is 1 if it is false.

            A date has the form of RFC 3339; with --json it is a number of microseconds since 1970, and a history is an \
            array. The exit status is 1 if the widget has no such value now.
            """,
        positionals: [
            .widget(),
            Positional(
                "NAME", isOptional: true, completion: CompletionKind.facts.completion,
                help: "The value, such as text, state, percentage or history.percentage"),
        ],
        examples: [
            .init("todayctl get disk percentage", "62"),
            .init("todayctl get disk freshness", "stale, 12 min"),
            .init("todayctl -q get disk has-content || echo hidden", "By the exit status only."),
            .init("todayctl get weather image.1 > icon.png", "The first picture of the widget."),
            .init("todayctl get load history.load1 | tail -n 60", "The last sixty values with their dates."),
        ])

    /// The prefixes of names of numbers and pictures. A prefix alone asks for the names.
    private static let kinds = [WidgetFacts.metrics, WidgetFacts.history, WidgetFacts.image]

    let id: String
    let name: String?

    init(_ arguments: ParsedArguments) throws {
        id = arguments.word("ID")
        name = arguments.positional("NAME").map { WidgetFacts.synonyms[$0] ?? $0 }
        guard let name, !WidgetFacts.names.contains(name), name != WidgetFacts.hasContent,
            !Self.kinds.contains(where: { name.hasPrefix($0) || name + "." == $0 })
        else { return }
        let names =
            WidgetFacts.names + [WidgetFacts.hasContent] + Self.kinds.flatMap { [$0 + "NAME", String($0.dropLast())] }
        let all = names.joined(separator: ", ")
        let hint =
            nearestName(to: name, among: names).map { "did you mean \($0)? There are \(all)" } ?? "there are \(all)"
        throw UsageError(commands: ["todayctl", "get"], reason: "no value has the name '\(name)'; \(hint)")
    }

    func run(in context: CommandContext) throws -> ExitCode {
        guard let name else { return try printAll(in: context) }
        if name == WidgetFacts.hasContent { return try printHasContent(in: context) }
        if let kind = Self.kinds.first(where: { name == $0 || name + "." == $0 }) {
            return try printNames(of: kind, in: context)
        }
        if name.hasPrefix(WidgetFacts.history) {
            return try printHistory(String(name.dropFirst(WidgetFacts.history.count)), in: context)
        }
        if name.hasPrefix(WidgetFacts.image) {
            return try printImage(String(name.dropFirst(WidgetFacts.image.count)), in: context)
        }
        let facts = WidgetFacts(try context.item(id))
        guard let value = facts[name] else {
            return no(name, among: facts.present.filter { $0.hasPrefix(WidgetFacts.metrics) }, in: context)
        }
        if context.output.isJSON {
            try context.output.printLine(value)
        } else {
            try context.output.printUnchanged(WidgetFacts.text(value, of: name))
        }
        return .ok
    }

    private func printAll(in context: CommandContext) throws -> ExitCode {
        let item = try context.item(id)
        let facts = WidgetFacts(item, try context.history(of: item.id.text))
        let output = context.output
        guard !output.isJSON else {
            var histories: [(String, JSON)] = []
            // Only a reply for one number contains all of its values.
            for one in facts.series {
                let whole = try context.history(of: item.id.text, one.name).first
                histories.append((WidgetFacts.history + one.name, (whole ?? one).series.json))
            }
            try output.print(.object(JSONObject(facts.values.map { ($0.name, $0.value) } + histories)))
            return .ok
        }
        var table = Table([.init("NAME"), .init("VALUE", elastic: true)])
        for (name, value) in facts.values {
            let text = PlainText.line(WidgetFacts.text(value, of: name))
            table.append([output.listing.line(name), output.listing.line(text)])
        }
        for one in facts.series {
            let last = one.series.samples.last.map { ", the last \(Setting.text(of: $0.value))" } ?? ""
            table.append([
                output.listing.line(WidgetFacts.history + one.name),
                output.listing.line(one.count.counted("value") + last),
            ])
        }
        try output.print(table.lines(output.listing))
        return .ok
    }

    /// Prints the names with which another call asks for the values.
    private func printNames(of kind: String, in context: CommandContext) throws -> ExitCode {
        let names =
            switch kind {
            case WidgetFacts.history: try context.history(of: id, last: 0).map { kind + $0.name }
            case WidgetFacts.image: (try context.item(id).content?.pictureNames ?? []).map { kind + $0 }
            default: WidgetFacts(try context.item(id)).present.filter { $0.hasPrefix(kind) }
            }
        guard !names.isEmpty else {
            let reason = kind == WidgetFacts.image ? "it shows no picture" : "its content has no numbers"
            context.output.note("\(id) has no \(kind.dropLast()): \(reason)")
            return .no
        }
        if context.output.isJSON {
            try context.output.printLine(JSON(names))
        } else {
            try context.output.write(names.reduce(into: "") { $0 += "\(PlainText.line($1))\n" })
        }
        return .ok
    }

    private func printHasContent(in context: CommandContext) throws -> ExitCode {
        let reply = try context.service.call(ServiceCall("HasContent", ["id": .string(id)]))
        let hasContent = try context.service.translated { try reply.member("hasContent", Bool.self) }
        if !context.output.isQuiet { try context.output.print("\(hasContent)") }
        return hasContent ? .ok : .no
    }

    /// - Parameter name: the name of a picture, or its number.
    private func printImage(_ name: String, in context: CommandContext) throws -> ExitCode {
        let item = try context.item(id)
        let names = item.content?.pictureNames ?? []
        guard
            let known = Int(name).flatMap({ names.indices.contains($0 - 1) ? names[$0 - 1] : nil })
                ?? names.first(where: { $0 == name })
        else { return no(WidgetFacts.image + name, among: names.map { WidgetFacts.image + $0 }, in: context) }
        let reply = try context.service.call(
            ServiceCall("Picture", ["id": .string(item.id.text), "image": .string(known)]))
        let output = context.output
        if output.isJSON {
            try output.printLine(reply["png"] ?? .null)
            return .ok
        }
        guard let bytes = reply["png"]?.stringValue.flatMap(Base64.decode) else {
            throw ClientError("todayd sent no picture")
        }
        if isatty(output.descriptor) == 1 {
            throw ClientError("a PNG file of \(bytes.count) bytes is not for a terminal: redirect it, '> FILE.png'")
        }
        try output.write(bytes)
        return .ok
    }

    private func printHistory(_ name: String, in context: CommandContext) throws -> ExitCode {
        guard let series = try context.history(of: id, name).first?.series else {
            let names = try context.history(of: id, last: 0).map { WidgetFacts.history + $0.name }
            return no(WidgetFacts.history + name, among: names, in: context)
        }
        if context.output.isJSON {
            try context.output.printLine(series.json)
        } else {
            try context.output.write(
                series.samples.reduce(into: "") { $0 += "\($1.date.rfc3339)  \(Setting.text(of: $1.value))\n" })
        }
        return .ok
    }

    /// Reports that the widget has no such value now, and names those of its kind that it has.
    private func no(_ name: String, among names: [String], in context: CommandContext) -> ExitCode {
        let isNumber = Self.kinds.contains(where: name.hasPrefix)
        let hint =
            if !isNumber {
                ""
            } else if let nearest = nearestName(to: name, among: names) {
                "; did you mean \(nearest)?"
            } else {
                names.isEmpty ? "" : "; it has \(names.joined(separator: ", "))"
            }
        context.output.note("\(id) has no \(name) now\(hint)")
        return .no
    }
}

extension CommandContext {
    /// The history of one of a widget's numbers, or the last value of each.
    func history(of id: String, _ name: String? = nil, last: Int? = nil) throws -> [SeriesReply] {
        var parameters: JSONObject = ["id": .string(id)]
        parameters["name"] = name.map(JSON.string)
        parameters["last"] = last.map { JSON($0) }
        let reply = try service.call(ServiceCall("History", parameters))
        return try service.translated { try reply.member("series") }
    }
}
