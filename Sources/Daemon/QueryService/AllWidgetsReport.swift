// SPDX-License-Identifier: MIT
import JSON
import Reactor
import TodayModel
import Varlink

/// The status of the daemon and its widgets as the parameters of a reply. Widgets are added one by one.
struct AllWidgetsReport {
    private let daemon: DaemonStatus
    private var widgets: [[UInt8]] = []
    private var remaining: ArraySlice<WidgetID>

    init(_ daemon: DaemonStatus, of widgets: [WidgetID]) {
        self.daemon = daemon
        remaining = widgets[...]
    }

    /// The widget whose status is added next; nil when the report is complete.
    var next: WidgetID? { remaining.first }

    /// Adds the status of the next widget; nil where the widget has gone.
    mutating func add(_ status: WidgetStatus?) {
        _ = remaining.popFirst()
        guard var status else { return }
        // Only the last run: the histories of thousands of widgets do not fit into one reply.
        status.history = Array(status.history.prefix(1))
        var bytes: [UInt8] = []
        status.json.write(to: &bytes)
        widgets.append(bytes)
    }

    /// The JSON object with all widgets that have been added.
    var parameters: [UInt8] {
        var object = JSONObjectBytes(capacity: widgets.reduce(1_024) { $0 + $1.count + 1 })
        object.add("daemon", daemon.json)
        object.add("widgets", array: widgets)
        return object.end()
    }
}

/// The reports on all widgets. The service builds one at a time, for all clients that asked before it began. A client
/// that asks later gets the next report, because the client may have changed something since.
struct AllWidgetsReports {
    typealias Reader = @LoopActor (Frame) -> Void

    private var current: (report: AllWidgetsReport, readers: [Reader])?
    private var waiting: (daemon: DaemonStatus, readers: [Reader])?

    var isEmpty: Bool { current == nil && waiting == nil }

    /// - Parameter daemon: the daemon's current status. All clients that wait for the same report get it.
    mutating func ask(_ daemon: DaemonStatus, _ reader: @escaping Reader) {
        waiting = (daemon, (waiting?.readers ?? []) + [reader])
    }

    /// Adds widgets to the current report, or begins the next one, until `end`; at least one widget, so that the report
    /// is completed eventually.
    ///
    /// - Returns: a complete report, and the clients that asked for it.
    @LoopActor
    mutating func advance(until end: BootTime, _ backend: any Backend) -> (parameters: [UInt8], readers: [Reader])? {
        if current == nil, let waiting {
            current = (AllWidgetsReport(waiting.daemon, of: backend.widgets()), waiting.readers)
            self.waiting = nil
        }
        while let widget = current?.report.next {
            current?.report.add(backend.status(of: widget))
            guard BootTime.now <= end else { break }
        }
        guard let current, current.report.next == nil else { return nil }
        self.current = nil
        return (current.report.parameters, current.readers)
    }
}

extension QueryService {
    /// Reports the status of all widgets. The service builds the report in parts of one round each, because 1,000
    /// widgets take 40 rounds; a few widgets take one, and the client is answered at once.
    func reportStatus(to reader: @escaping AllWidgetsReports.Reader) {
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
            let frame = frame(of: parameters)
            for reader in readers { reader(frame) }
        }
        if !statusReports.isEmpty { nextReportPart?.schedule() }
    }
}
