// SPDX-License-Identifier: MIT
import Import
import TodayModel

@testable import Registry

enum ConfigurationChecks {
    static func readManifest(_ bytes: [UInt8]) {
        guard let id = WidgetID("org.example.fuzz") else { return }
        let file = UnitFile(path: "m", bytes: bytes, sections: ManifestReader.sections)
        let reader = ManifestReader { name in name == "ada" ? 1000 : nil }
        let reading = reader.read(id, [file]) { "/here" }
        for complaint in reading.complaints { expectPlain(complaint.description, "a complaint") }
        if let manifest = reading.manifest {
            expectPlain(manifest.displayName, "the name")
            expect(!manifest.displayName.isEmpty)
        }
    }

    /// Each manifest of an import must be one that todayd reads without a complaint, whatever the configuration says.
    static func readHost(_ bytes: [UInt8], _ source: ImportSource) {
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
            expect(reading.complaints.isEmpty, "\(reading.complaints) in \(manifest.text)")
        }
    }
}
