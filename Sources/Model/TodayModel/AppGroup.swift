// SPDX-License-Identifier: MIT

/// The name of an app group, which a containing app and its widgets share defaults and a directory under: an identifier
/// by the same rules as a widget's, such as `group.org.example.crypticker`. It becomes a directory's name.
package struct AppGroup: Hashable, Sendable, Comparable, CustomStringConvertible {
    package let text: String

    package init?(_ text: String) {
        guard WidgetID(text) != nil else { return nil }
        self.text = text
    }

    /// What the name of its variable for widgets ends with (docs/environment.md): `group.org.example.app` as
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
