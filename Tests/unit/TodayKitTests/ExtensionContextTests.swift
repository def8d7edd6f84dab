// SPDX-License-Identifier: MIT
import Glibc
import Platform
import TestSupport
import Testing
import TodayModel
import Varlink

@testable import TodayKit

/// What the context tells a widget and does for it, with a daemon and without.
@MainActor @Suite(.serialized) struct ExtensionContextTests {
    @Test func sizesAndModesComeFromTheDaemon() async throws {
        let daemon = TinyDaemon()
        try await Surroundings.widget(of: daemon).during {
            let context = ExtensionContext()
            #expect(context.widgetIdentifier == "org.example.tiny")
            #expect(context.widgetLargestAvailableDisplayMode == .compact)
            #expect(context.widgetMaximumSize(for: .expanded) == WidgetSize(columns: 40, rows: 9))
            context.update(for: WidgetRequest(mode: .compact, size: WidgetSize(columns: 30, rows: 2)))
            #expect(context.widgetMaximumSize(for: .compact) == WidgetSize(columns: 30, rows: 2))
            context.widgetLargestAvailableDisplayMode = .expanded
            #expect(context.widgetLargestAvailableDisplayMode == .expanded)
            try await context.open("tiny://x")
            #expect(daemon.calls == ["Describe", "Describe", "SetLargestDisplayMode", "OpenURL"])
        }
    }

    @Test func settingsComeFromTheDaemon() async throws {
        let daemon = TinyDaemon()
        daemon.state.withLock {
            $0.settings = ["CITY": "Bern", "COUNT": "7", "SHOW": "true", "TAGS": "a\nb c", "NO": ""]
        }
        try await Surroundings.widget(of: daemon, ["CITY": "Genf", "OTHER": "o"]).during {
            let context = ExtensionContext()
            #expect(context.settings.string(forKey: "CITY") == "Bern")
            #expect(context.settings.integer(forKey: "COUNT") == 7)
            #expect(context.settings.bool(forKey: "SHOW"))
            #expect(context.settings.stringArray(forKey: "TAGS") == ["a", "b c"])
            #expect(context.settings.string(forKey: "NO") == nil && context.settings.string(forKey: "OTHER") == nil)
            #expect(daemon.calls == ["Describe"])
            // Each call of todayd brings the values of then.
            daemon.state.withLock { $0.settings = ["CITY": "Chur"] }
            context.update(for: WidgetRequest(mode: .compact, size: WidgetSize(columns: 30, rows: 2)))
            #expect(context.settings.string(forKey: "CITY") == "Chur")
        }
    }

    @Test func withoutAContextSettingsAreVariables() async {
        let variables = ["CITY": "Bern", "COUNT": "7.9", "BIG": "1e99", "SHOW": "false", "WORD": "x"]
        await Surroundings(variables: EnvironmentVariables(variables)).during {
            let settings = ExtensionContext().settings
            #expect(settings.string(forKey: "CITY") == "Bern")
            #expect(settings.integer(forKey: "COUNT") == 7 && settings.double(forKey: "COUNT") == 7.9)
            #expect(settings.integer(forKey: "BIG") == 0 && settings.integer(forKey: "WORD") == 0)
            #expect(!settings.bool(forKey: "SHOW") && !settings.bool(forKey: "NONE"))
            #expect(settings.stringArray(forKey: "NONE") == nil && settings.string(forKey: "NONE") == nil)
        }
    }

    @Test func aRefusalHasAReason() async throws {
        let daemon = TinyDaemon()
        daemon.state.withLock {
            $0.error = VarlinkError(
                name: "org.todayd.ExtensionContext.URLRefused", parameters: ["reason": "not one of URLSchemes="])
        }
        try await Surroundings.widget(of: daemon).during {
            do {
                try await ExtensionContext().open("http://x")
                Issue.record("it was opened")
            } catch {
                #expect(error as? TodayError == .refused("not one of URLSchemes="))
            }
            // An action may return right after it, so todayd has answered by then.
            var answers: [Bool] = []
            ExtensionContext().open("http://x") { answers.append($0) }
            #expect(answers == [false])
            daemon.state.withLock { $0.error = nil }
            ExtensionContext().open("tiny://x") { answers.append($0) }
            #expect(answers == [false, true] && daemon.calls == ["OpenURL", "OpenURL", "OpenURL"])
        }
    }

    @Test func withoutADaemonTheContextHasDefaults() async {
        await Surroundings(variables: EnvironmentVariables([:])).during {
            let context = ExtensionContext()
            #expect(context.widgetIdentifier == nil)
            #expect(context.widgetMaximumSize(for: .compact) == WidgetSize(columns: 60, rows: 4))
            context.widgetLargestAvailableDisplayMode = .compact
            #expect(context.widgetLargestAvailableDisplayMode == .compact)
            do {
                try await context.open("x://")
                Issue.record("it was opened")
            } catch {
                #expect("\(error)" == "nothing opens a URL here: this process has no connection to todayd")
            }
        }
    }

    @Test func directoriesComeFromTheDaemonOrTheUser() async throws {
        let home = TemporaryDirectory()
        let group = "group.org.example-1.app_x"
        let daemon = EnvironmentVariables([
            "TODAY_WIDGET": "org.example.x", "TODAY_STATE_DIRECTORY": "/s",
            "TODAY_GROUP_DIRECTORY_GROUP_ORG_EXAMPLE_1_APP_X": "/g",
        ])
        try await Surroundings(variables: daemon).during {
            let (own, shared) = (try ExtensionContext().containerDirectory, try GroupContainer(suiteName: group).path)
            #expect(own == "/s")
            #expect(shared == "/g")
            #expect(throws: TodayError.noSuchGroup("group.other")) { try GroupContainer(suiteName: "group.other") }
        }
        let author = EnvironmentVariables(["HOME": home.path, "TODAYD_SOCKET": "/nonexistent"])
        try await Surroundings(variables: author).during {
            let state = "\(home.path)/.local/state"
            let own = try ExtensionContext().containerDirectory
            #expect(own.hasPrefix("\(state)/today-widgets/"))
            #expect(access(own, W_OK) == 0)
            let shared = try GroupContainer(suiteName: group).path
            #expect(shared == "\(state)/todayd/groups/\(group)")
            #expect(throws: TodayError.noSuchGroup("../x")) { try GroupContainer(suiteName: "../x") }
        }
    }
}
