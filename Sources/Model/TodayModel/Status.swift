// SPDX-License-Identifier: MIT
import JSON

/// The status of a widget: everything that is known about it besides its content.
package struct WidgetStatus: Hashable, Sendable {
    package var id: String
    package var name: String
    package var description: String?
    package var state: WidgetState
    /// Why nothing of the widget is shown; nil if something is, and for a failing widget, whose last run says why.
    package var reason: String?
    /// What shows the widget, if a choice of the user or of its app hides it.
    package var cure: Cure?
    /// The layer that is shown; for pushed content, which client pushed it and until when it is shown.
    package var shows: Layers.Source?
    package var pushedBy: String?
    package var expires: WallTime?
    package var source: String?
    /// The drop-ins that were read after it.
    package var dropIns: [String] = []
    package var complaints: [String] = []
    package var command: [String] = []
    package var contentProtocol: String?
    package var points: [ExtensionPoint] = []
    /// The places in which the user shows it.
    package var places: [ExtensionPoint] = []
    package var containingApp: String?
    package var interval: TimeSpan?
    package var timeout: TimeSpan?
    /// What is withheld from its program, in words; nil if nothing is.
    package var sandbox: String?
    /// The limits of its manifest that have no effect here, in words.
    package var unheld: [String] = []
    package var activity = WidgetActivity()
    /// When the widget's own last answer becomes stale, or has become so.
    package var freshUntil: WallTime?
    /// When what is shown changes without a run.
    package var changes: WallTime?
    /// What the last run printed, if it failed.
    package var printed: Printed?
    /// What was not understood in the last output of its program.
    package var notes: [String] = []
    package var stream: StreamStatus?
    package var fleet: FleetOrigin?
    package var history: [RunRecord] = []

    package init(id: String, name: String, state: WidgetState) {
        self.id = id
        self.name = name
        self.state = state
    }
}

/// What the scheduler knows about a widget.
package struct WidgetActivity: Hashable, Sendable {
    package var isRunning = false
    package var nextRun: WallTime?
    /// What the widget waits for, as text; nil while it runs or waits only for its interval.
    package var waitingFor: String?
    package var runs = 0
    package var failures = 0
    package var skipped = 0
    package var joined = 0
    package var failuresInARow = 0

    package init() {}
}

/// What the kernel can limit for the processes of a run together.
package enum RunResource: String, WireWord {
    case memory, tasks, processor
}

/// The status of the daemon.
package struct DaemonStatus: Hashable, Sendable {
    package enum Instance: String, WireWord { case user, system }

    package var version: String
    package var instance: Instance
    package var pid: Int32
    package var started: WallTime
    package var socket: String
    package var stateDirectory: String
    package var widgetDirectories: [String] = []
    package var pluginDirectories: [String] = []
    package var storage = "ok"
    package var storageIsFine = true
    package var widgets = 0
    package var running = 0
    package var waiting = 0
    package var concurrency = 0
    package var connections = 0
    package var subscribers = 0
    /// What is limited for all processes of a run together; nil if runs have no control groups.
    package var limited: Set<RunResource>?
    package var complaints: [String] = []

    package init(
        version: String, instance: Instance, pid: Int32, started: WallTime, socket: String, stateDirectory: String
    ) {
        self.version = version
        self.instance = instance
        self.pid = pid
        self.started = started
        self.socket = socket
        self.stateDirectory = stateDirectory
    }
}

/// The answer to a request to update one widget.
package struct UpdateAnswer: Hashable, Sendable {
    package enum Answer: String, WireWord {
        case started, joined, deferred, refused, newData, noData, failed
    }
    package var id: WidgetID
    package var answer: Answer
    package var reason: String?
    /// The URL that the host should open, as the user who pressed the button.
    package var open: String?

    package init(id: WidgetID, answer: Answer, reason: String? = nil) {
        self.id = id
        self.answer = answer
        self.reason = reason
    }

    /// Whether no other answer to this request will follow.
    package var isFinal: Bool { answer != .started && answer != .joined && answer != .deferred }
}

