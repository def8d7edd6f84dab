// SPDX-License-Identifier: MIT

/// Says what is wrong with the arguments and where to read more.
package struct UsageError: Error, Equatable, CustomStringConvertible {
    /// The program and the subcommands that were understood before the mistake.
    package let commands: [String]
    package let reason: String

    package init(commands: [String], reason: String) {
        self.commands = commands
        self.reason = reason
    }

    package var description: String {
        let typed = commands.joined(separator: " ")
        return "\(commands.first ?? ""): \(reason)\nTry '\(typed) --help'."
    }
}
