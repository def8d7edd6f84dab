// SPDX-License-Identifier: MIT
import JSON
import TestSupport
import Testing
import TodayModel
import Varlink

@testable import QueryService

/// Calls that the service cannot answer, and the errors that say so.
@Suite struct ErrorTests {
    init() { TestLoop.start() }

    private static let disk: JSONObject = ["id": "org.example.disk"]

    private static func disk(_ others: JSONObject) -> JSONObject {
        JSONObject([("id", "org.example.disk")] + others.map { ($0.key, $0.value) })
    }

    @Test(
        arguments: [
            ("List", ["point": "roof"], "point"),
            ("List", ["point": 3], "point"),
            ("List", ["points": "today"], "points"),
            ("Show", ["id": 3], "id"),
            ("Update", ["id": true], "id"),
            ("HasContent", [:], "id"),
            ("SetHasContent", disk([:]), "hasContent"),
            ("SetHasContent", disk(["hasContent": "yes"]), "hasContent"),
            ("SetHasContent", disk(["hasContent": true, "has": 1]), "has"),
            ("GetDefaults", [:], "group"),
            ("Status", ["id": []], "id"),
            ("Monitor", ["x": 1], "x"),
        ] as [(String, JSONObject, String)])
    func aWrongParameterIsNamed(method: String, parameters: JSONObject, wrong: String) async throws {
        let error = try await Fixture().connect().error(of: "org.todayd.Today.\(method)", parameters)
        #expect(error == .invalidParameter(wrong))
    }

    @Test(
        arguments: [
            ("org.todayd.Widget.PerformUpdate", .interfaceNotFound("org.todayd.Widget")),
            ("org.todayd.Today.Fly", .methodNotFound("org.todayd.Today.Fly")),
            ("org.varlink.service.Fly", .methodNotFound("org.varlink.service.Fly")),
            ("org.todayd.Today.Monitor", .expectedMore),
        ] as [(String, VarlinkError)])
    func whatCannotBeCalledIsRefused(method: String, expected: VarlinkError) async throws {
        #expect(try await Fixture().connect().error(of: method) == expected)
    }

