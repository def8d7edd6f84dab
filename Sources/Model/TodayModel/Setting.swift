// SPDX-License-Identifier: MIT
import JSON
import Spelling

/// The type of a setting's value. The words are those of manifests and of the protocol.
package enum SettingType: String, WireWord {
    /// Plain text, which may have several lines.
    case string
    case number
    case boolean
    /// One of the options.
    case choice
    /// A text that only the widget can read.
    case secret
    /// Several texts of one line each.
    case list
}

/// A value that the user of a widget can set: one line of `[Settings]` in a manifest.
package struct Setting: Hashable, Sendable {
    /// The name of the variable in which the widget's program finds the value.
    package fileprivate(set) var name: String
    package fileprivate(set) var type: SettingType
    /// What it means, for people.
    package var label: String?
    /// The value that the program gets unless the user sets one.
    package var defaultText: String?
    /// The bounds of a number.
    package var minimum: Double?
    package var maximum: Double?
    /// The options of a choice.
    package var options: [String] = []

    /// The most settings of one widget.
    package static let most = 64
    package static let valueBytes = 16 << 10
    package static let mostWords = 64
    package static let mostOptions = 64
    private static let labelRule = TextRule(mostBytes: 256)
    private static let optionRule = TextRule(mostBytes: 256)

    /// Makes a declaration, and throws if its parts contradict each other.
    ///
    /// - Parameter defaultText: as a person types it, see `value(from:)`.
    package init(
        name: String, type: SettingType, label: String? = nil, defaultText: String? = nil, minimum: Double? = nil,
        maximum: Double? = nil, options: [String] = []
    ) throws(SettingMistake) {
        self.init(
            declared: name, type, label: label, minimum: minimum, maximum: maximum, options: options)
        if let reason = SettingName.complaint(about: name) { throw SettingMistake(reason) }
        if let label, let reason = Self.labelRule.complaint(about: label) {
            throw SettingMistake("the label \(reason)")
        }
        try checkBounds()
        guard let defaultText else { return }
        if type == .secret { throw SettingMistake("a secret has no default, because everybody can read a manifest") }
        do throws(SettingMistake) {
            self.defaultText = try value(from: defaultText).text
        } catch {
            throw SettingMistake("the default \(Self.quoted(defaultText)) \(error.reason)")
        }
    }

    /// Takes over a declaration that was checked elsewhere.
    init(
        declared name: String, _ type: SettingType, label: String? = nil, defaultText: String? = nil,
        minimum: Double? = nil, maximum: Double? = nil, options: [String] = []
    ) {
        self.name = name
        self.type = type
        self.label = label
        self.defaultText = defaultText
        self.minimum = minimum
        self.maximum = maximum
        self.options = options
    }

    private func checkBounds() throws(SettingMistake) {
        if type != .number, minimum != nil || maximum != nil {
            throw SettingMistake("min= and max= are for numbers, and this is a \(type.rawValue)")
        }
        if let minimum, let maximum, minimum > maximum {
            throw SettingMistake("min=\(Self.text(of: minimum)) is more than max=\(Self.text(of: maximum))")
        }
        guard type == .choice else {
            if options.isEmpty { return }
            throw SettingMistake("options= is for choices, and this is a \(type.rawValue)")
        }
        if options.isEmpty { throw SettingMistake("a choice needs its options: options=\"one other\"") }
        if options.count > Self.mostOptions { throw SettingMistake("has more than \(Self.mostOptions) options") }
        for (place, option) in options.enumerated() {
            if option.isEmpty { throw SettingMistake("an option is empty") }
            if let reason = Self.optionRule.complaint(about: option) {
                throw SettingMistake("the option \(Self.quoted(option)) \(reason)")
            }
            if options[..<place].contains(where: { $0.isSpelled(as: option) }) {
                throw SettingMistake("the option \(Self.quoted(option)) is there twice")
            }
        }
    }

    /// A text from a file or a call, shortened for a message.
    package static func quoted(_ text: String) -> String { "\"\(PlainText.line(text, upTo: 60))\"" }

    /// The number, without a fraction if that is zero.
    package static func text(of number: Double) -> String {
        Int64(exactly: number).map(String.init) ?? "\(number)"
    }
}

