// SPDX-License-Identifier: MIT
import Reactor
import TestSupport
import Testing
import TodayModel

@testable import Registry

/// What there is to add, and what was added.
@Suite struct OfferTests {
    private let directory = TemporaryDirectory()
    private static let template = "[Widget]\nDisplayName=Weather %i\n[Update]\nProtocol=push\n"

    init() { TestLoop.start() }

    @LoopActor private func start(adding ids: String...) throws -> Registry {
        let registry = try Registry(
            searchPath: SearchPath(widgetDirectories: [directory("a/widgets"), directory("b/widgets")]))
        registry.setAdded(Set(ids.compactMap { WidgetID($0) }))
        registry.reload()
        return registry
    }

    @LoopActor private func entry(_ id: String, _ registry: Registry) -> Registry.Entry? {
        WidgetID(id).flatMap { registry.widgets[$0] }
    }

    @Test @LoopActor func whatIsOfferedIsNoWidgetUntilItIsAdded() throws {
        try directory.write(Self.template, to: "b/widgets/org.a.weather@.widget")
        try directory.write(Self.template, to: "b/optional/org.a.feed@.widget")
        try directory.write(Self.template, to: "b/optional/org.a.agenda.widget")
        try directory.write("nothing", to: "b/optional/README")
        let registry = try start()
        #expect(registry.widgets.isEmpty && registry.complaints.isEmpty)
        let offers = registry.readOffers()
        #expect(offers.map(\.id.text) == ["org.a.agenda", "org.a.feed", "org.a.weather"])
        #expect(offers.map(\.isTemplate) == [false, true, true])
        registry.setAdded(Set(["org.a.weather@bern", "org.a.agenda"].compactMap { WidgetID($0) }))
        #expect(registry.widgets.keys.map(\.text).sorted() == ["org.a.agenda", "org.a.weather@bern"])
        #expect(entry("org.a.weather@bern", registry)?.displayName == "Weather bern")
        #expect(entry("org.a.agenda", registry)?.displayName == "Weather %i")
        registry.setAdded([])
        #expect(registry.widgets.isEmpty)
    }

    @Test @LoopActor func theStrongestDirectoryCounts() throws {
        try directory.write(Self.template, to: "b/widgets/org.a.weather@.widget")
        try directory.write(Self.template.replacing("Weather", with: "Mine"), to: "a/optional/org.a.weather@.widget")
        try directory.write(
            "[Widget]\nDisplayName=File\n[Update]\nProtocol=push\n", to: "a/widgets/org.a.weather@oslo.widget")
        let registry = try start(adding: "org.a.weather@bern", "org.a.weather@oslo")
        #expect(entry("org.a.weather@bern", registry)?.path == directory("b/widgets/org.a.weather@.widget"))
        #expect(entry("org.a.weather@oslo", registry)?.displayName == "File", "a file of its own")
        registry.setAdded([])
        #expect(registry.widgets.keys.map(\.text) == ["org.a.weather@oslo"])
    }

    @Test @LoopActor func dropInsOfTheTemplateAndOfTheInstanceCount() throws {
        try directory.write(Self.template, to: "b/widgets/org.a.weather@.widget")
        try directory.write("[Widget]\nIcon=☀\nDescription=of %i\n", to: "b/widgets/org.a.weather@.widget.d/1.conf")
        try directory.write("[Widget]\nDisplayName=Capital\n", to: "a/widgets/org.a.weather@bern.widget.d/2.conf")
        let registry = try start(adding: "org.a.weather@bern", "org.a.weather@oslo")
        let bern = try #require(entry("org.a.weather@bern", registry)?.manifest)
        let oslo = try #require(entry("org.a.weather@oslo", registry)?.manifest)
        #expect(bern.displayName == "Capital" && bern.icon == "☀" && bern.summary == "of bern")
        #expect(oslo.displayName == "Weather oslo" && oslo.icon == "☀" && oslo.summary == "of oslo")
        #expect(registry.complaints.isEmpty)
    }

    @Test @LoopActor func aTemplateThatChangesAndGoesIsNoticed() async throws {
        try directory.write(Self.template, to: "b/optional/org.a.weather@.widget")
        let registry = try start(adding: "org.a.weather@bern")
        try directory.write(Self.template.replacing("Weather", with: "Air"), to: "b/optional/org.a.weather@.widget")
        try await eventually("the change") { entry("org.a.weather@bern", registry)?.displayName == "Air bern" }
        try directory.delete("b/optional/org.a.weather@.widget")
        try await eventually("the end") {
            entry("org.a.weather@bern", registry)?.reason?.contains("org.a.weather@.widget: does not exist") == true
        }
        try directory.write(Self.template, to: "a/widgets/org.a.weather@.widget")
        try await eventually("another") { entry("org.a.weather@bern", registry)?.reason == nil }
    }

    @Test func theNameOfAnInstanceIsInEachValue() throws {
        let id = try #require(WidgetID("org.a.weather@bern"))
        let lines = [
            "[Update]", "ExecStart=/bin/true %i %%i a%i", "Environment=PLACE=%i", "[Settings]",
            "CITY=string default=%i",
        ]
        let file = UnitFile(
            path: "x", bytes: Array(lines.joined(separator: "\n").utf8), sections: ManifestReader.sections)
        let reader = ManifestReader { _ in nil }
        let manifest = try #require(reader.read(id, [file]) { "/" }.manifest)
        #expect(manifest.update.command == ["/bin/true", "bern", "%i", "abern"])
        #expect(manifest.update.environment == ["PLACE": "bern"] && manifest.settings[0].defaultText == "bern")
        let own = try #require(WidgetID("org.a.weather"))
        #expect(reader.read(own, [file]) { "/" }.complaints.first?.reason.contains("%i is not known here") == true)
    }
}
