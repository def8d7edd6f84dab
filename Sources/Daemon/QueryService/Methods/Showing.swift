// SPDX-License-Identifier: MIT
import JSON
import Reactor
import TodayModel
import Varlink

/// org.todayd.Today.Show: the view, or one widget; with `more`, the client follows it.
struct Show: Method {
    static let name = "Show"
    static let parameterNames = ["id", "point"]

    let id: String?
    let point: ExtensionPoint?

    init(_ parameters: Parameters) throws(VarlinkError) {
        id = try parameters.optionalString("id")
        point = try parameters.optional("point") { field throws(JSONMismatch) in
            try field.choice(ExtensionPoint.self)
        }
    }

    func answer(in context: MethodContext) throws(VarlinkError) -> Answer {
        let subject: ShowFeed.Subject =
            if let id { .widget(try context.widget(id)) } else { .point(point ?? .today) }
        let feed = context.wantsMore ? context.service.feeds.show(subject) : nil
        let now = BootTime.now
        let itemCache = context.itemCache
        let ids = ShowFeed.members(of: subject, in: itemCache, now: now)
        context.backend.hostLooked(at: ids)
        if let feed { return .stream(feed) }
        let entries = itemCache.entries(of: ids, now: now)
        return .bytes(
            ItemsReply(itemCache.bytes(of: entries)).parameters, validUntil: entries.lazy.compactMap(\.validUntil).min()
        )
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

    func answer(in context: MethodContext) -> Answer {
        context.backend.catchUp()
        let now = BootTime.now
        let itemCache = context.itemCache
        let entries = itemCache.entries(of: itemCache.order, now: now)
            .filter { entry in point.map { entry.points.contains($0) } ?? true }
        var object = JSONObjectBytes()
        object.add("widgets", array: itemCache.bytes(of: entries))
        // The reply is not kept for the next client, because the files on disk may differ by then.
        return .bytes(object.end(), validUntil: now)
    }
}

/// org.todayd.Today.Monitor: events as they happen.
struct Monitor: Method {
    static let name = "Monitor"
    static let parameterNames: [String] = []

    init(_ parameters: Parameters) {}

    func answer(in context: MethodContext) throws(VarlinkError) -> Answer {
        guard context.wantsMore else { throw .expectedMore }
        return .stream(context.service.feeds.events())
    }
}
