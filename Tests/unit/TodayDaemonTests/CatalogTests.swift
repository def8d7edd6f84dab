// SPDX-License-Identifier: MIT
import QueryService
import Reactor
import TestSupport
import Testing
import TodayModel

@testable import SnapshotStore
@testable import TodayDaemon

/// What hosts and the user see of a widget, combined from its manifest, choices and answers.
@Suite struct CatalogTests: DaemonDeciding {
    init() { TestLoop.start() }

    private static let full = (
        name: "org.test.a.widget",
        text: """
        [Widget]
        DisplayName=Full
        Description=All of it
        Icon=₿
        ExtensionPoint=today lock-screen
        LargestDisplayMode=expanded
        AllowsEditing=yes
        ContainingApp=org.test.app
        URLSchemes=https
        AppGroups=group.g
        No=1
        [Update]
        ExecStart=/bin/true --now
        Protocol=json
        Interval=10min
        Timeout=5s
        """
    )

    @LoopActor private func machine(
        _ manifest: (name: String, text: String), configuration: String = "[Daemon]\n"
    ) async throws -> SimulatedMachine {
        let machine = try SimulatedMachine([manifest], configuration: configuration)
        await machine.settle()
        return machine
    }

    // MARK: Items

    @Test @LoopActor func anItemHasAllFields() async throws {
        let machine = try await machine(Self.full, configuration: "[Daemon]\nColumns=40\n")
        await machine.pass(.seconds(2))
        await machine.finishAll()
        let taken = machine.now.wall
        await machine.pass(.minutes(15))
        await machine.finishAll(.noData)
        var item = Item(
            id: try widget(), name: "Full", points: [.today, .lockScreen], position: 0, state: .ready, mode: .compact,
            largestMode: .expanded)
        item.allowsEditing = true
        item.urlSchemes = ["https"]
        item.size = Size(columns: 40, rows: 4)
        item.content = Content(text: "own")
        item.content?.icon = "₿"
        item.source = .own
        item.taken = taken
        item.confirmed = machine.now.wall
        item.freshUntil = machine.now.wall + .minutes(20)
        #expect(try machine.item(widget()) == item)
        await machine.change(.choice(try widget(), .displayMode(.expanded)))
        #expect(try machine.item(widget())?.size == Size(columns: 40, rows: 16))
    }

    /// The icon of the manifest applies only to content without an icon.
    @Test @LoopActor func contentHasItsOwnIcon() async throws {
        let machine = try await machine(Self.full)
        var content = Content(text: "own")
        content.icon = "☂"
        await machine.finishAll(.newData(content))
        #expect(try machine.item(widget())?.content?.icon == "☂")
    }

    @Test @LoopActor func aWidgetThatHasNotAnsweredHasNoContent() async throws {
        let machine = try await machine(Self.full)
        let shown = try #require(machine.daemon.catalog.item(try widget()))
        #expect(shown.item.state == .waiting && shown.item.content == nil && shown.item.failure == nil)
        // Views show its icon beside the reason that there is no content.
        #expect(shown.item.icon == "₿" && shown.item.symbol == "₿")
        #expect(shown.validUntil == nil)
    }

    @Test @LoopActor func anItemHasTheReasonOfAnInvalidManifest() async throws {
        let broken = (name: "org.test.a.widget", text: "[Update]\nNo=1\n")
        let machine = try await machine(broken)
        let item = try #require(machine.item(try widget()))
        #expect(item.state == .invalid && item.failure?.contains("org.test.a.widget") == true)
        #expect(item.points == [.today] && !item.allowsEditing && item.urlSchemes.isEmpty)
        #expect(item.name == "org.test.a" && item.mode == .compact && item.largestMode == .compact)
        try await machine.write(Self.full.text, to: Self.full.name)
        await machine.finishAll(.failed("no network"))
        #expect(try machine.item(widget())?.state == .failing)
        #expect(try machine.item(widget())?.failure == "no network")
        await machine.pass(.hours(1))
        await machine.finishAll()
        #expect(try machine.item(widget())?.failure == nil)
        #expect(try machine.item(widget("none")) == nil)
    }

