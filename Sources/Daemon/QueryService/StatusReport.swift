// SPDX-License-Identifier: MIT
import JSON
import Reactor
import TodayModel
import Varlink

/// The status of the daemon and of its widgets as the parameters of a reply, to which one widget after the other is
/// added.
struct StatusReport {
    private let daemon: DaemonStatus
    private var widgets: [[UInt8]] = []
    private var rest: ArraySlice<WidgetID>

    init(_ daemon: DaemonStatus, of widgets: [WidgetID]) {
        self.daemon = daemon
        rest = widgets[...]
    }

    /// The widget whose status is added next; nil when that of all has been.
    var next: WidgetID? { rest.first }

    /// Adds the status of the next widget; nil where the widget has gone.
    mutating func add(_ status: WidgetStatus?) {
        _ = rest.popFirst()
        guard var status else { return }
        // Only the last run: the logs of thousands are more than one reply holds.
        status.history = Array(status.history.prefix(1))
        var bytes: [UInt8] = []
        status.json.write(to: &bytes)
        widgets.append(bytes)
    }

    /// A JSON object, of all widgets that have been added.
    var parameters: [UInt8] {
        var object = JSONObjectBytes(capacity: widgets.reduce(1_024) { $0 + $1.count + 1 })
        object.add("daemon", daemon.json)
        object.add("widgets", array: widgets)
        return object.end()
    }
}

/// The reports on all widgets. One is made at a time, for all clients that asked before it was begun. A client that
/// asks later is answered with the next one, because it may have changed something since.
struct StatusReports {
    typealias Reader = @LoopActor (Frame) -> Void

    private var current: (report: StatusReport, readers: [Reader])?
    private var waiting: (daemon: DaemonStatus, readers: [Reader])?

    var isEmpty: Bool { current == nil && waiting == nil }

    /// - Parameter daemon: its status now, which is told to all clients that wait for the same report.
    mutating func ask(_ daemon: DaemonStatus, _ reader: @escaping Reader) {
        waiting = (daemon, (waiting?.readers ?? []) + [reader])
    }

    /// Adds to the report in progress, or begins the next one, up to this time; at least one widget, so that it ends.
    ///
    /// - Returns: a report that is complete, and the clients that have asked for it.
    @LoopActor
    mutating func advance(until end: BootTime, _ backend: any Backend) -> (parameters: [UInt8], readers: [Reader])? {
        if current == nil, let waiting {
            current = (StatusReport(waiting.daemon, of: backend.widgets()), waiting.readers)
            self.waiting = nil
        }
        while let widget = current?.report.next {
            current?.report.add(backend.widgetStatus(of: widget))
            guard BootTime.now <= end else { break }
        }
        guard let current, current.report.next == nil else { return nil }
        self.current = nil
        return (current.report.parameters, current.readers)
    }
}

extension QueryService {
    /// Tells the status of all widgets. It is made in parts of one turn each, because that of 1,000 widgets takes 40
    /// times as long as a turn. Of few it is told at once.
    func reportStatus(to reader: @escaping StatusReports.Reader) {
        let isIdle = statusReports.isEmpty
        statusReports.ask(daemonStatus(), reader)
        if isIdle { advanceReports() }
    }

    func daemonStatus() -> DaemonStatus {
        var daemon = backend.daemonStatus()
        daemon.connections = connectionCount
        daemon.subscribers = subscriberCount
        return daemon
    }

    func advanceReports() {
        if let (parameters, readers) = statusReports.advance(until: BootTime.now + turns.share, backend) {
            let frame = frame(VarlinkReply.encode(parametersBytes: parameters, continues: false))
            for reader in readers { reader(frame) }
        }
        if !statusReports.isEmpty { reportTurn?.schedule() }
    }
}
