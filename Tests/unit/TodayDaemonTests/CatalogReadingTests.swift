// SPDX-License-Identifier: MIT
import Glibc
import JSON
import QueryService
import Reactor
import Runner
import TestSupport
import Testing
import TodayModel
import Varlink

@testable import SnapshotStore
@testable import TodayDaemon

/// What the daemon tells about itself, about groups and to running widgets.
@Suite struct CatalogReadingTests: DaemonDeciding {
    init() { TestLoop.start() }

    // MARK: The daemon

    @Test @LoopActor func theStatusCountsWidgetsAndRuns() async throws {
        let machine = try SimulatedMachine(
            ["a", "b", "c"].map { Self.manifest($0, "json") }, configuration: "[Daemon]\nConcurrencyMax=1\nNo=1\n")
        await machine.settle()
        let status = machine.daemon.catalog.daemonStatus()
        #expect(status.instance == .user && status.pid == getpid() && status.version == Version.text)
        #expect(status.socket == machine.directory("run/todayd.sock"))
        #expect(status.stateDirectory == machine.directory("state"))
        #expect(status.widgetDirectories == [machine.directory("widgets")])
        #expect(status.pluginDirectories == [machine.directory("plugins")])
        #expect(status.storage == "ok" && status.storageIsFine)
        #expect([status.widgets, status.running, status.waiting, status.concurrency] == [3, 1, 2, 1])
        #expect(status.complaints.count == 1 && status.complaints.first?.contains("todayd.conf:3") == true)
        #expect(try machine.daemon.catalog.status(of: widget("b"))?.id == "org.test.b")
        #expect(try machine.daemon.catalog.status(of: widget("none")) == nil)
    }

    @Test @LoopActor func theStatusSaysWhenNothingCanBeStored() async throws {
        let machine = try await machine()
        try await machine.restart { try machine.becomeNewer() }
        let status = machine.daemon.catalog.daemonStatus()
        #expect(status.storage.contains("was written by a newer todayd") && !status.storageIsFine)
    }

    // MARK: Groups

    /// A group's stored values stay readable after its last widget has gone.
    @Test @LoopActor func aGroupIsKnownWhileItHasAWidgetOrAValue() async throws {
        let machine = try await machine()
        #expect(machine.daemon.catalog.defaults(of: "group.none") == nil)
        #expect(machine.daemon.catalog.defaults(of: "group.g") == [:])
        try await write(machine, 1)
        #expect(machine.daemon.catalog.defaults(of: "group.g") == ["k": 1])
        try await machine.delete("org.test.a.widget")
        #expect(machine.daemon.catalog.defaults(of: "group.g") == ["k": 1])
    }

    // MARK: A widget that runs

    @Test @LoopActor func theContextOfAWidgetHasItsModeSizesAndRights() async throws {
        let (name, text) = Self.manifest("a", "varlink")
        let machine = try SimulatedMachine(
            [(name, text.replacing("[Widget]", with: "[Widget]\nURLSchemes=https"))],
            configuration: "[Daemon]\nColumns=40\nCompactRows=3\n")
        await machine.settle()
        await machine.finishAll()
        machine.daemon.catalog[try widget()].processes.began(1)
        var sizes = DisplaySizes.standard
        (sizes.columns, sizes.compactRows) = (40, 3)
        func description(_ largestMode: JSON) -> JSONObject {
            [
                "id": "org.test.a", "mode": "compact", "largestMode": largestMode,
                "compact": ["columns": 40, "rows": 3],
                "expanded": ["columns": 40, "rows": JSON(DisplaySizes.standard.expandedRows)],
                "groups": ["group.g"], "schemes": ["https"], "settings": [:],
            ]
        }
        let catalog = machine.daemon.catalog
        #expect(try catalog.description(of: widget()) == description("expanded"))
        machine.daemon.setLargestDisplayMode(.compact, of: try widget(), context: 1)
        #expect(try catalog.description(of: widget()) == description("compact"))
        machine.daemon.catalog.looksChanged(began: [try widget()], ended: [])
        #expect(machine.runner.told.first?.scene.size == Size(columns: 40, rows: 3))
        #expect(machine.runner.told.first?.scene.mode == .compact)
        try await machine.delete(name)
        #expect(throws: Refusal.noSuchWidget(try widget())) { try catalog.description(of: widget()) }
    }

