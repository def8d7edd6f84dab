// SPDX-License-Identifier: MIT

import Spelling

/// The identifier of a widget in reverse-DNS form, such as `org.example.btc`. It is also the file name of the manifest.
/// `org.example.weather@bern` is an instance of the template `org.example.weather@.widget`.
package struct WidgetID: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The limit keeps file names with this identifier below NAME_MAX (255 bytes).
    package static let maximumLength = 200

    package let text: String
    /// Computed once, because one run looks its widget up in a dozen tables.
    private let textHash: Int

    /// Nil unless `text` is two or more labels of ASCII letters, digits, `_` and `-`, joined by dots; an instance has one
    /// more label after an `@`. No label may be empty or begin with `-`. The identifier becomes part of file names, unit
    /// names and environment values, so it has no other characters.
    package init?(_ text: String) {
        let bytes = text.utf8
        guard bytes.count <= Self.maximumLength else { return nil }
        let parts = bytes.split(separator: UInt8(ascii: "@"), maxSplits: 1, omittingEmptySubsequences: false)
        let labels = parts[0].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard labels.count >= 2, labels.allSatisfy(Self.isLabel), parts.dropFirst().allSatisfy(Self.isLabel) else {
            return nil
        }
        self.text = text
        textHash = text.hashValue
    }

    package static func == (left: WidgetID, right: WidgetID) -> Bool {
        left.textHash == right.textHash && left.text == right.text
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(textHash) }

    private static func isLabel(_ label: String.UTF8View.SubSequence) -> Bool {
        guard let first = label.first, first != UInt8(ascii: "-") else { return false }
        return label.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"): true
            default: false
            }
        }
    }

    package var description: String { text }

    package static func < (left: WidgetID, right: WidgetID) -> Bool { left.text < right.text }

    // MARK: Instances

    /// What an instance is called: `bern`. Nil for a widget of its own.
    package var instance: Substring? { text.firstIndex(of: "@").map { text[text.index(after: $0)...] } }

    /// The identifier of the template that an instance is made from, without the `@`; nil for a widget of its own.
    package var template: WidgetID? { text.firstIndex(of: "@").flatMap { WidgetID(String(text[..<$0])) } }

    package func instance(_ name: String) -> WidgetID? { WidgetID("\(text)@\(name)") }

    /// Whether `text` is the last label or labels of this identifier, such as `disk` for `org.todayd.disk`; of an instance also
    /// without its name.
    package func hasSuffix(_ text: String) -> Bool {
        !text.isEmpty && (self.text.hasSuffix("." + text) || instance != nil && self.text.includes(".\(text)@"))
    }

    /// How the names of the directories of drop-ins end.
    package static let dropInSuffix = ".widget.d"

    /// Whether todayd has made the identifier of the name in another host: a plugin's, or of an import.
    package var isMade: Bool { text.hasPrefix(PluginName.prefix) || text.hasPrefix(Self.importPrefix) }

    package static let importPrefix = "import."
}

/// The identifier of an app group, such as `group.org.example.crypticker`. A containing app and its widgets share
/// defaults and a directory under it. It has the form of a widget's identifier and becomes the directory's name.
package struct AppGroup: Hashable, Sendable, Comparable, CustomStringConvertible {
    package let text: String

    package init?(_ text: String) {
        guard let id = WidgetID(text), id.instance == nil else { return nil }
        self.text = text
    }

    /// The end of the name of the group's environment variable (docs/environment.md): `group.org.example.app` becomes
    /// `GROUP_ORG_EXAMPLE_APP`.
    package var variableName: String {
        String(
            decoding: text.utf8.map { byte -> UInt8 in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - 0x20
                case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): byte
                default: UInt8(ascii: "_")
                }
            }, as: UTF8.self)
    }

    package var description: String { text }

    package static func < (left: AppGroup, right: AppGroup) -> Bool { left.text < right.text }
}
