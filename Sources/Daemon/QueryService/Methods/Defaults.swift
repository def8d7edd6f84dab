// SPDX-License-Identifier: MIT
import JSON
import Reactor
import Varlink

/// org.todayd.Today.GetDefaults: the defaults of an app group; with `more`, the client follows them.
struct GetDefaults: Method {
    static let name = "GetDefaults"
    static let parameterNames = ["group"]

    let group: String

    init(_ parameters: Parameters) throws(VarlinkError) {
        group = try parameters.string("group")
    }

    func answer(to call: MethodCall) throws(VarlinkError) -> Answer {
        let group = try call.group(group)
        if call.wantsMore { return .stream(call.service.feeds.defaultsFeed(of: group)) }
        // The service keeps bytes for the next client that asks the same, because a group may hold much.
        var object = JSONObjectBytes()
        object.add("values", .object(DefaultsFeed.values(of: group, in: call.backend)))
        return .cacheable(object.end(), validUntil: nil)
    }
}

/// org.todayd.Today.SetDefaults: sets one value of an app group's defaults, or removes it.
struct SetDefaults: Method {
    static let name = "SetDefaults"
    static let parameterNames = ["group", "key", "value"]

    let group: String
    let key: String
    let value: JSON?

    init(_ parameters: Parameters) throws(VarlinkError) {
        group = try parameters.string("group")
        key = try parameters.string("key")
        value = try parameters.boxedValue("value")
    }

    func answer(to call: MethodCall) throws(VarlinkError) -> Answer {
        let group = try call.group(group)
        try call.require(.group(group))
        let writer = call.backend.widget(of: call.peer)
        return .afterwards {
            call.backend.change(.defaults(group: group, key: key, value: value, writer: writer), then: $0)
        }
    }
}
