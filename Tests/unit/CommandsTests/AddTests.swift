// SPDX-License-Identifier: MIT
import ClientTestSupport
import JSON
import Link
import Synchronization
import TestSupport
import Testing
import TodayModel
import Varlink

/// What `todayctl add` and `remove` ask todayd, and what they say.
@Suite struct AddTests {
    private final class Calls: Sendable {
        let all = Mutex<[VarlinkCall]>([])

        func parameters(of member: String) -> JSONObject? {
            all.withLock { $0.last { $0.memberName == member }?.parameters }
        }
    }

    private let program = Program()
    private let calls = Calls()

    private static func offer(
        _ id: String, isTemplate: Bool = true, added: [String] = [], settings: [Setting] = []
    ) throws -> JSON {
        var offer = Offer(try #require(WidgetID(id)), isTemplate: isTemplate, name: id)
        offer.added = added.compactMap { WidgetID($0) }
        offer.settings = settings
        return offer.json
    }

    /// A todayd with these offers, which has the widget `org.a.moon`.
    private func serve(_ offers: [JSON], adds id: String = "org.a.weather@Bern", state: String = "ready") {
        let calls = calls
        program.serve(connections: 100) { peer in
            while let call = peer.receive() {
                calls.all.withLock { $0.append(call) }
                let name = call.parameters["id"]?.stringValue ?? ""
                switch call.memberName {
                case "Offers": peer.send(VarlinkReply(["offers": .array(offers)]))
                case "Add": peer.send(VarlinkReply(["id": .string(id)]))
                case "Show" where name == "moon" || name == "org.a.moon":
                    peer.send(VarlinkReply(["items": [Wire.item("org.a.moon", state: state)], "removed": []]))
                case "Show" where name == id:
                    peer.send(VarlinkReply(["items": [Wire.item(id, state: state)], "removed": []]))
                case "Show": peer.send(VarlinkReply(Wire.noSuchWidget(name)))
                case "Update": peer.send(VarlinkReply(["answers": []]))
                default: peer.send(VarlinkReply())
                }
            }
        }
    }

    @Test(
        arguments: [
            ("weather", nil), ("weather@", nil), ("weather@home", "home"), ("org.a.weather@a@b", "a@b"),
        ] as [(String, String?)])
    func aTemplateIsAddedByItsName(typed: String, instance: String?) throws {
        serve([try Self.offer("org.a.weather"), try Self.offer("org.a.feed")])
        let result = try program.run(["add", typed, "city=Bern", "unit=a=b"])
        #expect(result.code == .ok && result.errors.isEmpty, "\(result)")
        #expect(
            result.output.hasPrefix(
                "Added org.a.weather@Bern; 'todayctl remove org.a.weather@Bern' removes it again.\n"))
        let asked = try #require(calls.parameters(of: "Add"))
        #expect(asked["id"] == "org.a.weather" && asked["instance"]?.stringValue == instance)
        #expect(asked["values"] == ["city": "Bern", "unit": "a=b"])
        #expect(calls.parameters(of: "Update") != nil, "it runs for the first time")
    }

    @Test(arguments: [("hidden", true), ("empty", true), ("waiting", false), ("failing", false)])
    func aWidgetWithoutContentSaysThatItAppearsByItself(state: String, isAbsent: Bool) throws {
        serve([try Self.offer("org.a.weather")], state: state)
        let output = try program.run(["add", "weather"]).output
        #expect(output.hasSuffix("It has nothing to show now, and appears by itself once it has.\n") == isAbsent)
    }

    @Test func aNameOfNothingButAnInstanceIsNoTemplate() throws {
        serve([try Self.offer("org.a.weather"), try Self.offer("org.a.feed")])
        let result = try program.run(["add", "@weather"])
        #expect(result.code != .ok && calls.parameters(of: "Add") == nil, "\(result)")
    }

    @Test func aNameOfSeveralIsAQuestion() throws {
        serve([try Self.offer("org.a.weather"), try Self.offer("org.b.weather")])
        let result = try program.run(["add", "weather"])
        #expect(result.code == .noSuchWidget && calls.parameters(of: "Add") == nil)
        #expect(result.errors.contains("could be any of these:\n  org.a.weather\n  org.b.weather"))
        #expect(try program.run(["add", "org.b.weather"]).code == .ok)
        #expect(calls.parameters(of: "Add")?["id"] == "org.b.weather")
    }

    @Test func aSecretIsNotForACommandLine() throws {
        let token = try Setting(name: "TOKEN", type: .secret)
        serve([try Self.offer("org.a.weather", settings: [token])])
        let result = try program.run(["add", "weather", "token=x"])
        #expect(result.code == .usage && result.errors.contains("others can read command lines"))
        #expect(calls.parameters(of: "Add") == nil)
        let added = try program.run(["add", "weather"])
        #expect(added.errors.contains("'todayctl config org.a.weather@Bern --secret TOKEN' sets a secret of it"))
    }

    @Test func aWidgetThatIsThereIsEnabled() throws {
        serve([], state: "disabled")
        let result = try program.run(["add", "moon", "phase=full"])
        #expect(result.code == .ok && result.output.hasPrefix("Added org.a.moon; "), "\(result)")
        #expect(calls.parameters(of: "Enable")?["id"] == "org.a.moon")
        #expect(calls.parameters(of: "SetSettings")?["values"] == ["phase": "full"])
    }

    @Test func whatIsOnIsSaid() throws {
        serve([])
        #expect(try program.run(["add", "moon"]).errors == "todayctl: org.a.moon already exists\n")
        #expect(calls.parameters(of: "Enable") == nil)
        let missing = try program.run(["add", "sun"])
        #expect(missing.code == .noSuchWidget && missing.errors.contains("'todayctl add' lists them"))
    }

    @Test func whatThereIsIsListed() throws {
        serve([
            try Self.offer("org.a.weather", added: ["org.a.weather@x"]), try Self.offer("org.a.off", isTemplate: false),
            try Self.offer("org.a.on", isTemplate: false, added: ["org.a.on"]),
        ])
        let listed = try program.run(["add"])
        #expect(listed.code == .ok && listed.output.contains("weather") && listed.output.contains("off"))
        #expect(!listed.output.contains("org.a.on"), "it is there already")
        #expect(try program.run(["add", "--json"]).output.contains(#""template""#))
        #expect(try program.run(["add", "x", "novalue"]).code == .usage)
    }

    @Test func withNothingToAddItSaysSo() throws {
        serve([try Self.offer("org.a.on", isTemplate: false, added: ["org.a.on"])])
        let result = try program.run(["add"])
        #expect(result.code == .ok && result.errors.contains("everything that is installed has been added"))
        serve([])
        let none = try program.run(["add"])
        #expect(none.code == .ok && none.errors.contains("no widgets to add are installed"), "\(none)")
    }

    @Test func whatWasAddedIsRemovedAndAFileDisables() throws {
        serve([try Self.offer("org.a.weather", added: ["org.a.weather@Bern"])])
        #expect(try program.run(["remove", "org.a.weather@Bern"]).errors.isEmpty)
        #expect(calls.parameters(of: "Remove")?["id"] == "org.a.weather@Bern")
        #expect(try program.run(["remove", "org.a.weather@Bern", "org.a.weather@Bern"]).code == .ok, "takes several")
        let result = try program.run(["remove", "moon"])
        #expect(result.errors.contains("org.a.moon is there because of its file, so it is disabled"))
        #expect(calls.parameters(of: "Disable")?["id"] == "org.a.moon")
    }
}
