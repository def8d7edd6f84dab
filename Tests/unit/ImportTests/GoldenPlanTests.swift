// SPDX-License-Identifier: MIT
import Testing
import TodayModel

@testable import Import

/// Configurations in the style of those that people have, and the plans for them.
@Suite struct GoldenPlanTests {
    @Test(arguments: ImportSource.all)
    func planOfAFixture(source: ImportSource) throws {
        let path = try #require(source.find(Fixture.files))
        let plan = ImportPlan.plan(for: source, path: path, files: Fixture.files)
        // Few people have several bars.
        #expect(plan.manifests.count + plan.plugins.count >= ([.i3, .sway].contains(source) ? 2 : 8))
        try Fixture.expectGolden("import-\(source.name)", plan.golden)
    }

    @Test(arguments: ImportSource.all)
    func theSameFilesGiveTheSamePlan(source: ImportSource) throws {
        let path = try #require(source.find(Fixture.files))
        let first = ImportPlan.plan(for: source, path: path, files: Fixture.files)
        let second = ImportPlan.plan(for: source, path: path, files: Fixture.files)
        #expect(first == second)
    }

    @Test(arguments: ImportSource.all)
    func everyManifestIsWellFormed(source: ImportSource) throws {
        let path = try #require(source.find(Fixture.files))
        let plan = ImportPlan.plan(for: source, path: path, files: Fixture.files)
        #expect(Set(plan.ids).count == plan.ids.count)
        for manifest in plan.manifests {
            try expectWellFormed(manifest)
            #expect(manifest.text.hasPrefix("# Imported from ~/.config/\(source.name)/"))
        }
    }
}

/// What todayd asks of every manifest, as far as no program has to be there.
func expectWellFormed(_ manifest: ImportedManifest) throws {
    #expect(manifest.text.utf8.count <= 64 << 10)
    #expect(manifest.id.text.hasPrefix("import."))
    #expect(manifest.text.hasPrefix("# Imported from "))
    #expect(manifest.text.hasSuffix("\n"))
    for line in manifest.text.split(separator: "\n") {
        #expect(PlainText.complaint(about: line, allowingLines: false) == nil, "\(line)")
        #expect(line.hasPrefix("#") || !line.hasSuffix("\\"), "\(line)")
        let isKnown = ["#", "[Widget]", "[Update]"].contains { line.hasPrefix($0) } || line.contains("=")
        #expect(isKnown, "\(line)")
    }
    let text = try #require(manifest.value("Interval"))
    if text != "once" {
        let interval = try #require(TimeSpan(text))
        #expect(interval >= UpdatePlan.shortestInterval && interval <= .days(100))
    }
    let name = try #require(manifest.value("DisplayName"))
    #expect(TextRule(mostBytes: ContentLimits.summaryBytes).complaint(about: name) == nil)
    #expect(manifest.value("Protocol").flatMap(ContentProtocol.init(rawValue:)) != nil)
    if let icon = manifest.value("Icon") {
        #expect(TextRule(mostBytes: ContentLimits.iconBytes).complaint(about: icon) == nil)
    }
    #expect(try manifest.command().count == 3)
    for variable in manifest.values("Environment") {
        let words = try Unquoting.words(variable)
        #expect(words.count == 1)
        #expect(words.first?.contains("=") == true)
    }
    let directories = try Unquoting.words(manifest.value("WorkingDirectory") ?? "")
    #expect(directories.count == 1)
}
