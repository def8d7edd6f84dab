// SPDX-License-Identifier: MIT
import JSON

/// How a host executes a command of a widget's items: in which directory, and with which variables besides its own.
package struct CommandLaunch: Hashable, Sendable {
    package var directory: String
    package var environment: [String: String]

    package init(directory: String, environment: [String: String]) {
        self.directory = directory
        self.environment = environment
    }

    package init(_ field: JSONField) throws(JSONMismatch) {
        directory = try field.required("directory").string()
        environment = [:]
        for (name, value) in try field.required("environment").members() { environment[name] = try value.string() }
    }

    package var json: JSONObject {
        var variables: JSONObject = [:]
        for (name, value) in environment { variables[name] = .string(value) }
        return ["directory": .string(directory), "environment": .object(variables)]
    }
}

extension Content {
    /// Whether one of its items has this command. The daemon prepares no other command of the widget.
    package func offers(_ words: [String]) -> Bool {
        (compact?.offers(words) ?? false) || (expanded?.offers(words) ?? false)
    }
}

extension View {
    fileprivate func offers(_ words: [String]) -> Bool {
        if case .item(let item) = self, !item.isDisabled, let command = item.command,
            command.arguments.elementsEqual(words, by: { $0.isSpelled(as: $1) })
        {
            return true
        }
        return children.contains { $0.offers(words) }
    }
}
