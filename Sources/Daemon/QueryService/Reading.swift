// SPDX-License-Identifier: MIT
import JSON
import Reactor
import TodayModel
import Varlink

/// The methods that the service answers itself, from what it keeps of the widgets and groups.
extension QueryService {
    static let readingMethods = [
        Method("Show", ["id", "point", "ids", "heartbeat"], show), Method("List", ["point"], list),
        Method("Status", ["id"], status),
        Method("Monitor") { call throws(VarlinkError) in
            guard call.wantsMore else { throw .expectedMore }
            return .stream(call.service.feeds.monitorFeed())
        },
        Method("GetDefaults", ["group"]) { call throws(VarlinkError) in call.defaults(of: try call.group()) },
    ]

    /// The view, one widget or several; with `more`, the client follows them.
    private static func show(_ call: MethodCall) throws(VarlinkError) -> Answer {
        let parameters = call.parameters
        let id = try parameters.optionalString("id")
        let ids = try parameters.optional("ids") { field throws(JSONMismatch) in try field.strings() }
        if let ids, id != nil || ids.count > Interfaces.mostNamedWidgets { throw .invalidParameter("ids") }
        let point = try parameters.point()
        // How often a client that follows gets at least a sign that the daemon is alive.
        let heartbeat: TimeSpan? = try parameters.optional("heartbeat") { field throws(JSONMismatch) in
            .seconds(Int64(try field.int(in: Interfaces.heartbeats)))
        }
        var subject = ShowFeed.Subject.point(point ?? .today)
        if let names = ids ?? id.map({ [$0] }) {
            var widgets: [WidgetID] = []
            for name in names {
                let widget = try call.widget(name)
                if !widgets.contains(widget) { widgets.append(widget) }
            }
            subject = .widgets(widgets)
        }
        let feed = call.wantsMore ? call.service.feeds.showFeed(of: subject) : nil
        let now = BootTime.now
        let itemCache = call.service.itemCache
        let members = ShowFeed.members(of: subject, in: itemCache, now: now)
        call.backend.hostLooked(at: members)
        if let feed { return .stream(feed, heartbeat: heartbeat) }
        let entries = itemCache.entries(of: members, now: now)
        return .cacheable(
            ItemsReply(itemCache.bytes(of: entries)).parameters, validUntil: entries.lazy.compactMap(\.validUntil).min()
        )
    }

    /// All widgets, including those that are not shown.
    private static func list(_ call: MethodCall) throws(VarlinkError) -> Answer {
        let point = try call.parameters.point()
        call.backend.catchUp()
        let itemCache = call.service.itemCache
        let entries = itemCache.entries(of: itemCache.order, now: .now)
            .filter { entry in point.map { entry.belongs(to: $0) } ?? true }
        var object = JSONObjectBytes()
        object.add("widgets", array: itemCache.bytes(of: entries))
        // Not cacheable: the files on disk may differ when the next client asks.
        return .bytes(object.end())
    }

    /// The status of the daemon and of one widget, or all.
    private static func status(_ call: MethodCall) throws(VarlinkError) -> Answer {
        let id = try call.parameters.optionalString("id")
        call.backend.catchUp()
        guard let id else { return .bytes(call.service.statusOfAll()) }
        guard let status = WidgetID(id).flatMap({ call.backend.status(of: $0) }) else {
            throw .noSuchWidget(id, among: call.backend.widgets())
        }
        return .parameters(["daemon": call.service.daemonStatus().json, "widgets": [status.json]])
    }

    /// The status of the daemon and of all widgets. Each includes only its last run: the histories of thousands of widgets do
    /// not fit into one reply.
    private func statusOfAll() -> [UInt8] {
        let widgets = backend.widgets().compactMap { id -> [UInt8]? in
            guard var status = backend.status(of: id) else { return nil }
            status.history = Array(status.history.prefix(1))
            var bytes: [UInt8] = []
            status.json.write(to: &bytes)
            return bytes
        }
        var object = JSONObjectBytes(capacity: widgets.reduce(1_024) { $0 + $1.count + 1 })
        object.add("daemon", daemonStatus().json)
        object.add("widgets", array: widgets)
        return object.end()
    }

    private func daemonStatus() -> DaemonStatus {
        var daemon = backend.daemonStatus()
        daemon.connections = connectionCount
        daemon.subscribers = subscriberCount
        return daemon
    }
}

extension Parameters {
    /// The extension point that a call names; nil if it names none.
    package func point() throws(VarlinkError) -> ExtensionPoint? {
        try optional("point") { field throws(JSONMismatch) in try field.choice(ExtensionPoint.self) }
    }
}
