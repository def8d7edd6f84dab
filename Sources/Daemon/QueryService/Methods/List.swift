// SPDX-License-Identifier: MIT
import JSON
import Reactor
import TodayModel
import Varlink

/// org.todayd.Today.List: all widgets, also those which are not shown.
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
        var bytes = ItemsReply.array(named: "widgets", of: itemCache.bytes(of: entries))
        bytes.append(UInt8(ascii: "}"))
        // Not kept for the next client: by then something on disk may be different.
        return .bytes(bytes, validUntil: now)
    }
}
