// SPDX-License-Identifier: MIT
import JSON

/// How hosts present a widget, apart from its content: the values of its manifest, or those that the user has chosen instead.
/// Each value belongs to a `Key`, and is text.
package struct Face: Hashable, Sendable {
    /// A key of `[Widget]` in a manifest, and the name of a setting that every widget has.
    package enum Key: String, CaseIterable, Sendable {
        case name = "Name"
        case label = "Label"
        case icon = "Icon"
        case shape = "Shape"
        case format = "BarFormat"
        case width = "BarWidth"
        case click = "Click"
        case color = "BarColor"
        case background = "BarBackground"
        case border = "BarBorder"
        case separator = "BarSeparator"

        /// By a name as people type it: `label`, `bar-format`.
        package init?(typed name: String) {
            func folded(_ name: String) -> String { name.lowercased().filter { $0 != "-" && $0 != "_" } }
            guard let key = Self.allCases.first(where: { folded($0.rawValue) == folded(name) }) else { return nil }
            self = key
        }
    }

    /// How much room a view gives the widget, whatever its content needs.
    package enum Shape: String, CaseIterable, Sendable { case tile, card }

    private var texts: [Key: String] = [:]

    package init() {}

    package subscript(key: Key) -> String? {
        get { texts[key] }
        set { texts[key] = newValue }
    }

    package var isEmpty: Bool { texts.isEmpty }
    package var shape: Shape? { texts[.shape].flatMap { Shape(rawValue: $0) } }
    package var label: String? { texts[.label] }
    package var format: BarFormat? { texts[.format].flatMap { try? BarFormat($0) } }
    package var width: Int? { texts[.width].flatMap { Int($0) } }
    package var click: String? { texts[.click] }
    package var color: Color? { texts[.color].flatMap { Color($0) } }
    package var background: Color? { texts[.background].flatMap { Color($0) } }
    package var border: Color? { texts[.border].flatMap { Color($0) } }
    package var hasSeparator: Bool? { texts[.separator].map { $0 == "true" } }

    /// This face with the user's choices.
    package func choosing(_ values: [String: SettingValue]) -> Face {
        var face = self
        for key in Key.allCases {
            if let value = values[key.rawValue], let text = try? key.value(from: value.text).text { face[key] = text }
        }
        return face
    }
}

extension Face.Key {
    package static let deeds = ["press", "menu", "update", "toggle", "next", "none"]
    private static let shapes = Face.Shape.allCases.map(\.rawValue)
    private static let textRule = TextRule(mostBytes: 256)

    /// The setting, with the value that counts unless the user sets one.
    package func setting(default text: String?) -> Setting {
        switch self {
        case .name: declared(.string, "its name in views", text)
        case .label: declared(.string, "before its text in bars", text)
        case .icon: declared(.string, "an emoji, or the name of a symbol", text)
        case .shape:
            declared(
                .choice, "always half a column, or always a card, in views", text, options: Self.shapes)
        case .format: declared(.string, "its line in bars, such as \(BarFormat.standard.text)", text)
        case .width: declared(.number, "the least columns of its line in bars", text, 0, 200)
        case .click: declared(.choice, "what the left button does in bars", text, options: Self.deeds)
        case .color: declared(.string, "its text in bars, unless its content has a colour", text)
        case .background: declared(.string, "its background in bars", text)
        case .border: declared(.string, "its border in bars", text)
        case .separator: declared(.boolean, "whether a line follows it in bars", text)
        }
    }

    private func declared(
        _ type: SettingType, _ label: String, _ text: String?, _ minimum: Double? = nil, _ maximum: Double? = nil,
        options: [String] = []
    ) -> Setting {
        Setting(
            declared: rawValue, type, label: label, defaultText: text, minimum: minimum, maximum: maximum,
            options: options)
    }

