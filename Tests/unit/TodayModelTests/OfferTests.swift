// SPDX-License-Identifier: MIT
import JSON
import Testing
import TodayModel

/// Instances, and what they are called.
@Suite struct OfferTests {
    @Test(arguments: [
        ("org.a.weather@bern", "org.a.weather", "bern"), ("a.b@1", "a.b", "1"), ("a.b@New-York_2", "a.b", "New-York_2"),
    ])
    func anInstanceHasATemplate(text: String, template: String, name: String) throws {
        let id = try #require(WidgetID(text))
        #expect(id.template?.text == template && id.instance.map(String.init) == name)
        #expect(id.template?.instance(name) == id)
    }

    @Test(arguments: ["a.b@", "a.b@-x", "a.b@x.y", "a@b", "a@b.c", "a.b@x@y", "a.b@x y", "a.b@ä", "a.b@x/y", "@a.b"])
    func otherNamesAreNone(text: String) { #expect(WidgetID(text) == nil) }

    @Test func aWidgetOfItsOwnIsNone() throws {
        let id = try #require(WidgetID("org.a.disk"))
        #expect(id.template == nil && id.instance == nil)
        #expect(AppGroup("group.a@b") == nil)
        let bern = try #require(WidgetID("org.a.weather@bern"))
        for name in ["weather@bern", "weather", "a.weather"] { #expect(bern.hasSuffix(name)) }
        for name in ["bern", "ather", "weather@", "org", "", "a"] { #expect(!bern.hasSuffix(name)) }
    }

    @Test(arguments: [
        ("Bern", "Bern"), ("New York", "New-York"), ("Zürich", "Zuerich"), ("Århus", "Arhus"), ("  a  b ", "a-b"),
        ("https://www.lobste.rs/rss?x=1", "lobste-rs"), ("http://[::1]:80/", "1-80"), ("~/Mail/inbox", "inbox"),
        ("/home/a/todo.txt", "todo-txt"), ("EUR/USD", "EUR-USD"), ("東京", "1"), ("", "1"), ("-", "1"),
        ("taken", "taken-2"),
        ("42", "42"), (String(repeating: "x", count: 99), String(repeating: "x", count: 40)),
    ])
    func aNameIsMadeOfAValue(value: String, name: String) throws {
        let found = InstanceName.after(value) { $0 == "taken" }
        #expect(found == name && WidgetID("a.b")?.instance(found) != nil)
    }

    @Test func aNameIsTakenOnce() {
        #expect(InstanceName.after(nil) { _ in false } == "1")
        #expect(InstanceName.after(nil) { ["1", "2"].contains($0) } == "3")
        #expect(InstanceName.after("a") { ["a", "a-2"].contains($0) } == "a-3")
    }

    @Test func itReadsBack() throws {
        var offer = Offer(try #require(WidgetID("org.a.weather")), isTemplate: true, name: "Weather")
        #expect(try Offer(JSONField(root: offer.json)) == offer)
        (offer.summary, offer.icon, offer.example, offer.source, offer.complaint) = ("s", "☀", "12°", "/x", "broken")
        offer.settings = [
            try Setting(name: "CITY", type: .string, label: "Where"), try Setting(name: "KEY", type: .secret),
            try Setting(name: "UNIT", type: .choice, defaultText: "C", options: ["C", "F"]),
        ]
        offer.added = [try #require(WidgetID("org.a.weather@bern"))]
        #expect(try Offer(JSONField(root: offer.json)) == offer)
        #expect(offer.needs.map(\.name) == ["CITY"], "a secret is given later")
    }
}
