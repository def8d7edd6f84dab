// SPDX-License-Identifier: MIT
import Files
import JSON
import Spelling
import TodayModel

/// The settings of a plugin: `<xbar.var>string(NAME="Ada"): Who is greeted.</xbar.var>`, with the values of its file
/// `FILE.vars.json`, which xbar writes, as defaults.
struct PluginVariables {
    private(set) var settings: [Setting] = []
    private(set) var complaints: [Complaint] = []

    init(_ metadata: PluginMetadata, path: String) {
        let sidecar = path + PluginName.variablesSuffix
        switch FileLook(at: sidecar, limit: 1 << 20) {
        case .bytes(let bytes): self.init(metadata, path: path, values: bytes)
        case .missing: self.init(metadata, path: path, values: nil)
        default:
            self.init(metadata, path: path, values: nil)
            complaints.insert(.warning(sidecar, nil, "cannot be read"), at: 0)
        }
    }

    /// - Parameter values: the content of `FILE.vars.json`.
    init(_ metadata: PluginMetadata, path: String, values bytes: [UInt8]?) {
        var values: [String: String] = [:]
        if let bytes { values = readValues(bytes, path + PluginName.variablesSuffix) }
        for (text, line) in metadata.variables {
            do throws(SettingMistake) {
                let setting = try Self.setting(text, values)
                if settings.contains(where: { $0.name == setting.name }) {
                    throw SettingMistake("\(setting.name) is there twice")
                }
                settings.append(setting)
            } catch {
                complaints.append(.warning(path, line, "<xbar.var>: \(error.reason)"))
            }
        }
    }

    private mutating func readValues(_ bytes: [UInt8], _ path: String) -> [String: String] {
        do throws(JSONSyntaxError) {
            guard let object = try JSON.parse(bytes).objectValue else {
                complaints.append(.warning(path, nil, "is no JSON object"))
                return [:]
            }
            var values: [String: String] = [:]
            for (name, value) in object { values[name] = value.stringValue ?? value.text }
            return values
        } catch {
            complaints.append(.warning(path, nil, "is not JSON: \(error)"))
            return [:]
        }
    }

    /// `type(NAME=default): label [option, option]`
    static func setting(_ text: String, _ values: [String: String] = [:]) throws(SettingMistake) -> Setting {
        guard let open = text.firstIndex(of: "("), let equals = text[open...].firstIndex(of: "="),
            let close = text[equals...].firstIndex(of: ")")
        else { throw SettingMistake("is not type(NAME=default): description") }
        let word = text[..<open].trimmed.lowercased()
        guard let type = types[word] else {
            throw SettingMistake("\(Setting.quoted(word)) is no type; there is string, number, boolean, select")
        }
        let name = text[text.index(after: open)..<equals].trimmed
        let written = unquoted(text[text.index(after: equals)..<close].trimmed)
        var label = text[text.index(after: close)...]
        if label.first == ":" { label = label.dropFirst() }
        var options: [String] = []
        if type == .choice, let start = label.lastIndex(of: "["), let end = label[start...].firstIndex(of: "]") {
            options = label[label.index(after: start)..<end].split(separator: ",").map { unquoted($0.trimmed) }
            label = label[..<start]
        }
        let description = PlainText.line(label.trimmed, upTo: 250)
        func make(_ defaultText: String?) throws(SettingMistake) -> Setting {
            try Setting(
                name: name, type: type, label: description.isEmpty ? nil : description,
                defaultText: defaultText?.isEmpty == true ? nil : defaultText, options: options)
        }
        // A value of the file that does not fit counts as none, as an old value of a user does.
        if let value = values[name], let setting = try? make(value) { return setting }
        return try make(written)
    }

    private static let types: [String: SettingType] = [
        "string": .string, "number": .number, "boolean": .boolean, "select": .choice,
    ]

    private static func unquoted(_ text: String) -> String {
        guard let quote = text.first, quote == "\"" || quote == "'", text.count > 1, text.last == quote else {
            return text
        }
        return String(text.dropFirst().dropLast())
    }
}