    /// The value that a text means, in a manifest or as the user types it.
    package func value(from text: String) throws(SettingMistake) -> SettingValue {
        let value = try setting(default: nil).value(from: text)
        switch self {
        case .name, .label, .icon, .format:
            if let reason = Self.textRule.complaint(about: text) { throw SettingMistake(reason) }
            if self == .format { _ = try BarFormat(text) }
            if self == .name, text.allSatisfy(\.isWhitespace) { throw SettingMistake("has no letters") }
            if self == .icon, text.utf8.count > ContentLimits.iconBytes {
                throw SettingMistake("is longer than \(ContentLimits.iconBytes) bytes")
            }
        case .width:
            guard Int(value.text) != nil else { throw SettingMistake("is not a whole number") }
        case .color, .background, .border:
            guard Color(text) != nil else {
                let meanings = Color.Meaning.allCases.map(\.rawValue).joined(separator: ", ")
                throw SettingMistake("is neither #rrggbb nor one of \(meanings)")
            }
        case .click, .separator, .shape: break
        }
        return value
    }
}

extension Face {
    /// In the form of org.todayd.Today, without the name and the icon, which the daemon applies itself.
    package var json: JSON? {
        var object = JSONObject()
        for key in Key.allCases where key != .name && key != .icon {
            object[key.member] = texts[key].map(JSON.string)
        }
        return object.isEmpty ? nil : .object(object)
    }

    /// Decodes what a daemon sent. Values that this version does not know have no effect.
    init(_ field: JSONField) throws(JSONMismatch) {
        for key in Key.allCases {
            guard let text = try field.optional(key.member)?.string() else { continue }
            texts[key] = try? key.value(from: text).text
        }
    }
}

extension Face.Key {
    fileprivate var member: String { rawValue.prefix(1).lowercased() + rawValue.dropFirst() }
}

/// The format of a widget's line in a bar: text, and placeholders for what the widget has.
package struct BarFormat: Hashable, Sendable {
    package enum Place: String, CaseIterable, Sendable { case icon, label, name, text, short, percentage }
    private enum Part: Hashable { case literal(String), place(Place) }

    package static let standard = BarFormat([
        .place(.icon), .literal(" "), .place(.label), .literal(" "), .place(.text),
    ])
    private let parts: [Part]

    private init(_ parts: [Part]) { self.parts = parts }

    /// - Parameter text: `{icon} {percentage} %`. Braces that contain no word stand for themselves.
    package init(_ text: String) throws(SettingMistake) {
        var parts: [Part] = []
        var rest = text[...]
        while let open = rest.firstIndex(of: "{") {
            let word = rest[rest.index(after: open)...].prefix { $0.isLetter }
            guard !word.isEmpty, word.endIndex < rest.endIndex, rest[word.endIndex] == "}" else {
                parts.append(.literal(String(rest[...open])))
                rest = rest[rest.index(after: open)...]
                continue
            }
            guard let place = Place(rawValue: String(word)) else {
                let places = Place.allCases.map { "{\($0.rawValue)}" }.joined(separator: ", ")
                throw SettingMistake("has {\(word)}; there are \(places)")
            }
            if open > rest.startIndex { parts.append(.literal(String(rest[..<open]))) }
            parts.append(.place(place))
            rest = rest[rest.index(after: word.endIndex)...]
        }
        if !rest.isEmpty { parts.append(.literal(String(rest))) }
        self.parts = parts
    }

    package var text: String {
        parts.map { part in
            switch part {
            case .literal(let text): text
            case .place(let place): "{\(place.rawValue)}"
            }
        }.joined()
    }

    /// The line. Next to an empty placeholder, a space is dropped.
    package func line(_ value: (Place) -> String) -> String {
        var line = ""
        var isEmpty = false
        for part in parts {
            switch part {
            case .literal(let text):
                let hasSpace = line.isEmpty || line.last == " "
                line += isEmpty && hasSpace && text.first == " " ? text.dropFirst() : text[...]
                isEmpty = false
            case .place(let place):
                let text = value(place)
                line += text
                isEmpty = text.isEmpty
            }
        }
        while isEmpty, line.last == " " { line.removeLast() }
        return line
    }
}
