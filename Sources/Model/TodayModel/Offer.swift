// SPDX-License-Identifier: MIT
import JSON
import Spelling

/// Something that the user may add: a template, of which each instance is a widget, or a widget that is off until then.
package struct Offer: Hashable, Sendable {
    /// For a template, without its `@`.
    package fileprivate(set) var id: WidgetID
    package fileprivate(set) var isTemplate: Bool
    package fileprivate(set) var name: String
    package var summary: String?
    package var icon: String?
    /// An example of its line.
    package var example: String?
    package var settings: [Setting] = []
    /// The widgets that the user has added from it.
    package var added: [WidgetID] = []
    /// The file.
    package var source: String?
    /// What is wrong with its manifest, so that it cannot be added.
    package var complaint: String?

    package init(_ id: WidgetID, isTemplate: Bool, name: String) {
        self.id = id
        self.isTemplate = isTemplate
        self.name = name
    }

    /// The settings that the user has to fill in: texts without a default. A secret is set later, because other users can read
    /// a command line.
    package var needs: [Setting] {
        settings.filter { $0.defaultText == nil && [.string, .choice, .list].contains($0.type) }
    }
}

extension Offer: WireObject {
    package static var blank: Self { Offer(.blank, isTemplate: false, name: "") }

    package mutating func list(_ members: inout WireMembers) {
        members("id", &id)
        members("template", &isTemplate)
        members("name", &name)
        var statuses = settings.map { SettingStatus($0, choosing: nil) }
        members("settings", &statuses)
        settings = statuses.map(\.setting)
        members("added", &added)
        members("description", &summary)
        members("icon", &icon)
        members("example", &example)
        members("source", &source)
        members("complaint", &complaint)
    }
}

/// The name of an instance that the user has not named: made from the first of its values, or `1`.
package enum InstanceName {
    private static let mostBytes = 40
    private static let plain: [Character: String] = [
        "ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "à": "a", "á": "a", "â": "a", "ã": "a", "å": "a", "æ": "ae",
        "ç": "c",
        "è": "e", "é": "e", "ê": "e", "ë": "e", "ì": "i", "í": "i", "î": "i", "ï": "i", "ñ": "n", "ò": "o", "ó": "o",
        "ô": "o", "õ": "o", "ø": "o", "ù": "u", "ú": "u", "û": "u", "ł": "l", "ś": "s", "š": "s", "ž": "z", "ż": "z",
        "č": "c", "ć": "c", "ř": "r", "ý": "y", "ğ": "g", "ı": "i", "ş": "s", "ą": "a", "ę": "e", "ń": "n",
    ]

    /// - Parameter isTaken: whether there is an instance of this name.
    package static func after(_ value: String?, isTaken: (String) -> Bool) -> String {
        let name = value.map(label) ?? ""
        if !name.isEmpty, !isTaken(name) { return name }
        let numbered = (name.isEmpty ? 1 : 2)...
        let stem = name.isEmpty ? "" : "\(name)-"
        return numbered.lazy.map { "\(stem)\($0)" }.first { !isTaken($0) } ?? ""
    }

    /// A value as a label of an identifier: the host of a URL, the name of a file, the words of a text.
    private static func label(_ value: String) -> String {
        var text = value[...]
        if let scheme = text.range(of: "://") {
            text = text[scheme.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
            if text.hasPrefix("www.") { text = text.dropFirst(4) }
        } else if text.hasPrefix("/") || text.hasPrefix("~"), let name = text.split(separator: "/").last {
            text = name
        }
        var label = ""
        for letter in text {
            let lower = Character(letter.lowercased())
            if letter.isASCII, letter.isLetter || letter.isNumber || letter == "_" {
                label.append(letter)
            } else if let letters = plain[lower] {
                label += lower == letter ? letters : letters.prefix(1).uppercased() + letters.dropFirst()
            } else if !label.isEmpty, label.last != "-" {
                label.append("-")
            }
            if label.utf8.count >= mostBytes { break }
        }
        while label.last == "-" { label.removeLast() }
        return label
    }
}
