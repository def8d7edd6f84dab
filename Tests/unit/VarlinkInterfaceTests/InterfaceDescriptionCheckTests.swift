// SPDX-License-Identifier: MIT
import JSON
import Testing
import VarlinkInterface

@Suite struct InterfaceDescriptionCheckTests {
    private let interface: InterfaceDescription

    init() throws { interface = try InterfaceDescription(parsing: InterfaceDescriptionTests.text) }

    private static let thing: JSON = [
        "name": "tea", "tags": ["hot": [:]], "kind": "liquid", "size": ["width": 1, "height": 2],
    ]

    @Test(
        arguments: [
            ["things": [thing], "by_name": ["tea": thing], "raw": [:]],
            ["things": [], "by_name": [:], "raw": ["anything": [1, nil]]],
        ] as [JSONObject])
    func declaredValuesMatch(_ parameters: JSONObject) {
        #expect(interface.check(parameters, against: .output(of: "List")) == nil)
    }

    @Test(arguments: [[:], ["level": nil], ["level": "half_full"]] as [JSONObject])
    func nullableFieldsMayBeAbsent(_ parameters: JSONObject) {
        #expect(interface.check(parameters, against: .input(of: "List")) == nil)
    }

    @Test(
        arguments: [
            (["level": "ful"], #"level: expected "empty" or "half_full" or "full", found "ful"; did you mean "full"?"#),
            (["level": 1], "level: expected a string, found a number"),
            (["levle": "full"], #"levle: unknown field, did you mean "level"?"#),
        ] as [(JSONObject, String)])
    func wrongInputIsToldWithItsPlace(_ parameters: JSONObject, _ message: String) {
        #expect(interface.check(parameters, against: .input(of: "List"))?.description == message)
    }

    @Test(
        arguments: [
            ([:], "name: is missing"),
            (["name": nil], "name: expected a string, found null"),
            (["name": 1], "name: expected a string, found a number"),
            (["weight": "1"], "weight: expected a number, found a string"),
            (["tags": []], "tags: expected an object, found an array"),
            (["tags": ["a b": ["x": 1]]], #"tags["a b"].x: unknown field"#),
            (["kind": "gas"], #"kind: expected "solid" or "liquid", found "gas""#),
            (["size": ["width": 1.5, "height": 1]], "size.width: expected a whole number, found 1.5"),
            (["size": ["width": 1]], "size.height: is missing"),
            (["size": ["width": 1, "height": 2, "depth": 3]], "size.depth: unknown field"),
        ] as [(JSONObject, String)])
    func aWrongFieldIsToldWithItsPlace(_ changes: JSONObject, _ message: String) {
        var thing = Self.thing.objectValue ?? [:]
        if changes.isEmpty { thing["name"] = nil }
        for (key, value) in changes { thing[key] = value }
        #expect(interface.check(thing, against: .type("Thing"))?.description == message)
        let output: JSONObject = ["things": [Self.thing, .object(thing)], "by_name": [:], "raw": [:]]
        #expect(interface.check(output, against: .output(of: "List"))?.description == "things[1].\(message)")
    }

    @Test func anErrorsParametersAreCheckedToo() {
        #expect(interface.check([:], against: .error("Locked")) == nil)
        #expect(interface.check(["needed": [1, 2], "what": "x"], against: .error("NoRoom")) == nil)
        #expect(interface.check(["needed": [1, "2"], "what": 1], against: .error("NoRoom"))?.path == "needed[1]")
    }

    @Test func aMemberThatIsNotDeclaredNeverMatches() {
        #expect(
            interface.check([:], against: .input(of: "Nothing"))?.reason == "org.example.cup-board declares no Nothing")
        #expect(interface.check([:], against: .error("Clear")) != nil)
        #expect(interface.check([:], against: .type("Clear")) != nil)
    }

    @Test func aTypeThatContainsItselfIsCheckedAsDeepAsTheValue() throws {
        let tree = try InterfaceDescription(parsing: "interface a.b\ntype Tree (left: ?Tree, right: ?Tree)")
        #expect(tree.check(["left": ["right": ["left": nil]]], against: .type("Tree")) == nil)
        #expect(tree.check(["left": ["right": ["up": 1]]], against: .type("Tree"))?.path == "left.right.up")
    }
}
