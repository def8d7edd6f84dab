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
    private var declared: Set<String> = []
    /// Each one requires a search in the file.
    private static let mostUnknown = 10

    init(_ metadata: PluginMetadata, path: String) {
        let sidecar = path + PluginName.variablesSuffix
        switch FileContents(at: sidecar, limit: 1 << 20) {
        case .bytes(let bytes): self.init(metadata, path: path, values: bytes)
        case .missing: self.init(metadata, path: path, values: nil)
        default:
            self.init(metadata, path: path, values: nil)
            complaints.insert(.warning(sidecar, nil, "cannot be read"), at: 0)
        }
    }

    /// - Parameter values: the content of `FILE.vars.json`.
    init(_ metadata: PluginMetadata, path: String, values bytes: [UInt8]?) {
        let sidecar = path + PluginName.variablesSuffix
        var values: [String: String] = [:]
        if let bytes { values = readValues(bytes, sidecar) }
        for (text, line) in metadata.variables {
            if let bytes { check(text, values, sidecar, bytes) }
            do throws(SettingMistake) {
                let setting = try Self.setting(text, values)
                declared.insert(setting.name)
                if settings.contains(where: { $0.name == setting.name }) {
                    throw SettingMistake("\(setting.name) is there twice")
                }
                settings.append(setting)
            } catch {
                complaints.append(.warning(path, line, "<xbar.var>: \(error.reason)"))
            }
        }
        let unknown = values.keys.filter { !declared.contains($0) }.sorted()
        for name in unknown.prefix(Self.mostUnknown) { complaints.append(unknownName(name, sidecar, bytes ?? [])) }
    }

    private func unknownName(_ name: String, _ sidecar: String, _ bytes: [UInt8]) -> Complaint {
        let hint = hint(for: name, among: settings.map(\.name))
        let reason = "no <xbar.var> declares \(Setting.quoted(name))\(hint)"
        return .warning(sidecar, Self.line(of: name, in: bytes), reason)
    }

    /// Complains about the value of the file if it does not fit. It is then ignored, like an old value of a user.
    private mutating func check(_ text: String, _ values: [String: String], _ sidecar: String, _ bytes: [UInt8]) {
        guard let written = try? Self.setting(text) else { return }
        declared.insert(written.name)
        guard let value = values[written.name] else { return }
        do throws(SettingMistake) {
            _ = try written.value(from: value)
        } catch {
            // A text may be a secret.
            let what = written.type == .string ? "the text" : Setting.quoted(value)
            let reason = "\(written.name): \(what) \(error.reason), so that it counts as not set"
            guard complaints.count < Self.mostUnknown else { return }
            complaints.append(.warning(sidecar, Self.line(of: written.name, in: bytes), reason))
        }
    }

    /// The line in which the name appears in quotes before a colon.
    private static func line(of name: String, in bytes: [UInt8]) -> Int? {
        let quoted = Array("\"\(name)\"".utf8)
        let start = bytes.indices.first { place in
            bytes[place...].starts(with: quoted)
                && bytes[place...].dropFirst(quoted.count).first { $0 > 0x20 } == UInt8(ascii: ":")
        }
        guard let start else { return nil }
        return bytes[..<start].count { $0 == UInt8(ascii: "\n") } + 1
    }

    private mutating func readValues(_ bytes: [UInt8], _ path: String) -> [String: String] {
        do throws(JSONSyntaxError) {
            guard let object = try JSON.parse(bytes).objectValue else {
                complaints.append(.warning(path, nil, "is not a JSON object"))
                return [:]
            }
            var values: [String: String] = [:]
            for (name, value) in object {
                guard value != .null, value.arrayValue == nil, value.objectValue == nil else {
                    let reason = "\(Setting.quoted(name)): expected a string, found \(value.kind)"
                    if complaints.count < Self.mostUnknown {
                        complaints.append(.warning(path, Self.line(of: name, in: bytes), reason))
                    }
                    continue
                }
                values[name] = value.stringValue ?? value.text
            }
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
            throw SettingMistake("\(Setting.quoted(word)) is not a type; there is string, number, boolean, select")
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
        // A value of the file that does not fit is ignored.
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
