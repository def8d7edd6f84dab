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
package enum RunResource: String, CaseIterable, Sendable {
    case memory, tasks, processor
}

/// The status of the daemon.
package struct DaemonStatus: Hashable, Sendable {
    package enum Instance: String, CaseIterable, Sendable { case user, system }

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
    package enum Answer: String, CaseIterable, Sendable {
        case started, joined, deferred, refused, newData, noData, failed
    }
    package var id: WidgetID
    package var answer: Answer
    package var reason: String?
    package var until: WallTime?
    /// The URL that the host should open, as the user who pressed the button.
    package var open: String?

    package init(id: WidgetID, answer: Answer, reason: String? = nil, until: WallTime? = nil) {
        self.id = id
        self.answer = answer
        self.reason = reason
        self.until = until
    }

    /// Whether no other answer to this request will follow.
    package var isFinal: Bool { answer != .started && answer != .joined && answer != .deferred }
}

/// An event for `todayctl watch --events`.
package struct Event: Hashable, Sendable {
    package enum Kind: String, CaseIterable, Sendable {
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

extension RunRecord {
    package var json: JSON {
        var object: JSONObject = [
            "started": .int(started.microseconds), "duration": .int(duration.microseconds),
            "reason": .string(reason.rawValue), "result": .string(result.rawValue),
        ]
        object["failure"] = failure.map(JSON.string)
        object["exit"] = exit.map(JSON.string)
        object["errorOutput"] = errorOutput.isEmpty ? nil : .string(errorOutput)
        object["processor"] = usage.map { .int($0.processor.microseconds) }
        object["memory"] = usage?.memory.map { .int(Int64(clamping: $0.bytes)) }
        return .object(object)
    }

    package init(_ field: JSONField) throws(JSONMismatch) {
        self.init(
            started: try field.required("started").wallTime(), duration: try field.required("duration").span(),
            reason: try field.required("reason").choice(RunReason.self),
            result: try field.required("result").choice(Result.self),
            failure: try field.optional("failure")?.string(), exit: try field.optional("exit")?.string(),
            errorOutput: try field.optional("errorOutput")?.string() ?? "")
        if let processor = try field.optional("processor")?.span() {
            let memory = try field.optional("memory")?.int()
            usage = RunUsage(processor: processor, memory: memory.map { ByteSize(bytes: UInt64(clamping: $0)) })
        }
    }
}

extension WidgetStatus {
    package var json: JSON {
        var object: JSONObject = ["id": .string(id), "name": .string(name), "state": .string(state.rawValue)]
        object["description"] = description.map(JSON.string)
        object["reason"] = reason.map(JSON.string)
        object["cure"] = cure.map { .string($0.rawValue) }
        object["shows"] = shows.map { .string($0.rawValue) }
        object["pushedBy"] = pushedBy.map(JSON.string)
        object["expires"] = expires.map { .int($0.microseconds) }
        object["source"] = source.map(JSON.string)
        object["dropIns"] = .array(dropIns.map(JSON.string))
        object["complaints"] = .array(complaints.map(JSON.string))
        object["command"] = .array(command.map(JSON.string))
        object["protocol"] = contentProtocol.map(JSON.string)
        object["points"] = .array(points.map { .string($0.rawValue) })
        object["places"] = .array(places.map { .string($0.rawValue) })
        object["containingApp"] = containingApp.map(JSON.string)
        object["interval"] = interval.map { .int($0.microseconds) }
        object["timeout"] = timeout.map { .int($0.microseconds) }
        object["sandbox"] = sandbox.map(JSON.string)
        object["unheld"] = .array(unheld.map(JSON.string))
        object["running"] = .bool(activity.isRunning)
        object["nextRun"] = activity.nextRun.map { .int($0.microseconds) }
        object["waitingFor"] = activity.waitingFor.map(JSON.string)
        object["runs"] = .int(Int64(activity.runs))
        object["failures"] = .int(Int64(activity.failures))
        object["skipped"] = .int(Int64(activity.skipped))
        object["joined"] = .int(Int64(activity.joined))
        object["failuresInARow"] = .int(Int64(activity.failuresInARow))
        object["freshUntil"] = freshUntil.map { .int($0.microseconds) }
        object["changes"] = changes.map { .int($0.microseconds) }
        object["printed"] = printed?.json
        object["notes"] = .array(notes.map(JSON.string))
        object["stream"] = stream?.json
        object["fleet"] = fleet?.json
        object["history"] = .array(history.map(\.json))
        return .object(object)
    }

    package init(_ field: JSONField) throws(JSONMismatch) {
        self.init(
            id: try field.required("id").string(), name: try field.required("name").string(),
            state: try field.required("state").choice(WidgetState.self))
        description = try field.optional("description")?.string()
        reason = try field.optional("reason")?.string()
        cure = try field.cure()
        shows = try field.optional("shows").flatMap { Layers.Source(rawValue: $0.value.stringValue ?? "") }
        pushedBy = try field.optional("pushedBy")?.string()
        expires = try field.optional("expires")?.wallTime()
        source = try field.optional("source")?.string()
        dropIns = try field.optional("dropIns")?.strings() ?? []
        complaints = try field.required("complaints").strings()
        sandbox = try field.optional("sandbox")?.string()
        unheld = try field.optional("unheld")?.strings() ?? []
        command = try field.required("command").strings()
        contentProtocol = try field.optional("protocol")?.string()
        points = try field.required("points").choices(ExtensionPoint.self)
        places = try field.required("places").choices(ExtensionPoint.self)
        containingApp = try field.optional("containingApp")?.string()
        interval = try field.optional("interval")?.span()
        timeout = try field.optional("timeout")?.span()
        activity.isRunning = try field.required("running").bool()
        activity.nextRun = try field.optional("nextRun")?.wallTime()
        activity.waitingFor = try field.optional("waitingFor")?.string()
        activity.runs = try field.required("runs").int()
        activity.failures = try field.required("failures").int()
        activity.skipped = try field.required("skipped").int()
        activity.joined = try field.required("joined").int()
        activity.failuresInARow = try field.required("failuresInARow").int()
        freshUntil = try field.optional("freshUntil")?.wallTime()
        changes = try field.optional("changes")?.wallTime()
        if let field = try field.optional("printed") { printed = try Printed(field) }
        notes = try field.optional("notes")?.strings() ?? []
        if let field = try field.optional("stream") { stream = try StreamStatus(field) }
        if let field = try field.optional("fleet") { fleet = try FleetOrigin(field) }
        for run in try field.required("history").array() { history.append(try RunRecord(run)) }
    }
}

extension DaemonStatus {
    package var json: JSON {
        var object: JSONObject = [
            "version": .string(version), "instance": .string(instance.rawValue), "pid": .int(Int64(pid)),
            "started": .int(started.microseconds), "socket": .string(socket),
            "stateDirectory": .string(stateDirectory),
            "widgetDirectories": .array(widgetDirectories.map(JSON.string)),
            "pluginDirectories": .array(pluginDirectories.map(JSON.string)),
            "storage": .string(storage), "storageIsFine": .bool(storageIsFine), "widgets": .int(Int64(widgets)),
            "running": .int(Int64(running)), "waiting": .int(Int64(waiting)),
            "concurrency": .int(Int64(concurrency)), "connections": .int(Int64(connections)),
            "subscribers": .int(Int64(subscribers)), "complaints": .array(complaints.map(JSON.string)),
        ]
        let limits = limited.map { limited in RunResource.allCases.filter(limited.contains) }
        object["limited"] = limits.map { .array($0.map { .string($0.rawValue) }) }
        return .object(object)
    }

    package init(_ field: JSONField) throws(JSONMismatch) {
        self.init(
            version: try field.required("version").string(),
            instance: try field.required("instance").choice(Instance.self),
            pid: Int32(truncatingIfNeeded: try field.required("pid").int()),
            started: try field.required("started").wallTime(), socket: try field.required("socket").string(),
            stateDirectory: try field.required("stateDirectory").string())
        widgetDirectories = try field.required("widgetDirectories").strings()
        pluginDirectories = try field.optional("pluginDirectories")?.strings() ?? []
        storage = try field.required("storage").string()
        storageIsFine = try field.required("storageIsFine").bool()
        widgets = try field.required("widgets").int()
        running = try field.required("running").int()
        waiting = try field.required("waiting").int()
        concurrency = try field.required("concurrency").int()
        connections = try field.required("connections").int()
        subscribers = try field.required("subscribers").int()
        if let field = try field.optional("limited") {
            limited = Set(try field.array().map { word throws(JSONMismatch) in try word.choice(RunResource.self) })
        }
        complaints = try field.required("complaints").strings()
    }
}