    @Test func upgradesAreNotImplemented() async throws {
        let client = try await Fixture().connect()
        try client.send(VarlinkCall("org.todayd.Today.List", upgrade: true))
        #expect(throws: VarlinkError.methodNotImplemented("org.todayd.Today.List")) {
            try client.receive().result()
        }
    }

    /// The widgets, and those that `disk` may mean.
    private static let namesakes: [(widgets: [String], candidates: [String])] = [
        (["org.example.disk", "plugin.disk", "import.i3blocks.disk"], ["org.example.disk"]),
        (["plugin.disk", "import.i3blocks.disk"], ["import.i3blocks.disk", "plugin.disk"]),
        (
            ["org.example.disk", "org.todayd.disk", "plugin.disk"],
            ["org.example.disk", "org.todayd.disk", "plugin.disk"]
        ),
        (["plugin.disk", "org.example.load"], ["plugin.disk"]),
    ]

    @Test(arguments: namesakes.indices) func anImportTakesNoName(_ index: Int) throws {
        let (widgets, candidates) = Self.namesakes[index]
        let error = VarlinkError.noSuchWidget("disk", among: widgets.compactMap { WidgetID($0) })
        #expect(error.parameters.strings("candidates").sorted() == candidates)
    }

    @Test(
        arguments: [
            ("disk", ["org.example.disk"], nil),
            ("dsk", [], "org.example.disk"),
            ("org.example.dsik", [], "org.example.disk"),
            ("com.other.thing", [], nil),
            ("", [], nil),
            (String(repeating: "x", count: 100_000), [], nil),
        ] as [(String, [String], String?)])
    func anUnknownWidgetComesWithWhatMayBeMeant(id: String, candidates: [String], nearest: String?) async throws {
        let client = try await Fixture([.showing("a"), .showing("b", .load)]).connect()
        for method in ["Show", "HasContent", "Enable", "Status", "Update"] {
            let error = try #require(try client.error(of: "org.todayd.Today.\(method)", ["id": .string(id)]))
            #expect(error.name == "org.todayd.Today.NoSuchWidget")
            #expect(error.parameters["id"] == .string(id.utf8.count > 200 ? id.prefix(200) + "…" : id))
            #expect(error.parameters.strings("candidates") == candidates)
            #expect(error.parameters["nearest"] == nearest.map(JSON.string))
            #expect(Fixture.today.check(error.parameters, against: .error("NoSuchWidget")) == nil)
        }
    }

    @Test(
        arguments: [
            ("weathre", ["org.example.weather", "org.weather.x"], "org.example.weather"),
            ("org.exmple.weather", ["org.example.weather"], "org.example.weather"),
            ("b.d", ["org.example.b"], nil),
            // Three letters more or less are a typing error, four are not.
            ("abcdefghijkl", ["org.example.abcdefghi"], "org.example.abcdefghi"),
            ("abcdefghi", ["org.example.abcdefghijkl"], "org.example.abcdefghijkl"),
            ("abcdefghijklmnop", ["org.example.abcdefghijkl"], nil),
            ("xbcdefghijkl", ["org.example.abcdefghijklmnop"], nil),
            // The beginning of a label, or a label in the middle.
            ("abcdefghijkl", ["org.example.abcdefghijklmnop"], "org.example.abcdefghijklmnop"),
            ("example", ["org.example.abc", "org.other.def"], "org.example.abc"),
        ] as [(String, [String], String?)])
    func theNearestNameIsOneThatWasMeant(name: String, widgets: [String], nearest: String?) {
        let error = VarlinkError.noSuchWidget(name, among: widgets.compactMap { WidgetID($0) })
        #expect(error.parameters["nearest"]?.stringValue == nearest)
    }

    /// Among many identifiers, those that begin and end like the given name are compared.
    @Test func ofManyNamesTheMostSimilarAreCompared() {
        let others = (100..<400).map { "org.example.ab\($0)yz" }
        for (name, meant) in [("abcdwyz", "abcdxyz"), ("xbcdyz", "abcdyz"), ("abcdy", "abcdyz")] {
            let widgets = (others + ["org.example.\(meant)"]).compactMap { WidgetID($0) }
            let error = VarlinkError.noSuchWidget(name, among: widgets)
            #expect(error.parameters["nearest"] == .string("org.example.\(meant)"))
        }
    }

    /// A call with an unknown name must be cheap, so only a limited number of identifiers is compared letter by letter.
    @Test(arguments: [(31, true), (32, false)]) func ofManyNamesFewAreCompared(others: Int, isFound: Bool) {
        // The others begin like the given name; the intended one does not.
        let widgets = (0..<others).map { "org.example.abc\(100_000_000 + $0)" } + ["org.example.xbcdefghijky"]
        let error = VarlinkError.noSuchWidget("abcdefghijkl", among: widgets.compactMap { WidgetID($0) })
        #expect(error.parameters["nearest"] == (isFound ? "org.example.xbcdefghijky" : nil))
    }

    @Test func theNearestOfVeryManyIsFound() async throws {
        let client = try await Fixture((0..<3_000).map { .showing("", .numbered($0)) }).connect()
        let error = try client.error(of: "org.todayd.Today.HasContent", ["id": "org.example.w2995x"])
        #expect(error?.parameters["nearest"] == "org.example.w2995")
    }

    @Test func anUnknownGroupIsNamed() async throws {
        let client = try await Fixture().connect()
        let error = try client.error(of: "org.todayd.Today.GetDefaults", ["group": "group.none"])
        #expect(error == VarlinkError(name: "org.todayd.Today.NoSuchGroup", parameters: ["group": "group.none"]))
    }

    @Test(
        arguments: [
            ("org.todayd.Today.GetDefaults", "group", "group"), ("org.todayd.Today.Show", "id", "id"),
            ("org.varlink.service.GetInterfaceDescription", "interface", "interface"),
        ])
    func whatThereIsNotIsNamedByItsBeginning(method: String, parameter: String, echo: String) async throws {
        // 600 KB that are only a handful of characters, because a character may have any length.
        let name = String(repeating: "a" + String(repeating: "\u{200d}", count: 50_000), count: 4)
        let error = try await Fixture().connect().error(of: method, [parameter: .string(name)])
        let echoed = try #require(error?.parameters[echo]?.stringValue)
        #expect(echoed.utf8.count <= 260)
        #expect(echoed.utf8.starts(with: "a".utf8))
    }

    @Test func aMethodWithALongNameIsNotFound() async throws {
        let name = "org.todayd.Today." + String(repeating: "é", count: 1_000_000)
        let error = try await Fixture().connect().error(of: name)
        #expect(error?.name == "org.varlink.service.MethodNotFound")
        #expect(error?.parameters["method"]?.stringValue?.utf8.count ?? 0 <= 260)
    }

    @Test(
        arguments: [
            (.refused("its manifest is wrong"), "org.todayd.Today.Refused", ["reason": "its manifest is wrong"]),
            (.notStored("disk full"), "org.todayd.Today.NotStored", ["reason": "disk full"]),
            (
                .noSuchWidget(.load), "org.todayd.Today.NoSuchWidget",
                ["id": "org.example.load", "candidates": [], "nearest": "org.example.disk"]
            ),
        ] as [(Refusal, String, JSONObject)])
    func refusalsBecomeErrors(refusal: Refusal, name: String, parameters: JSONObject) async throws {
        let fixture = try await Fixture()
        await fixture.with { $0.backend.refusal = refusal }
        let client = try fixture.connect()
        let expected = VarlinkError(name: name, parameters: parameters)
        #expect(try client.error(of: "org.todayd.Today.Enable", Self.disk) == expected)
    }
}