    @Test @LoopActor func aWidgetIsToldWhenHostsBeginAndEndToShowIt() async throws {
        let machine = try await machine("varlink", answers: .failed("no network"))
        machine.daemon.catalog.looksChanged(began: [try widget()], ended: [])
        await machine.pass(.minutes(2))
        try await finish(machine, .newData(Content(text: "own")))
        await machine.perform(.beginEditing, of: try widget())
        machine.daemon.catalog.looksChanged(began: [], ended: [try widget()])
        #expect(machine.runner.told.map(\.look) == [.appear, .disappear])
        #expect(machine.runner.told.map(\.scene.isKnown) == [false, true])
        #expect(machine.runner.told.map(\.scene.isEditing) == [false, true])
    }

    @Test @LoopActor func aWidgetCannotChooseALargerModeThanItsManifestDeclares() async throws {
        let machine = try await machine("varlink", largest: "compact")
        machine.daemon.catalog[try widget()].processes.began(1)
        machine.daemon.setLargestDisplayMode(.expanded, of: try widget(), context: 1)
        #expect(try machine.item(widget())?.largestMode == .compact)
    }

    /// A process cannot choose the mode once a newer process has started.
    @Test @LoopActor func theLargestModeIsChosenByTheNewestProcess() async throws {
        let machine = try await machine("varlink")
        for id: SessionID in [1, 2] { machine.daemon.catalog[try widget()].processes.began(id) }
        machine.daemon.setLargestDisplayMode(.compact, of: try widget(), context: 1)
        #expect(try machine.item(widget())?.largestMode == .expanded)
        machine.daemon.setLargestDisplayMode(.compact, of: try widget(), context: 2)
        #expect(try machine.item(widget())?.largestMode == .compact)
    }

    // MARK: Commands

    private static func menu(_ words: JSON, disabled: Bool = false) throws -> Content {
        let item: JSON = ["type": "item", "title": "Do", "command": words, "disabled": .bool(disabled)]
        let other: JSON = ["type": "item", "title": "Say", "command": ["say", "a b"]]
        return try Content(
            JSONField(root: [
                "text": "x", "compact": "x",
                "expanded": ["type": "item", "title": "Menu", "children": [item, other]],
            ]))
    }

    @Test @LoopActor func aCommandThatIsShownIsPreparedWithTheSettings() async throws {
        let (name, text) = Self.manifest("a", "json")
        let settings = "\n[Settings]\nCITY=string default=Bern\n"
        let machine = try SimulatedMachine([
            (name, text.replacing("[Widget]", with: "[Widget]\nAllowsCommands=yes") + settings)
        ])
        await machine.settle()
        await machine.finishAll(.newData(try Self.menu(["do", "it"])))
        let catalog = machine.daemon.catalog
        let expected = CommandLaunch(directory: "/of/org.test.a", environment: ["CITY": "Bern"])
        #expect(try catalog.launch(of: ["do", "it"], of: widget()) == expected)
        #expect(try catalog.launch(of: ["say", "a b"], of: widget()) == expected)
        for words in [["do"], ["do", "it", ""], ["do it"], [], ["Do", "it"]] {
            #expect(throws: Refusal.self) { try catalog.launch(of: words, of: widget()) }
        }
        try await update(machine)
        await machine.finishAll(.newData(try Self.menu(["do", "it"], disabled: true)))
        #expect(throws: Refusal.self) { try catalog.launch(of: ["do", "it"], of: widget()) }
    }

    @Test @LoopActor func aCommandNeedsTheManifestsConsent() async throws {
        let machine = try await machine()
        await machine.finishAll(.newData(try Self.menu(["do", "it"])))
        let id = try widget()
        do throws(Refusal) {
            _ = try machine.daemon.catalog.launch(of: ["do", "it"], of: id)
            Issue.record("prepared")
        } catch {
            #expect("\(error)".contains("AllowsCommands=yes"))
        }
    }

