// SPDX-License-Identifier: MIT
import Formats
import Import
import JSON
import TodayModel
import Varlink

@testable import Registry

/// The readers of bytes that come from outside. Each must end without a trap, whatever it reads; what it accepts must be
/// accepted again when it is written.
enum Parser: String, CaseIterable {
    case json, call, manifest, plugin, content, text, xbar, bitbar, swiftbar, argos, i3blocks, waybar, nagios, genmon,
        keyvalue
    case importWaybar = "import-waybar"
    case importI3blocks = "import-i3blocks"
    case importPolybar = "import-polybar"
    case importI3statusRust = "import-i3status-rust"

    func read(_ bytes: [UInt8]) {
        switch self {
        case .json: readJSON(bytes)
        case .call: readCall(bytes)
        case .manifest: readManifest(bytes)
        case .plugin: _ = PluginMetadata(bytes)
        case .content: readOutput(bytes, .json)
        case .importWaybar: importConfiguration(bytes, .waybar)
        case .importI3blocks: importConfiguration(bytes, .i3blocks)
        case .importPolybar: importConfiguration(bytes, .polybar)
        case .importI3statusRust: importConfiguration(bytes, .i3statusRust)
        default:
            guard let contentProtocol = ContentProtocol(rawValue: rawValue) else {
                fatalError("\(self) has no protocol")
            }
            readOutput(bytes, contentProtocol)
        }
    }

    private func readJSON(_ bytes: [UInt8]) {
        guard let json = try? JSON.parse(bytes) else { return }
        let text = json.text
        guard let again = try? JSON.parse(Array(text.utf8)), again.text == text else { fatalError("\(text)") }
    }

    private func readCall(_ bytes: [UInt8]) {
        guard let call = try? VarlinkCall(parsing: bytes) else { return }
        _ = (call.interfaceName, call.memberName)
    }

    private func readManifest(_ bytes: [UInt8]) {
        guard let id = WidgetID("org.example.fuzz") else { return }
        let file = UnitFile(path: "m", bytes: bytes, sections: ManifestReader.sections)
        let reader = ManifestReader { name in name == "ada" ? 1000 : nil }
        _ = reader.read(id, [file]) { "/here" }
    }

    /// Each manifest of an import must be one that todayd reads without a complaint, whatever the configuration says.
    private func importConfiguration(_ bytes: [UInt8], _ source: ImportSource) {
        let files = ImportFiles(
            read: { path in path == "/home/ada/config" ? .bytes(bytes) : .missing }, list: { _ in .missing },
            variable: { $0 == "HOME" ? "/home/ada" : nil })
        let plan = ImportPlan.plan(for: source, path: "/home/ada/config", files: files)
        let reader = ManifestReader(
            specifiers: Specifiers(isSystem: false, environment: ["HOME": "/home/ada"], user: "ada", home: "/home/ada")
        ) { _ in nil }
        for manifest in plan.manifests {
            let file = UnitFile(
                path: manifest.fileName, bytes: Array(manifest.text.utf8), sections: ManifestReader.sections)
            let reading = reader.read(manifest.id, [file]) { "/here" }
            precondition(reading.complaints.isEmpty, "\(reading.complaints) in \(manifest.text)")
        }
    }

    private func readOutput(_ bytes: [UInt8], _ contentProtocol: ContentProtocol) {
        let status = Int32(bytes.first ?? 0) % 4
        guard let read = try? contentProtocol.content(from: ProgramOutput(bytes, status: status)) else { return }
        let json = read.content.json
        do {
            let again = try Content(JSONField(root: json))
            precondition(again == read.content, "reads another content than it wrote: \(json.text)")
        } catch {
            fatalError("writes content that it does not read: \(error): \(json.text)")
        }
    }
}
