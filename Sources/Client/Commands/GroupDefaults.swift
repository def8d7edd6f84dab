// SPDX-License-Identifier: MIT

import Arguments
import Console
import JSON
import Link

/// `todayctl config --group`: the defaults of an app group, which its widgets and its app share.
struct GroupDefaults {
    enum Work {
        case readAll
        case read(String)
        /// Nil removes the value.
        case write([(key: String, value: JSON?)])
    }

    let group: String
    let work: Work

    /// - Parameters:
    ///   - words: `KEY=VALUE`, or one KEY.
    ///   - unset: the keys to remove.
    ///   - isString: whether values are strings, whatever they look like.
    init(_ group: String, _ words: [String], unset: [String], isString: Bool) throws(UsageError) {
        self.group = group
        if words.isEmpty, unset.isEmpty {
            work = .readAll
        } else if words.count == 1, unset.isEmpty, words[0].assignment == nil {
            work = .read(words[0])
        } else {
            var changes = unset.map { (key: $0, value: JSON?.none) }
            for word in words {
                guard let (key, text) = word.assignment else {
                    throw UsageError(
                        commands: ["todayctl", "config"],
                        reason: "'\(word)' is not KEY=VALUE; one KEY alone prints its value")
                }
                changes.append((key, Self.value(text, isString: isString)))
            }
            work = .write(changes)
        }
    }

    /// The value that a word on the command line means.
    static func value(_ text: String, isString: Bool) -> JSON {
        if isString { return .string(text) }
        return (try? JSON.parse(Array(text.utf8))) ?? .string(text)
    }

    /// The calls that it makes.
    var calls: [ServiceCall] {
        switch work {
        case .readAll, .read: [ServiceCall("GetDefaults", ["group": .string(group)])]
        case .write(let changes):
            changes.map { key, value in
                var parameters: JSONObject = ["group": .string(group), "key": .string(key)]
                // Varlink has no type for arbitrary JSON, so a value travels inside an object.
                parameters["value"] = value.map { ["value": $0] }
                return ServiceCall("SetDefaults", parameters)
            }
        }
    }

    func run(in context: CommandContext) throws -> ExitCode {
        var replies: [JSONObject] = []
        for call in calls { replies.append(try context.service.call(call)) }
        let values = Self.values(replies.first ?? [:])
        switch work {
        case .write:
            if context.output.isJSON { for reply in replies { try context.output.print(.object(reply)) } }
        case .read(let key):
            guard let value = values[key] else { return .no }
            try printValue(value, in: context)
        case .readAll where context.output.isJSON: try context.output.print(.object(values))
        case .readAll: for (key, value) in values { try context.output.print("\(key) = \(value.text)") }
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

    /// The values of a reply, taken out of the objects in which they travel.
    private static func values(_ reply: JSONObject) -> JSONObject {
        var values: JSONObject = [:]
        for (key, box) in reply["values"]?.objectValue ?? [:] { values[key] = box["value"] ?? box }
        return values
    }
}