/// Why a setting cannot be declared, or a value cannot be set. A reason about a value is a phrase that follows its name, and
/// never quotes it, because it may be a secret.
package struct SettingMistake: Error, Hashable, Sendable {
    package let reason: String

    package init(_ reason: String) { self.reason = reason }
}

/// The allowed names of settings: environment variables that affect only the widget.
package enum SettingName {
    package static let mostBytes = 64

    /// Variables by which the system, shells and interpreters find programs, libraries and directories.
    private static let reserved: Set<String> = [
        "PATH", "HOME", "USER", "LOGNAME", "SHELL", "SHELLOPTS", "BASHOPTS", "BASH_ENV", "ENV", "IFS", "PS4", "PWD",
        "OLDPWD",
        "CDPATH", "PROMPT_COMMAND", "TMPDIR", "NOTIFY_SOCKET", "SSH_AUTH_SOCK", "GLIBC_TUNABLES", "GCONV_PATH",
        "PYTHONPATH", "PYTHONHOME", "PYTHONSTARTUP", "PERL5LIB", "PERL5OPT", "PERLLIB", "RUBYLIB", "RUBYOPT",
        "NODE_OPTIONS", "NODE_PATH",
    ]
    private static let reservedBeginnings = ["LD_", "LISTEN_", "XDG_", "DBUS_"]

    /// Whether an environment variable can have this name, as in shells.
    package static func isVariable(_ name: String) -> Bool {
        name.utf8.first?.isDigit == false && name.utf8.allSatisfy { $0.isAlphanumeric || $0 == UInt8(ascii: "_") }
    }

    /// Why no setting may have this name; nil if one may.
    package static func complaint(about name: String) -> String? {
        guard isVariable(name) else {
            return "\(Setting.quoted(name)) is not the name of a variable: letters, digits and _, no digit first"
        }
        if name.utf8.count > mostBytes { return "the name is longer than \(mostBytes) bytes" }
        if name.hasPrefix("TODAY_") || name.hasPrefix("TODAYD") { return "names in TODAY_ and TODAYD are the daemon's" }
        if Face.Key(rawValue: name) != nil { return "every widget has the setting \(name)" }
        if reserved.contains(name) || reservedBeginnings.contains(where: name.hasPrefix) {
            return "the variable \(name) changes how programs run, so no setting may have its name"
        }
        return nil
    }
}

/// A setting of a widget and the user's value, as clients get it: without the value of a secret.
package struct SettingStatus: Hashable, Sendable {
    package private(set) var setting: Setting
    /// Whether the user has set a value that fits.
    package private(set) var isSet: Bool
    /// The value that the widget gets; nil if it gets none, and always for a secret.
    package private(set) var text: String?
    /// Why a value that was set does not count; nil if it does.
    package private(set) var complaint: String?

    /// - Parameter value: the user's value.
    package init(_ setting: Setting, choosing value: SettingValue?) {
        self.setting = setting
        complaint = value.flatMap { setting.complaint(about: $0) }
        isSet = value != nil && complaint == nil
        text = setting.type == .secret ? nil : setting.text(choosing: value)
    }
}

extension SettingStatus: WireObject {
    package static var blank: Self { SettingStatus(Setting(declared: "", .string), choosing: nil) }

    package mutating func list(_ members: inout WireMembers) {
        members("name", &setting.name)
        members("type", &setting.type)
        members("label", &setting.label)
        members("default", &setting.defaultText)
        members("min", &setting.minimum)
        members("max", &setting.maximum)
        members(unlessEmpty: "options", &setting.options)
        members("isSet", &isSet)
        members("value", &text)
        members("complaint", &complaint)
    }
}
