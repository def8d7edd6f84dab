// SPDX-License-Identifier: MIT
import JSON
import Reactor
import Varlink

/// org.todayd.Today.GetDefaults: the defaults of an app group; with `more` followed.
struct GetDefaults: Method {
    static let name = "GetDefaults"
    static let parameterNames = ["group"]

    let group: String

    init(_ parameters: Parameters) throws(VarlinkError) {
        group = try parameters.string("group")
    }

    func answer(in context: MethodContext) throws(VarlinkError) -> Answer {
        let group = try context.group(group)
        if context.wantsMore { return .stream(context.service.feeds.defaults(of: group)) }
        // As bytes, which are kept for the next client that asks the same: a group may hold a lot.
        var bytes: [UInt8] = []
        JSON.object(["values": .object(DefaultsFeed.values(of: group, in: context.backend))]).write(to: &bytes)
        return .bytes(bytes, validUntil: nil)
    }
}