    /// A widget that had failed before it was hidden is not failing while it is hidden.
    @Test @LoopActor func anItemHasTheFailureOnlyWhileItFails() async throws {
        let machine = try await machine(Self.full)
        await machine.finishAll(.failed("no network"))
        await machine.change(.choice(try widget(), .hasContent(false)))
        #expect(try machine.item(widget())?.state == .hidden)
        #expect(try machine.item(widget())?.failure == nil)
    }

    // MARK: Status

    @Test @LoopActor func aStatusHasAllFields() async throws {
        let machine = try await machine(Self.full)
        await machine.finishAll(.failed("no network"))
        await machine.pass(.minutes(15))
        await machine.finishAll()
        let status = try #require(machine.daemon.catalog.status(of: try widget()))
        #expect(status.id == "org.test.a" && status.name == "Full" && status.state == .ready)
        #expect(status.description == "All of it" && status.containingApp == "org.test.app")
        #expect(status.reason == nil && status.shows == .own)
        #expect(status.source == machine.directory("widgets/org.test.a.widget"))
        let line = try #require(Self.full.text.split(separator: "\n").firstIndex(of: "No=1")) + 1
        #expect(status.complaints.count == 1 && status.complaints.first?.contains(":\(line)") == true)
        #expect(status.command == ["/bin/true", "--now"] && status.contentProtocol == "json")
        #expect(status.points == [.today, .lockScreen] && status.places == [.today])
        #expect(status.interval == .minutes(10) && status.timeout == .seconds(5))
        #expect(status.activity.runs == 2 && status.activity.failures == 1 && status.activity.nextRun != nil)
        // The newest run comes first.
        #expect(status.history.map(\.result) == [.newData, .failed])
    }

    /// What holds of a sandbox depends on the machine, and is said of a widget that has one.
    @Test(arguments: ["", "[Sandbox]\nLevel=strict\n"])
    @LoopActor func aStatusSaysWhatIsWithheld(sandbox: String) async throws {
        let machine = try await machine((Self.full.name, Self.full.text + "\n" + sandbox))
        let status = try #require(machine.daemon.catalog.status(of: try widget()))
        let words = "strict: no network, no home, nothing writable but its own"
        #expect(status.sandbox == (sandbox.isEmpty ? nil : words))
        let limits = try #require(machine.daemon.catalog.validManifest(of: try widget())).limits
        let gaps = sandbox.isEmpty ? [] : machine.daemon.catalog.sandboxing.gaps()
        #expect(status.unheld == limits.unheld(limited: machine.daemon.catalog.identity.limited) + gaps)
    }

    @Test @LoopActor func aStatusSaysWhyNothingIsShown() async throws {
        let machine = try await machine((name: "org.test.a.widget", text: "[Update]\nNo=1\n"))
        let status = try #require(machine.daemon.catalog.status(of: try widget()))
        #expect(status.state == .invalid && status.reason?.contains("org.test.a.widget") == true)
        #expect(status.points.isEmpty && status.contentProtocol == nil && status.interval == nil)
        #expect(status.activity == WidgetActivity() && status.history.isEmpty)
        try await machine.write("", to: "org.test.a.widget")
        #expect(try machine.daemon.catalog.status(of: widget())?.state == .masked)
        #expect(try machine.daemon.catalog.status(of: widget())?.reason?.hasPrefix("masked: ") == true)
        #expect(try machine.daemon.catalog.status(of: widget("none")) == nil)
    }

    /// A pushed widget has no interval and no timeout. The status names the client while its content is shown.
    @Test @LoopActor func aStatusSaysWhoPushed() async throws {
        let machine = try await machine((name: "org.test.a.widget", text: "[Widget]\n[Update]\nProtocol=push\n"))
        #expect(try machine.daemon.catalog.status(of: widget())?.reason == "nothing has been pushed to it")
        await machine.push(Content(text: "pushed"), to: try widget(), for: .minutes(10))
        let status = try #require(machine.daemon.catalog.status(of: try widget()))
        #expect(status.shows == .pushed && status.pushedBy == "user 0")
        #expect(status.expires == machine.now.wall + .minutes(10))
        #expect(status.contentProtocol == "push" && status.interval == nil && status.timeout == nil)
        await machine.pass(.minutes(10))
        let later = try #require(machine.daemon.catalog.status(of: try widget()))
        #expect(later.shows == nil && later.pushedBy == nil && later.expires == nil)
        #expect(later.reason == "what was pushed has expired")
    }

