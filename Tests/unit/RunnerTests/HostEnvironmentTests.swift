// SPDX-License-Identifier: MIT
import Testing
import TodayModel

@testable import Runner

struct HostEnvironmentTests {
    private static let start = WallTime(microseconds: 1_700_000_000_000_000)

    private func variables(
        _ contentProtocol: ContentProtocol, reason: RunReason = .schedule, _ interaction: Interaction? = nil,
        environment: [String: String] = [:]
    ) throws -> [String: String] {
        let id = try #require(WidgetID("plugin.a"))
        var plan = UpdatePlan(command: ["/p/a.5m.sh"], contentProtocol: contentProtocol, interval: .minutes(2))
        plan.environment = environment
        var request = RunRequest(
            run: 1, manifest: Manifest(id: id, displayName: "a", update: plan), reason: reason, mode: .compact)
        request.interaction = interaction
        var settings = RunSettings(stateDirectory: "/state", socket: "/s", environment: [:])
        settings.startTime = Self.start
        return RunEnvironment.variables(
            of: request, base: [:], settings: settings)
    }

    @Test(
        arguments: [
            (ContentProtocol.xbar, "XBARDarkMode", "false"), (.bitbar, "BitBarDarkMode", "false"),
            (.swiftbar, "SWIFTBAR", "1"), (.swiftbar, "SWIFTBAR_PLUGINS_PATH", "/p"),
            (.swiftbar, "SWIFTBAR_PLUGIN_PATH", "/p/a.5m.sh"),
            (.swiftbar, "SWIFTBAR_PLUGIN_DATA_PATH", "/state/widgets/plugin.a"),
            (.swiftbar, "SWIFTBAR_PLUGIN_REFRESH_REASON", "Schedule"), (.argos, "ARGOS_VERSION", "2"),
            (.argos, "ARGOS_MENU_OPEN", "false"), (.i3blocks, "BLOCK_NAME", "plugin.a"),
            (.i3blocks, "interval", "120"), (.i3blocks, "BLOCK_BUTTON", ""),
        ])
    func eachHostHasItsVariables(contentProtocol: ContentProtocol, name: String, value: String) throws {
        #expect(try variables(contentProtocol)[name] == value)
        #expect(try variables(.text)[name] == nil)
    }

    @Test func aPluginOfSwiftBarKnowsWhenItsHostStarted() throws {
        let text = try #require(try variables(.swiftbar)["SWIFTBAR_LAUNCH_TIME"])
        #expect(WallTime(rfc3339: text) == Self.start)
    }

    @Test func argosKnowsThatItsMenuOpens() throws {
        #expect(try variables(.argos, reason: .appear)["ARGOS_MENU_OPEN"] == "true")
    }

    @Test func aClickHasItsButton() throws {
        let clicked = try variables(.i3blocks, reason: .action, .action("click-3"))
        #expect(clicked["BLOCK_BUTTON"] == "3" && clicked["button"] == "3" && clicked["TODAY_ACTION"] == "click-3")
        #expect(try variables(.i3blocks, reason: .action, .action("other"))["BLOCK_BUTTON"] == "")
    }

    @Test func theManifestReplacesThem() throws {
        #expect(try variables(.i3blocks, environment: ["BLOCK_NAME": "disk"])["BLOCK_NAME"] == "disk")
    }
}