/// An event for `todayctl watch --events`.
package struct Event: Hashable, Sendable {
    package enum Kind: String, WireWord {
        case added, changed, removed, started, finished, snapshot, choice, defaults, storage
    }
    package var time: WallTime
    package var kind: Kind
    package var id: WidgetID?
    package var text: String

    package init(time: WallTime, kind: Kind, id: WidgetID? = nil, text: String) {
        self.time = time
        self.kind = kind
        self.id = id
        self.text = text
    }
}

extension RunRecord: WireObject {
    package static var blank: Self {
        RunRecord(
            started: WallTime(microseconds: 0), duration: .zero, reason: .schedule, result: .noData, failure: nil,
            exit: nil, errorOutput: "")
    }

    package mutating func list(_ members: inout WireMembers) {
        members("started", &started)
        members("duration", &duration)
        members("reason", &reason)
        members("result", &result)
        members("failure", &failure)
        members("exit", &exit)
        members(unlessEmpty: "errorOutput", &errorOutput)
        var (processor, memory) = (usage?.processor, usage?.memory.map { Int(clamping: $0.bytes) })
        members("processor", &processor)
        members("memory", &memory)
        usage = processor.map { RunUsage(processor: $0, memory: memory.map { ByteSize(bytes: UInt64(clamping: $0)) }) }
    }
}

extension WidgetStatus: WireObject {
    package static var blank: Self { WidgetStatus(id: "", name: "", state: .ready) }

    package mutating func list(_ members: inout WireMembers) {
        members("id", &id)
        members("name", &name)
        members("state", &state)
        members("description", &description)
        members("reason", &reason)
        members(known: "cure", &cure)
        members(known: "shows", &shows)
        members("pushedBy", &pushedBy)
        members("expires", &expires)
        members("source", &source)
        members("dropIns", &dropIns)
        members("complaints", &complaints)
        members("command", &command)
        members("protocol", &contentProtocol)
        members("points", &points)
        members("places", &places)
        members("containingApp", &containingApp)
        members("interval", &interval)
        members("timeout", &timeout)
        members("sandbox", &sandbox)
        members("unheld", &unheld)
        members("running", &activity.isRunning)
        members("nextRun", &activity.nextRun)
        members("waitingFor", &activity.waitingFor)
        members("runs", &activity.runs)
        members("failures", &activity.failures)
        members("skipped", &activity.skipped)
        members("joined", &activity.joined)
        members("failuresInARow", &activity.failuresInARow)
        members("freshUntil", &freshUntil)
        members("changes", &changes)
        members("printed", &printed)
        members("notes", &notes)
        members("stream", &stream)
        members("fleet", &fleet)
        members("history", &history)
    }
}

extension DaemonStatus: WireObject {
    package static var blank: Self {
        DaemonStatus(
            version: "", instance: .user, pid: 0, started: WallTime(microseconds: 0), socket: "", stateDirectory: "")
    }

    package mutating func list(_ members: inout WireMembers) {
        members("version", &version)
        members("instance", &instance)
        members("pid", &pid)
        members("started", &started)
        members("socket", &socket)
        members("stateDirectory", &stateDirectory)
        members("widgetDirectories", &widgetDirectories)
        members("pluginDirectories", &pluginDirectories)
        members("storage", &storage)
        members("storageIsFine", &storageIsFine)
        members("widgets", &widgets)
        members("running", &running)
        members("waiting", &waiting)
        members("concurrency", &concurrency)
        members("connections", &connections)
        members("subscribers", &subscribers)
        members("complaints", &complaints)
        var resources = limited.map { limited in RunResource.allCases.filter(limited.contains) }
        members("limited", &resources)
        limited = resources.map(Set.init)
    }
}
