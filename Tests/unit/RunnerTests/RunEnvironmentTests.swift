// SPDX-License-Identifier: MIT
import Testing
import TodayModel

@testable import Runner

@Suite struct RunEnvironmentTests {
    private let settings = RunSettings(stateDirectory: "/state", socket: "/run/s", environment: [:])

    private func request(_ change: (inout Manifest) -> Void = { _ in }, reason: RunReason = .schedule) throws
        -> RunRequest
    {
        let id = try #require(WidgetID("org.example.test"))
        var manifest = Manifest(
            id: id, displayName: "Test", update: UpdatePlan(command: ["/x"], contentProtocol: .text))
        change(&manifest)
        return RunRequest(run: 7, manifest: manifest, reason: reason, mode: .expanded)
    }

    private func variables(_ request: RunRequest, base: [String: String] = [:]) -> [String: String] {
        RunEnvironment.variables(
            of: request, base: RunEnvironment.base(from: base),
            settings: settings)
    }

    @Test func theWholeEnvironmentOfAPlainRun() throws {
        #expect(
            variables(try request()) == [
                "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
                "TODAYD": "1", "TODAYD_VERSION": Version.text,
                "TODAY_WIDGET": "org.example.test", "TODAY_REASON": "schedule", "TODAY_DISPLAY_MODE": "expanded",
                "TODAY_MAX_COLUMNS": "60", "TODAY_MAX_ROWS": "16",
                "TODAY_STATE_DIRECTORY": "/state/widgets/org.example.test", "TODAY_SOCKET": "/run/s",
                "TODAY_KNOWN": "0", "TODAY_LARGEST_MODE": "compact", "TODAY_ALLOWS_EDITING": "0",
            ])
    }

    @Test func aCommandHasWhatIsTheWidgetsAndNothingOfARun() throws {
        var request = try request({
            $0.update.environment = ["CITY": "Rome"]
            $0.appGroups = ["group.a"]
        })
        request.settings = ["TOKEN": "x"]
        #expect(
            RunEnvironment.ofWidget(request, settings) == [
                "CITY": "Rome", "TOKEN": "x", "TODAY_WIDGET": "org.example.test", "TODAY_SOCKET": "/run/s",
                "TODAY_STATE_DIRECTORY": "/state/widgets/org.example.test",
                "TODAY_GROUP_DIRECTORY": "/state/groups/group.a",
                "TODAY_GROUP_DIRECTORY_GROUP_A": "/state/groups/group.a",
            ])
    }

    @Test func aStreamIsToldThatItIsOne() throws {
        let request = try request { $0.update.isStream = true }
        #expect(variables(request)["TODAY_STREAM"] == "1")
    }

    @Test func littleOfTheDaemonsOwnIsInherited() {
        let base = RunEnvironment.base(from: [
            "PATH": "/bin", "HOME": "/home/u", "LC_TIME": "de_DE.UTF-8", "LANG": "C", "XDG_RUNTIME_DIR": "/run/user/1",
            "NOTIFY_SOCKET": "/run/n", "LISTEN_FDS": "1", "LD_PRELOAD": "/x.so", "SECRET": "x", "STATE_DIRECTORY": "/s",
        ])
        #expect(
            base == [
                "PATH": "/bin", "HOME": "/home/u", "LC_TIME": "de_DE.UTF-8", "LANG": "C",
                "XDG_RUNTIME_DIR": "/run/user/1", "TODAYD": "1", "TODAYD_VERSION": Version.text,
            ])
    }

    @Test func anEmptyPathIsNone() {
        #expect(RunEnvironment.base(from: ["PATH": ""])["PATH"] == ProgramPath.value(in: [:]))
    }

    @Test func theManifestAddsToIt() throws {
        let request = try request { $0.update.environment = ["CITY": "Rome", "PATH": "/opt", "TODAY_REASON": "x"] }
        let variables = variables(request, base: ["PATH": "/bin"])
        #expect(variables["CITY"] == "Rome" && variables["PATH"] == "/opt")
        #expect(variables["TODAY_REASON"] == "schedule")
    }

    @Test func theSessionIsThatOfTheRequest() throws {
        var request = try request { $0.update.environment = ["XAUTHORITY": "/of/the/manifest"] }
        request.session = ["DISPLAY": ":0", "XAUTHORITY": "/x"]
        let variables = variables(request, base: ["DISPLAY": ":9", "SSH_AUTH_SOCK": "/old"])
        #expect(variables["DISPLAY"] == ":0" && variables["XAUTHORITY"] == "/of/the/manifest")
        #expect(variables["SSH_AUTH_SOCK"] == nil)
    }

    @Test func theProgramIsToldWhetherItIsKnown() throws {
        var request = try request()
        request.previous = Layers.Own(Content(text: "a"), taken: .now)
        #expect(variables(request)["TODAY_KNOWN"] == "1")
    }

    @Test func theRoomIsThatOfTheMode() throws {
        var request = try request()
        request.sizes.columns = 100
        request.sizes.expandedRows = 30
        #expect(variables(request)["TODAY_MAX_COLUMNS"] == "100")
        #expect(variables(request)["TODAY_MAX_ROWS"] == "30")
        request.mode = .compact
        #expect(variables(request)["TODAY_MAX_ROWS"] == "4")
    }

    private static let editing: [(interaction: Interaction?, isEditing: Bool, word: String?)] = [
        (.beginEditing, true, "begin"), (.endEditing(isCancelled: false), false, "end"),
        (.endEditing(isCancelled: true), false, "cancel"), (nil, true, "continue"), (nil, false, nil),
        (.action("next"), true, "continue"), (.action("next"), false, nil), (.displayMode, true, "continue"),
    ]

    @Test(arguments: 0..<8) func editingHasAWord(place: Int) throws {
        let (interaction, isEditing, word) = Self.editing[place]
        var request = try request(reason: interaction?.reason ?? .schedule)
        request.interaction = interaction
        request.isEditing = isEditing
        #expect(variables(request)["TODAY_EDITING"] == word)
        #expect(variables(request)["TODAY_ACTION"] == (interaction == .action("next") ? "next" : nil))
    }

    @Test func anActionHasItsName() throws {
        var request = try request(reason: .action)
        request.interaction = .action("next-day")
        #expect(variables(request)["TODAY_ACTION"] == "next-day")
        #expect(variables(request)["TODAY_REASON"] == "action")
    }

    /// A setting is above Environment=, because the user has set it, and below what the daemon says.
    @Test func settingsAreVariables() throws {
        for reason in [RunReason.schedule, .action] {
            var request = try request({ $0.update.environment = ["CITY": "Berlin", "OTHER": "o"] }, reason: reason)
            request.settings = ["CITY": "Bern", "TAGS": "a\nb", "TODAY_WIDGET": "x"]
            let variables = variables(request)
            #expect(variables["CITY"] == "Bern" && variables["TAGS"] == "a\nb" && variables["OTHER"] == "o")
            #expect(variables["TODAY_WIDGET"] == "org.example.test")
        }
    }

    @Test func groupsHaveDirectories() throws {
        let one = variables(try request { $0.appGroups = ["group.org.example.app-1"] })
        #expect(one["TODAY_GROUP_DIRECTORY_GROUP_ORG_EXAMPLE_APP_1"] == "/state/groups/group.org.example.app-1")
        #expect(one["TODAY_GROUP_DIRECTORY"] == "/state/groups/group.org.example.app-1")
        let two = variables(try request { $0.appGroups = ["group.a", "group.b"] })
        #expect(two["TODAY_GROUP_DIRECTORY_GROUP_B"] == "/state/groups/group.b")
        #expect(two["TODAY_GROUP_DIRECTORY"] == nil)
        #expect(two.keys.filter { $0.hasPrefix("TODAY_GROUP_DIRECTORY") }.count == 2)
    }
}
