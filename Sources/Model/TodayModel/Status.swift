// SPDX-License-Identifier: MIT

/// All that is known about a widget besides its content.
package struct WidgetStatus: Hashable, Sendable {
    package var id: String
    package var name: String
    package var description: String?
    package var state: WidgetState
    /// Why nothing of it is shown, in words; nil where something is, and of a failing one, whose last run says it.
    package var reason: String?
    /// Which layer is shown, and of pushed content who pushed it and until when it counts.
    package var shows: Layers.Source?
    package var pushedBy: String?
    package var expires: WallTime?
    package var source: String?
    package var complaints: [String] = []
    package var command: [String] = []
    package var contentProtocol: String?
    package var points: [ExtensionPoint] = []
    package var containingApp: String?
    package var interval: TimeSpan?
    package var timeout: TimeSpan?
    package var activity = WidgetActivity()
    package var history: [RunRecord] = []

    package init(id: String, name: String, state: WidgetState) {
        self.id = id
        self.name = name
        self.state = state
    }
}

/// What the schedule knows about a widget.
package struct WidgetActivity: Hashable, Sendable {
    package var isRunning = false
    package var nextRun: WallTime?
    /// In words, what it waits for; nil while it runs or has only its interval to wait for.
    package var waitingFor: String?
    package var runs = 0
    package var failures = 0
    package var skipped = 0
    package var joined = 0
    package var failuresInARow = 0

    package init() {}
}

/// What the daemon says about itself.
package struct DaemonStatus: Hashable, Sendable {
    package enum Instance: String, CaseIterable, Sendable { case user, system }

    package var version: String
    package var instance: Instance
    package var pid: Int32
    package var started: WallTime
    package var socket: String
    package var stateDirectory: String
    package var widgetDirectories: [String] = []
    package var runner = ""
    package var storage = "ok"
    package var storageIsFine = true
    package var widgets = 0
    package var running = 0
    package var waiting = 0
    package var concurrency = 0
    package var connections = 0
    package var subscribers = 0
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

/// What became of a request to update one widget.
package struct UpdateAnswer: Hashable, Sendable {
    package enum Answer: String, CaseIterable, Sendable {
        case started, joined, deferred, refused, newData, noData, failed
    }
    package var id: WidgetID
    package var answer: Answer
    package var reason: String?
    package var until: WallTime?
    /// What the host is to open, as the user who pressed the button.
    package var open: String?

    package init(id: WidgetID, answer: Answer, reason: String? = nil, until: WallTime? = nil) {
        self.id = id
        self.answer = answer
        self.reason = reason
        self.until = until
    }

    /// Whether more will follow about this request.
    package var isFinal: Bool { answer != .started && answer != .joined && answer != .deferred }
}

/// Something that happened, for `todayctl monitor`.
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
