// SPDX-License-Identifier: MIT
import JSON
import Reactor
import TestSupport
import Testing
import TodayModel
import Varlink

@testable import QueryService

/// The methods Settings and SetSettings.
@Suite struct SettingsTests {
    init() { TestLoop.start() }

    private static let id: JSON = "org.example.disk"

    private static func parameters(of method: String, _ id: JSON = id) -> JSONObject {
        method == "Settings" ? ["id": id] : ["id": id, "values": [:]]
    }

    @Test func settingsAreListedWithoutSecrets() async throws {
        let fixture = try await Fixture()
        let count = try Setting(
            name: "COUNT", type: .number, label: "How many", defaultText: "10", minimum: 1, maximum: 50)
        let token = try Setting(name: "TOKEN", type: .secret)
        await fixture.with {
            $0.backend.declared = [
                SettingStatus(count, choosing: SettingValue("99")),
                SettingStatus(token, choosing: SettingValue("hunter2", isSecret: true)),
            ]
        }
        let reply = try fixture.connect().today("Settings", ["id": Self.id])
        #expect(
            reply["settings"] == [
                [
                    "name": "COUNT", "type": "number", "label": "How many", "default": "10", "min": 1.0, "max": 50.0,
                    "isSet": false, "value": "10", "complaint": "is more than 50",
                ], ["name": "TOKEN", "type": "secret", "isSet": true],
            ])
    }

    @Test func valuesReachTheBackendTogether() async throws {
        let fixture = try await Fixture()
        let client = try fixture.connect()
        #expect(
            try client.today(
                "SetSettings", ["id": Self.id, "values": ["CITY": "Bern", "TOKEN": ""], "unset": ["COUNT"]]) == [:])
        _ = try client.today("SetSettings", ["id": Self.id, "values": [:], "unset": nil])
        #expect(await fixture.backend.settingsSet == [["CITY=Bern", "TOKEN=", "COUNT"], []])
    }

    @Test(
        arguments: [
            ("values", ["id": id]), ("values", ["id": id, "values": ["CITY": 1]]),
            ("values", ["id": id, "values": ["CITY": nil]]), ("unset", ["id": id, "values": [:], "unset": ["a": "b"]]),
            ("unset", ["id": id, "values": [:], "unset": [1]]), ("id", ["values": [:]]),
        ] as [(String, JSONObject)])
    func wrongParametersAreNamed(parameter: String, parameters: JSONObject) async throws {
        let fixture = try await Fixture()
        let error = try fixture.connect().error(of: "org.todayd.Today.SetSettings", parameters)
        #expect(error == .invalidParameter(parameter))
        #expect(await fixture.backend.settingsSet.isEmpty)
    }

    @Test func refusalsHaveTheirReason() async throws {
        let fixture = try await Fixture()
        await fixture.with { $0.backend.refusal = .refused("COUNT: \"x\" is not a number") }
        let client = try fixture.connect()
        let error = VarlinkError.refused("COUNT: \"x\" is not a number")
        #expect(try client.error(of: "org.todayd.Today.Settings", ["id": Self.id]) == error)
        #expect(try client.error(of: "org.todayd.Today.SetSettings", ["id": Self.id, "values": [:]]) == error)
        for method in ["Settings", "SetSettings"] {
            #expect(
                try client.error(of: "org.todayd.Today.\(method)", Self.parameters(of: method, "x"))?.name
                    == "org.todayd.Today.NoSuchWidget")
        }
    }

    /// In the system instance, a user who may not set them does not read them: a value may be private.
    @Test func whoMayNotSetThemDoesNotReadThem() async throws {
        let fixture = try await Fixture()
        await fixture.with { $0.backend.mayChange = false }
        let client = try fixture.connect()
        for method in ["Settings", "SetSettings"] {
            #expect(
                try client.error(
                    of: "org.todayd.Today.\(method)", Self.parameters(of: method))
                    == .permissionDenied)
        }
        #expect(await fixture.backend.asked == [.choices, .choices])
        #expect(await fixture.backend.settingsSet.isEmpty)
    }
}
