// SPDX-License-Identifier: MIT

/// What was typed, sorted by the command it was typed for.
package struct ParsedArguments: Sendable, Equatable {
    /// The names of the subcommands, outermost first; empty when the program itself was meant.
    package internal(set) var path: [String] = []
    /// `--help` was among the arguments; nothing behind it was read, nothing is missing.
    package internal(set) var isHelpRequested = false
    var options: [(long: String, value: String?)] = []
    var positionals: [(name: String, value: String)] = []

    package init() {}

    package func has(_ long: String) -> Bool {
        options.contains { $0.long == long }
    }

    /// The value of an option; the last one when it was given more than once.
    package func value(_ long: String) -> String? {
        options.last { $0.long == long }?.value
    }

    package func values(_ long: String) -> [String] {
        options.compactMap { $0.long == long ? $0.value : nil }
    }

    package func positional(_ name: String) -> String? {
        positionals.first { $0.name == name }?.value
    }

    package func positionals(_ name: String) -> [String] {
        positionals.compactMap { $0.name == name ? $0.value : nil }
    }

    package static func == (left: Self, right: Self) -> Bool {
        left.path == right.path && left.isHelpRequested == right.isHelpRequested
            && left.options.elementsEqual(right.options) { $0.long == $1.long && $0.value == $1.value }
            && left.positionals.elementsEqual(right.positionals) { $0.name == $1.name && $0.value == $1.value }
    }
}
