// SPDX-License-Identifier: MIT

/// The name of an app group, which a containing app and its widgets share defaults and a directory under: an identifier
/// by the same rules as a widget's, such as `group.org.example.crypticker`. It becomes a directory's name.
package struct AppGroup: Hashable, Sendable, Comparable, CustomStringConvertible {
    package let text: String

    package init?(_ text: String) {
        guard WidgetID(text) != nil else { return nil }
        self.text = text
    }

    package var description: String { text }

    package static func < (left: AppGroup, right: AppGroup) -> Bool { left.text < right.text }
}
