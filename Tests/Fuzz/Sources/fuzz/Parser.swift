// SPDX-License-Identifier: MIT
import Formats
import JSON
import TodayModel
import Varlink

@testable import Registry

/// The readers of bytes that come from outside. Each must end without a trap, whatever it reads; what it accepts must be
/// accepted again when it is written.
enum Parser: String, CaseIterable {
    case json, call, manifest, plugin, content, text, xbar, bitbar, swiftbar, argos, i3blocks, waybar, nagios, genmon,
        keyvalue

    func read(_ bytes: [UInt8]) {
        switch self {
        case .json: readJSON(bytes)
        case .call: readCall(bytes)
        case .manifest: readManifest(bytes)
        case .plugin: _ = PluginMetadata(bytes)
        case .content: readOutput(bytes, .json)
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
