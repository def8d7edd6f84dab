// SPDX-License-Identifier: MIT

import Arguments
import Console
import JSON
import Link

/// The defaults of an app group, which its widgets and its app share. The subcommands are those of macOS's defaults(1).
struct Defaults: ControlCommand {
    static let command = Command(
        "defaults", summary: "read and write the defaults of an app group",
        description: "Values are JSON; what is no JSON is taken for a string, so quotes are seldom needed.",
        subcommands: [
            Command(
                "read", summary: "print one value or all", positionals: [.group, .key(isOptional: true)],
                examples: [
                    .init("todayctl defaults read group.org.example.btc currency", "Exits with 1 if there is none.")
                ]
            ),
            Command(
                "write", summary: "set a value",
                options: [Option("string", short: "s", help: "Take the value for a string, whatever it looks like")],
                positionals: [.group, .key(), Positional("VALUE", help: "The value, as JSON or as it is")]),
            Command("delete", summary: "remove a value", positionals: [.group, .key()]),
        ])

    enum Work: Equatable {
        case read(key: String?)
        case change
    }

    let work: Work
    let call: ServiceCall

    init(_ arguments: ParsedArguments) {
        let group = arguments.word("GROUP")
        let key = arguments.positional("KEY")
        guard let key, arguments.path.last != "read" else {
            work = .read(key: key)
            call = ServiceCall("GetDefaults", ["group": .string(group)])
            return
        }
        work = .change
        let value = arguments.positional("VALUE").map { Self.value($0, isString: arguments.has("string")) }
        var parameters: JSONObject = ["group": .string(group), "key": .string(key)]
        // Varlink has no type for any JSON value, so a value travels inside an object.
        parameters["value"] = value.map { ["value": $0] }
        call = ServiceCall("SetDefaults", parameters)
    }

    /// The value that a word on the command line means.
    static func value(_ text: String, isString: Bool) -> JSON {
        if isString { return .string(text) }
        return (try? JSON.parse(Array(text.utf8))) ?? .string(text)
    }

    func run(in context: CommandContext) throws -> ExitCode {
        let reply = try context.service.call(call)
        guard case .read(let key) = work else {
            if context.output.isJSON { try context.output.print(.object(reply)) }
            return .ok
        }
        let values = Self.values(reply)
        if let key {
            guard let value = values[key] else { return .no }
            try printValue(value, in: context)
        } else if context.output.isJSON {
            try context.output.print(.object(values))
        } else {
            for (key, value) in values { try context.output.print("\(key) = \(value.text)") }
        }
        return .ok
    }

    /// Prints a string as it is, and any other value as JSON.
    private func printValue(_ value: JSON, in context: CommandContext) throws {
        if !context.output.isJSON, let text = value.stringValue {
            try context.output.printUnchanged(text)
        } else {
            try context.output.printLine(value)
        }
    }

    /// The values of a reply, without the objects in which they travel.
    static func values(_ reply: JSONObject) -> JSONObject {
        var values: JSONObject = [:]
        for (key, box) in reply["values"]?.objectValue ?? [:] { values[key] = box["value"] ?? box }
        return values
    }
}

extension Positional {
    fileprivate static let group = Positional("GROUP", help: "The app group, as in AppGroups= of a manifest")

    fileprivate static func key(isOptional: Bool = false) -> Positional {
        Positional("KEY", isOptional: isOptional, help: "The name of the value")
    }
}
