// SPDX-License-Identifier: MIT
import JSON
import QueryService
import Reactor
import TestSupport
import Testing
import TodayModel

@testable import TodayDaemon

/// A client that keeps the answers of the runs it waits for.
@LoopActor final class RecordingListener: UpdateListener {
    private(set) var answers: [UpdateAnswer] = []
    func receive(_ answer: UpdateAnswer) { answers.append(answer) }
}

/// What tests of the daemon's decisions share: one widget, org.test.a, in the group group.g.
protocol DaemonDeciding {}

extension DaemonDeciding {
    func widget(_ name: String = "a") throws -> WidgetID { try #require(WidgetID("org.test.\(name)")) }

    static func manifest(
        _ name: String, _ contentProtocol: String, groups: String = "group.g", largest: String = "expanded",
        more: String = ""
    ) -> (name: String, text: String) {
        (
            "org.test.\(name).widget",
            """
            [Widget]
            AllowsEditing=yes
            LargestDisplayMode=\(largest)
            AppGroups=\(groups)
            [Update]
            ExecStart=/bin/true
            Protocol=\(contentProtocol)
            Interval=1h
            \(more)
            """
        )
    }

    /// A machine whose widget has answered, unless its first run fails.
    @LoopActor func machine(
        _ contentProtocol: String = "json", answers result: RunOutcome.Result = .newData(Content(text: "own")),
        nextAsk: NextAsk? = nil, groups: String = "group.g", largest: String = "expanded", more: String = ""
    ) async throws -> SimulatedMachine {
        let manifest = Self.manifest("a", contentProtocol, groups: groups, largest: largest, more: more)
        let machine = try SimulatedMachine([manifest])
        await machine.settle()
        try await finish(machine, result, nextAsk: nextAsk)
        return machine
    }

    /// Ends the only run in progress.
    @LoopActor @discardableResult func finish(
        _ machine: SimulatedMachine, _ result: RunOutcome.Result, nextAsk: NextAsk? = nil
    ) async throws -> RunRequest {
        #expect(machine.runner.running.count == 1)
        let request = try #require(machine.runner.running.values.first?.request)
        await machine.finish(request.run, result, nextAsk: nextAsk)
        return request
    }

    /// A client requests an update.
    @LoopActor func update(_ machine: SimulatedMachine, for listener: RecordingListener? = nil) async throws {
        _ = machine.daemon.update(try widget(), listener: listener)
        await machine.settle()
    }

    /// The user edits the widget, whose program shows its editor.
    @LoopActor func edit(_ machine: SimulatedMachine) async throws {
        await machine.perform(.beginEditing, of: try widget())
        try await finish(machine, .newData(Content(text: "editor")))
    }

    /// Kills the daemon after a change, because everything is on disk when a change is.
    @LoopActor func crash(_ machine: SimulatedMachine, configuration: String? = nil) async throws {
        if let configuration { machine.configuration = configuration }
        await machine.change(
            .defaults(group: AppGroup("group.x"), key: "k", value: .int(.random(in: 0...1 << 50)), writer: nil))
        try await machine.kill()
    }

    @LoopActor func write(_ machine: SimulatedMachine, _ value: JSON, by writer: WidgetID? = nil) async throws {
        await machine.change(.defaults(group: AppGroup("group.g"), key: "k", value: value, writer: writer))
    }

    /// The content that a button draws.
    static var button: Content {
        var content = Content(text: "own")
        content.compact = .button(.init(title: "press", action: "press"))
        return content
    }
}
