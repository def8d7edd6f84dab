// SPDX-License-Identifier: MIT
import JSON
import Reactor
import TodayModel
import Varlink

/// org.todayd.Today.Show: the view, one widget or several; with `more`, the client follows them.
struct Show: Method {
    static let name = "Show"
    static let parameterNames = ["id", "point", "ids", "heartbeat"]

    let id: String?
    let ids: [String]?
    let point: ExtensionPoint?
    /// How often a client that follows hears at least that the daemon lives; nil where it does not ask.
    let heartbeat: TimeSpan?

    init(_ parameters: Parameters) throws(VarlinkError) {
        id = try parameters.optionalString("id")
        ids = try parameters.optional("ids") { field throws(JSONMismatch) in try field.strings() }
        if let ids, id != nil || ids.count > Interfaces.mostNamedWidgets { throw .invalidParameter("ids") }
        point = try parameters.optional("point") { field throws(JSONMismatch) in
            try field.choice(ExtensionPoint.self)
        }
        heartbeat = try parameters.optional("heartbeat") { field throws(JSONMismatch) in
            .seconds(Int64(try field.int(in: Interfaces.heartbeats)))
        }
    }

    func answer(to call: MethodCall) throws(VarlinkError) -> Answer {
        let subject = try subject(of: call)
        let feed = call.wantsMore ? call.service.feeds.showFeed(of: subject) : nil
        let now = BootTime.now
        let itemCache = call.itemCache
        let ids = ShowFeed.members(of: subject, in: itemCache, now: now)
        call.backend.hostLooked(at: ids)
        if let feed { return .stream(feed, heartbeat: heartbeat) }
        let entries = itemCache.entries(of: ids, now: now)
        return .cacheable(
            ItemsReply(itemCache.bytes(of: entries)).parameters, validUntil: entries.lazy.compactMap(\.validUntil).min()
        )
    }
}

extension Show {
    @LoopActor private func subject(of call: MethodCall) throws(VarlinkError) -> ShowFeed.Subject {
        guard let names = ids ?? id.map({ [$0] }) else { return .point(point ?? .today) }
        var widgets: [WidgetID] = []
        for name in names {
            let widget = try call.widget(name)
            if !widgets.contains(widget) { widgets.append(widget) }
        }
        return .widgets(widgets)
    }
}

/// org.todayd.Today.List: all widgets, including those that are not shown.
struct List: Method {
    static let name = "List"
    static let parameterNames = ["point"]

    let point: ExtensionPoint?

    init(_ parameters: Parameters) throws(VarlinkError) {
        point = try parameters.optional("point") { field throws(JSONMismatch) in
            try field.choice(ExtensionPoint.self)
        }
    }

    func answer(to call: MethodCall) -> Answer {
        call.backend.catchUp()
        let now = BootTime.now
        let itemCache = call.itemCache
        let entries = itemCache.entries(of: itemCache.order, now: now)
            .filter { entry in point.map { entry.points.contains($0) } ?? true }
        var object = JSONObjectBytes()
        object.add("widgets", array: itemCache.bytes(of: entries))
        // Not cacheable: the files on disk may differ when the next client asks.
        return .bytes(object.end())
    }
}

/// org.todayd.Today.Monitor: events as they happen.
struct Monitor: Method {
    static let name = "Monitor"
    static let parameterNames: [String] = []

    init(_ parameters: Parameters) {}

    func answer(to call: MethodCall) throws(VarlinkError) -> Answer {
        guard call.wantsMore else { throw .expectedMore }
        return .stream(call.service.feeds.monitorFeed())
    }
}

/// org.todayd.Today.Picture: the bytes of a picture that an item of `Show` names.
struct Picture: Method {
    static let name = "Picture"
    static let parameterNames = ["id", "image"]

    let id: String
    let image: String

    init(_ parameters: Parameters) throws(VarlinkError) {
        id = try parameters.string("id")
        image = try parameters.string("image")
    }

    func answer(to call: MethodCall) throws(VarlinkError) -> Answer {
        let widget = try call.widget(id)
        do throws(Refusal) {
            return .parameters(["png": .string(try call.backend.picture(image, of: widget))])
        } catch {
            throw call.service.error(for: error)
        }
    }
}
