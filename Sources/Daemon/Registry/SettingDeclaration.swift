// SPDX-License-Identifier: MIT
import Spelling
import TodayModel

/// A line of `[Settings]`: `NAME=TYPE key=value…`. A later line without a type changes parts of the declaration.
struct SettingDeclaration {
    private let name: String
    private var type: SettingType
    private var label: String?
    private var defaultText: String?
    private var minimum: Double?
    private var maximum: Double?
    private var options: [String] = []
    /// The declared setting.
    private(set) var setting: Setting

    private static let keys = ["label", "default", "min", "max", "options", "option"]

    /// The declaration of a setting that was declared elsewhere.
    init(_ setting: Setting) {
        (name, type, label, defaultText) = (setting.name, setting.type, setting.label, setting.defaultText)
        (minimum, maximum, options) = (setting.minimum, setting.maximum, setting.options)
        self.setting = setting
    }

    /// - Parameter earlier: the declaration of the same name in an earlier line or file.
    init(_ name: String, _ words: [String], after earlier: SettingDeclaration?) throws(WrongValue) {
        var words = words[...]
        if words.first?.utf8.contains(UInt8(ascii: "=")) == true {
            guard let earlier else {
                throw WrongValue("no earlier line declares this setting, so its type comes first: \(Self.types)")
            }
            self = earlier
        } else {
            let word = words.popFirst() ?? ""
            let type: SettingType = try Values.word(word)
            self.name = name
            self.type = type
            setting = try Self.checked { () throws(SettingMistake) in
                // The options of a choice come later.
                try Setting(name: name, type: type == .choice ? .string : type)
            }
        }
        var isFirstOption = true
        for word in words { try read(word, &isFirstOption) }
        let (type, label, defaultText) = (type, label, defaultText)
        let (minimum, maximum, options) = (minimum, maximum, options)
        setting = try Self.checked { () throws(SettingMistake) in
            try Setting(
                name: name, type: type, label: label, defaultText: defaultText, minimum: minimum, maximum: maximum,
                options: options)
        }
    }

    private static let types = SettingType.allCases.map(\.rawValue).joined(separator: ", ")

    private mutating func read(_ word: String, _ isFirstOption: inout Bool) throws(WrongValue) {
        guard let (key, value) = word.assignment else {
            throw WrongValue("\(Setting.quoted(word)) is not key=value; a value with spaces needs quotes")
        }
        switch key {
        case "label": label = value.isEmpty ? nil : value
        case "default": defaultText = value.isEmpty && type != .string && type != .list ? nil : value
        case "min": minimum = try Self.bound(value, key)
        case "max": maximum = try Self.bound(value, key)
        case "options", "option":
            // The options of this line replace those of an earlier one.
            if isFirstOption { options = [] }
            isFirstOption = false
            options +=
                key == "option"
                ? [value] : try Self.checked { () throws(SettingMistake) in try Setting.words(of: value) }
        default:
            let known = Self.keys
            let hint = nearestName(to: key, among: known).map { "did you mean \($0)=?" }
            throw WrongValue(
                "\(Setting.quoted(key)) is unknown; \(hint ?? "known are \(known.joined(separator: ", "))")")
        }
    }

    private static func bound(_ text: String, _ key: String) throws(WrongValue) -> Double? {
        if text.isEmpty { return nil }
        guard let number = Setting.number(text) else {
            throw WrongValue("\(key)=\(Setting.quoted(text)) is not a number such as 10, -3 or 0.5")
        }
        return number
    }

    private static func checked<Value>(_ make: () throws(SettingMistake) -> Value) throws(WrongValue) -> Value {
        do throws(SettingMistake) { return try make() } catch { throw WrongValue(error.reason) }
    }
}

extension ManifestDraft {
    /// Declares a setting, or changes an earlier declaration. Without words, it removes the declaration.
    mutating func declare(_ name: String, _ words: [String]) throws(WrongValue) {
        let place = settings.firstIndex { $0.setting.name == name }
        if words.isEmpty {
            if let place { settings.remove(at: place) }
            return
        }
        let declaration = try SettingDeclaration(name, words, after: place.map { settings[$0] })
        if let place {
            settings[place] = declaration
        } else {
            guard settings.count < Setting.most else { throw WrongValue("more than \(Setting.most) settings") }
            settings.append(declaration)
        }
    }
}