    @Test @LoopActor func theSystemsInstancePreparesNoCommand() async throws {
        let machine = try await machine()
        let none = try widget("none")
        for (instance, reason) in [
            (DaemonStatus.Instance.system, "commands of the system's widgets"), (.user, "there is no manifest"),
        ] {
            machine.daemon.catalog.permissions = Permissions(instance: instance, owner: 0)
            do throws(Refusal) {
                _ = try machine.daemon.catalog.launch(of: [], of: none)
                Issue.record("prepared")
            } catch {
                #expect("\(error)".contains(reason))
            }
        }
    }

    /// As the guide of iOS has it: the device has to be unlocked first.
    @Test @LoopActor func whileLockedNoAppOpens() async throws {
        let (name, text) = Self.manifest("a", "json")
        let machine = try SimulatedMachine([(name, text.replacing("[Widget]", with: "[Widget]\nURLSchemes=https"))])
        let daemon = machine.daemon
        await machine.settle()
        await machine.finishAll(.newData(Self.button))
        for (isLocked, reason) in [(true, Refusal.whileLocked), (false, nil)] {
            let listener = RecordingListener()
            _ = try daemon.perform(.action("press", isLocked: isLocked), of: try widget(), listener: listener)
            await machine.settle()
            #expect(try daemon.openURL("https://example.org", for: widget()) == reason)
            await machine.finishAll(.noData)
            #expect(listener.answers.last?.open == (isLocked ? nil : "https://example.org"))
            let notes = try #require(daemon.catalog.status(of: try widget())).notes
            #expect(notes == (isLocked ? ["todayd did not open https://example.org: \(Refusal.whileLocked)"] : []))
        }
    }

    /// The host where the user pressed a button opens the URL, so a host must be waiting.
    @Test @LoopActor func aURLIsOpenedOnlyDuringAButtonPress() async throws {
        let (name, text) = Self.manifest("a", "json")
        let machine = try SimulatedMachine([(name, text.replacing("[Widget]", with: "[Widget]\nURLSchemes=https"))])
        let daemon = machine.daemon
        await machine.settle()
        let reason = "the user has pressed no button of org.test.a: URLs are opened while an action is performed"
        // The widget runs without a request.
        #expect(machine.runner.running.count == 1)
        #expect(try daemon.openURL("https://example.org", for: widget()) == reason)
        await machine.finishAll(.newData(Self.button))
        let listener = RecordingListener()
        _ = try daemon.perform(.action("press"), of: try widget(), listener: listener)
        await machine.settle()
        #expect(try daemon.openURL("mailto:a@example.org", for: widget())?.contains("mailto") == true)
        #expect(try daemon.openURL("https://example.org", for: widget()) == nil)
        #expect(try daemon.openURL("https://example.com", for: widget()) == "one action opens one URL")
        await machine.finishAll(.newData(Self.button))
        func notes() throws -> [String] { try #require(daemon.catalog.status(of: try widget())).notes }
        #expect(try notes() == ["todayd did not open https://example.com: one action opens one URL"])
        #expect(listener.answers.map(\.answer) == [.started, .newData])
        #expect(listener.answers.map(\.open) == [nil, "https://example.org"])
        #expect(try daemon.openURL("https://example.org", for: widget()) == reason)
        #expect(try notes() == ["todayd did not open https://example.org: \(reason)"])
        // Until the next press.
        _ = try daemon.perform(.action("press"), of: try widget(), listener: listener)
        await machine.settle()
        #expect(try notes() == [])
        await machine.finishAll(.newData(Self.button))
        #expect(try daemon.catalog.refusal(ofOpening: "https://example.org", for: widget()) == nil)
        #expect(
            try daemon.catalog.refusal(ofOpening: "mailto:a@example.org", for: widget())?.contains("mailto") == true)
        let gone = "there is no manifest of org.test.none"
        #expect(try daemon.openURL("https://example.org", for: widget("none")) == gone)
        #expect(try daemon.catalog.refusal(ofOpening: "https://example.org", for: widget("none")) == gone)
    }
}
