// SPDX-License-Identifier: MIT
import Glibc
import Reactor
import Spawn
import TestSupport
import Testing
import TodayModel

@testable import Runner

/// A runner and a directory for one test, and the runs it asks for.
@LoopActor
final class RunTrial {
    let directory = TemporaryDirectory()
    let runner: ProcessRunner
    let settings: RunSettings
    let outcomes = Arrivals<RunOutcome>("outcome")
    /// Called for what is not an outcome of a run.
    var onUpdate: @LoopActor (RunOutcome) -> Void = { _ in }
    var onEnded: @LoopActor (UInt64) -> Void = { _ in }
    var onStreamEnd: @LoopActor (StreamEnd) -> Void = { _ in }
    var onIdleFailure: @LoopActor (RunOutcome) -> Void = { _ in }
    var onPlaceholder: @LoopActor (WidgetID, Content) -> Void = { _, _ in }
    private var count: UInt64 = 0

    /// All tests of this module run a second time with this (contrib/test), each run in a control group.
    static let hasGroups = getenv("TODAY_TEST_GROUPS") != nil

    init(_ change: (inout RunSettings) -> Void = { _ in }) {
        var settings = RunSettings(
            stateDirectory: directory("state"), socket: directory("socket"), environment: ["PATH": "/usr/bin:/bin"])
        settings.killGrace = .milliseconds(300)
        if Self.hasGroups { settings.groups = TestGroup.delegated() }
        change(&settings)
        self.settings = settings
        runner = ProcessRunner(settings)
        runner.onReport = { [weak self, outcomes] report in
            switch report {
            case .ended(_, let run): self?.onEnded(run)
            case .finished(let outcome): outcomes.send(outcome)
            case .update(let outcome): self?.onUpdate(outcome)
            case .streamEnd(let end): self?.onStreamEnd(end)
            case .idleFailure(let outcome): self?.onIdleFailure(outcome)
            case .placeholder(let content, let widget): self?.onPlaceholder(widget, content)
            }
        }
    }

    deinit { settings.groups?.group.end() }

    func request(_ command: [String], _ change: (inout Manifest, inout RunRequest) -> Void = { _, _ in }) throws
        -> RunRequest
    {
        count += 1
        let id = try #require(WidgetID("org.example.test"))
        var manifest = Manifest(
            id: id, displayName: "Test", update: UpdatePlan(command: command, contentProtocol: .text))
        var request = RunRequest(run: count, manifest: manifest, reason: .schedule, mode: .compact)
        change(&manifest, &request)
        manifest.identifyProgram()
        var changed = RunRequest(run: count, manifest: manifest, reason: request.reason, mode: request.mode)
        changed.interaction = request.interaction
        changed.previous = request.previous
        changed.isEditing = request.isEditing
        changed.sizes = request.sizes
        changed.settings = request.settings
        changed.session = request.session
        return changed
    }

    /// Starts a shell script.
    func start(
        _ script: String, timeout: TimeSpan = .seconds(20),
        _ change: (inout Manifest, inout RunRequest) -> Void = { _, _ in }
    ) throws {
        runner.start(
            try request(["/bin/sh", "-c", script]) { manifest, request in
                manifest.update.timeout = timeout
                change(&manifest, &request)
            })
    }

    func outcome() async throws -> RunOutcome { try await outcomes.next(within: .seconds(60)) }

    /// The outcome of a shell script.
    func run(
        _ script: String, timeout: TimeSpan = .seconds(20),
        _ change: (inout Manifest, inout RunRequest) -> Void = { _, _ in }
    ) async throws -> RunOutcome {
        try start(script, timeout: timeout, change)
        return try await outcome()
    }

    var state: String { directory("state/widgets/org.example.test") }

    /// The processes which this trial's runs left, known by the directory they are in.
    func leftovers() -> [pid_t] {
        // A process that has been killed is there until it gets a processor once more.
        for _ in 0..<100 where !processes().isEmpty { usleep(10_000) }
        return processes()
    }

    private func processes() -> [pid_t] {
        ProcessTree.descendants(of: getpid()).filter { pid in
            var path = [CChar](repeating: 0, count: 4_096)
            let length = readlink("/proc/\(pid)/cwd", &path, path.count)
            guard length > 0 else { return false }
            return String(decoding: path[..<length].map(UInt8.init(bitPattern:)), as: UTF8.self)
                .hasPrefix(directory.path)
        }
    }
}

extension RunOutcome {
    var text: String? {
        if case .newData(let content) = result { content.text } else { nil }
    }
    var failure: String? {
        if case .failed(let reason) = result { reason } else { nil }
    }
}
