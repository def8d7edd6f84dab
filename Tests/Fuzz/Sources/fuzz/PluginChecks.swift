// SPDX-License-Identifier: MIT
import TodayModel

@testable import Registry

/// A plugin is somebody else's file: its name and its tags become the names and texts of a widget.
enum PluginChecks {
    static func readScript(_ bytes: [UInt8]) {
        guard let name = PluginName(fileName: "fuzz.5m.sh") else { fatalError("no name") }
        check(PluginMetadata(bytes), name)
    }

    /// The bytes of a file's name.
    static func readName(_ bytes: [UInt8]) {
        let allowed = bytes.filter { $0 != 0 && $0 != UInt8(ascii: "/") }.prefix(255)
        let file = String(decoding: allowed, as: UTF8.self)
        guard let name = PluginName(fileName: file) else {
            let hasLetter = file.unicodeScalars.contains { $0.isASCII && $0.properties.isAlphabetic }
            let isTricky = file.unicodeScalars.contains { $0.value < 0x20 || (0x7f...0x9f).contains($0.value) }
            // `.` alone, and a name that is nothing but an extension or an interval.
            expect(PluginName.isIgnored(file) || isTricky || !hasLetter || file.contains("."), file)
            return
        }
        expect(!PluginName.isIgnored(file))
        expect(name.id.text.hasPrefix(PluginName.prefix))
        expectPlain(name.displayName, "the name")
        expect(name.displayName.contains { !$0.isWhitespace }, "a blank name")
        expect(name.hasInterval == PluginName.hasInterval(file), file.debugDescription)
        if let interval = name.interval { expect((.seconds(1) ... .days(36_500)).contains(interval)) }
        expect(!name.hasInterval || name.interval != nil || name.complaint != nil)
        if let other = name.spelledOut(fileName: file) { expect(other.id != name.id) }
        check(PluginMetadata([]), name)
    }

    /// A script and, behind NUL, the file of its variables.
    static func readVariables(_ bytes: [UInt8]) {
        let script = bytes.prefix { $0 != 0 }
        let values = bytes.dropFirst(script.count + 1)
        let variables = PluginVariables(PluginMetadata(Array(script)), path: "/p.sh", values: Array(values))
        expect(Set(variables.settings.map(\.name)).count == variables.settings.count)
        expect(variables.settings.count <= Setting.most)
        for setting in variables.settings {
            if let label = setting.label { expectPlain(label, "a label") }
            guard let text = setting.defaultText else { continue }
            expectPlain(text, lines: true, "a default")
            guard let value = try? setting.value(from: text), value.text == text else { fatalError("default \(text)") }
        }
        for complaint in variables.complaints { expectPlain(complaint.description, "a complaint") }
    }

    private static func check(_ metadata: PluginMetadata, _ name: PluginName) {
        let manifest = PluginManifest(name: name, metadata: metadata, path: "/plugins/x.sh").manifest
        expectPlain(manifest.displayName, "the name")
        expect(manifest.displayName.contains { !$0.isWhitespace }, "a blank name")
        expect(manifest.displayName.utf8.count <= ContentLimits.summaryBytes + 3)
        if let summary = manifest.summary { expectPlain(summary, "the summary") }
        for (name, value) in manifest.update.environment {
            expectPlain(value, "the value of \(name)")
            expect(SettingName.isVariable(name))
        }
        for name in metadata.dependencies { expectPlain(name, "a dependency") }
    }
}