    @Test @LoopActor func ownContentBelowAnExpiredPushHasNoPusher() async throws {
        let machine = try await machine(Self.full)
        await machine.finishAll()
        await machine.push(Content(text: "pushed"), to: try widget(), for: .minutes(5))
        #expect(try machine.item(widget())?.pushedBy == "user 0")
        await machine.pass(.minutes(6))
        let status = try #require(machine.daemon.catalog.status(of: try widget()))
        #expect(status.shows == .own && status.pushedBy == nil && status.expires == nil)
        let item = try #require(machine.item(try widget()))
        #expect(item.pushedBy == nil && item.expires == nil)
    }

    /// What keeps a widget from being shown says how it is shown again, in its item and in its status.
    @Test(arguments: [("today", Cure.showInToday), ("lock-screen", Cure.showOnLockScreen)])
    @LoopActor func aWidgetInNoPlaceSaysHowItGetsOne(points: String, cure: Cure) async throws {
        let machine = try await machine(
            (Self.full.name, Self.full.text.replacing("today lock-screen", with: points)))
        await machine.finishAll()
        await machine.change(.choice(try widget(), .shown(.today, false)))
        #expect(try machine.item(widget())?.cure == cure)
        #expect(try machine.daemon.catalog.status(of: widget())?.cure == cure)
    }

    // MARK: What answers are made from

    /// A group that was never written has no revision.
    @Test @LoopActor func theInputsAreThoseOfNow() async throws {
        let machine = try await machine(Self.full)
        await machine.finishAll()
        var inputs = UpdateInputs()
        inputs.mode = .compact
        inputs.size = Size(columns: 60, rows: 4)
        inputs.program = machine.daemon.catalog.validManifest(of: try widget())?.programHash
        #expect(inputs.program != nil)
        #expect(try machine.daemon.store.memory(of: widget()).seen == inputs)
        try await write(machine, 1)
        await machine.finishAll()
        inputs.groups["group.g"] = 1
        #expect(try machine.daemon.store.memory(of: widget()).seen == inputs)
    }

    /// The last update decides when the widget runs next, even if a button has drawn the content since.
    @Test(arguments: [true, false])
    @LoopActor func theRequestedUpdateIsRememberedOverARestart(isOfUpdate: Bool) async throws {
        var later = Self.button
        later.nextUpdate = .hours(5)
        // A widget with groups runs at each start.
        let alone = Self.full.text.replacing("AppGroups=group.g\n", with: "")
        let machine = try await machine((Self.full.name, alone))
        let run = try #require(machine.runner.running.keys.first)
        await machine.finish(run, .newData(Self.button), nextAsk: isOfUpdate ? .wait(.hours(5)) : nil)
        await machine.perform(.action("press"), of: try widget())
        await machine.finishAll(.newData(isOfUpdate ? Self.button : later))
        try await crash(machine)
        await machine.pass(.hours(1))
        #expect(machine.runner.running.isEmpty == isOfUpdate)
        await machine.pass(.hours(5))
        #expect(!machine.runner.running.isEmpty)
    }

    /// Content that cannot become stale, because its program would report any change, has no age that says something.
    @Test(arguments: [
        ("Interval=once\nStream=yes", true), ("Interval=1h\nStream=yes", false), ("Interval=once", false),
    ])
    @LoopActor func aStreamThatIsNeverStaleIsLive(lines: String, isLive: Bool) async throws {
        let (name, text) = Self.manifest("a", "json")
        let machine = try SimulatedMachine([(name, text.replacing("Interval=1h", with: lines))])
        await machine.settle()
        let run = try #require(machine.runner.running.keys.first)
        machine.runner.finish(run, .newData(Content(text: "first")), stays: true, isSilent: false)
        await machine.settle()
        #expect(machine.daemon.catalog.item(try widget())?.item.isLive == isLive)
        await machine.push(Content(text: "pushed"), to: try widget())
        #expect(machine.daemon.catalog.item(try widget())?.item.isLive == false)
    }
}
