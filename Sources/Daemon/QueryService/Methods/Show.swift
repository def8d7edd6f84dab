// SPDX-License-Identifier: MIT
import JSON
import Reactor
import TodayModel
import Varlink

/// org.todayd.Today.Show: the view, or one widget; with `more` followed.
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
