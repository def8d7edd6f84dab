// SPDX-License-Identifier: MIT
import Files
import TestSupport
import Testing
import TodayModel

@testable import Registry

/// docs/manifest.md, of which contrib/manual makes todayd.widget(5), against what is read.
@Suite struct ManifestDocumentationTests {
    private static let root = (0..<4).reduce(#filePath) { path, _ in Paths.parent(of: path) }

    private func text(of name: String) throws -> String {
        guard case .bytes(let bytes) = FileContents(at: "\(Self.root)/\(name)", limit: 1 << 20) else {
            Issue.record("\(name) cannot be read")
            return ""
        }
        return try #require(String(validating: bytes, as: UTF8.self))
    }

    @Test func everyKeyIsDescribed() throws {
        let document = "docs/manifest.md"
        let words = try text(of: document).split { !($0.isLetter || $0.isNumber || "=_-".contains($0)) }.map(
            String.init)
        for key in ManifestReader.keys.values.joined() + Settings.keys {
            #expect(words.contains("\(key)="), "\(document) lacks \(key)=")
        }
        for word in SettingType.allCases.map(\.rawValue) + [
            "label=", "default=", "min=", "max=", "options=", "option=",
        ] {
            #expect(words.contains(word), "\(document) lacks \(word) of settings")
        }
        for word in ContentProtocol.allCases.map(\.rawValue) {
            #expect(words.contains(word), "\(document) lacks Protocol=\(word)")
        }
    }

    /// The lines of the indented block after a heading, or another line.
    private func block(after heading: String) throws -> String {
        let lines = try text(of: "docs/manifest.md").split(separator: "\n", omittingEmptySubsequences: false)
        let start = try #require(lines.firstIndex { $0 == heading })
        let block = lines[start...].drop { !$0.hasPrefix("    ") }.prefix { $0.hasPrefix("    ") || $0.isEmpty }
        return block.map { $0.dropFirst(4) }.joined(separator: "\n")
    }

    @Test func theExampleOfAllKeysHasAllAndIsValid() throws {
        let example = try block(after: "## All keys")
        let file = UnitFile(path: "m", bytes: Array(example.utf8), sections: ManifestReader.sections)
        let id = try #require(WidgetID("org.example.btc"))
        let reading = ManifestReader(uid: { $0 == "crypticker" ? 990 : nil }).read(id, [file]) { "/" }
        #expect(reading.complaints.isEmpty)
        #expect(reading.manifest != nil)
        let (settings, keys) = (
            file.assignments.filter { $0.section == "Settings" }, file.assignments.filter { $0.section != "Settings" }
        )
        #expect(Set(keys.map(\.key)) == Set(ManifestReader.keys.values.joined()))
        #expect(reading.manifest?.settings.map(\.name) == settings.map(\.key))
        #expect(Set(reading.manifest?.settings.map(\.type) ?? []) == Set(SettingType.allCases))
    }

    @Test func theExampleOfTodaydConfHasAllKeysAndIsRight() throws {
        let example = try block(after: "## todayd.conf")
        let file = UnitFile(path: "c", bytes: Array(example.utf8), sections: Settings.sections)
        #expect(Settings.read([file]).complaints.isEmpty)
        #expect(file.assignments.map(\.key) == Settings.keys)
    }

    /// The directories of Sources/Widgets, and those in them: a widget may lie beside its app.
    private func widgetDirectories() throws -> [String] {
        func children(of path: String) throws -> [String] {
            try DirectoryListing(of: path).entries.filter { $0.kind == .directory }.map { "\(path)/\($0.name)" }
        }
        let outer = try children(of: "\(Self.root)/Sources/Widgets")
        return try outer + outer.flatMap(children)
    }

    @Test func theBundledWidgetsAreWithoutComplaint() throws {
        var programs: Set<String> = []
        var count = 0
        for directory in try widgetDirectories() {
            let survey = Survey(of: SearchPath(widgetDirectories: [directory]))
            #expect(survey.complaints.isEmpty)
            let files = try DirectoryListing(of: directory).entries
            var widgets = survey.files
            for (id, path) in survey.offers.templates {
                widgets[try #require(id.instance("example"))] = WidgetFiles(manifest: path)
            }
            for (id, declaring) in widgets {
                let environment = ["HOME": "/home/a", "XDG_RUNTIME_DIR": "/run/user/1"]
                let specifiers = Specifiers(isSystem: false, environment: environment, user: "a", home: nil)
                let loader = EntryLoader(reader: ManifestReader(specifiers: specifiers, uid: { _ in nil }))
                let entry = loader.load(id, declaring)
                if files.contains(where: { $0.name.hasSuffix(".swift") }) {
                    // Its program is built elsewhere; everything else must be right.
                    let program = try #require(entry.manifest?.update.command.first)
                    let cure = "put the program there, or correct the path"
                    #expect(entry.complaints.map(\.reason) == ["ExecStart=: \(program) does not exist; \(cure)"])
                    let name = String(program.split(separator: "/").last ?? "")
                    #expect(BuiltPrograms.has(name))
                    programs.insert(name)
                } else {
                    #expect(entry.reason == nil)
                    #expect(entry.complaints.isEmpty)
                }
                count += 1
            }
        }
        #expect(
            programs == [
                "agenda-widget", "btc-widget", "calendar-widget", "feed-widget", "follow-widget", "greeting-widget",
                "http-json-widget", "repositories-widget", "used-space-widget", "weather-widget",
            ])
        #expect(count > programs.count)
    }
}
