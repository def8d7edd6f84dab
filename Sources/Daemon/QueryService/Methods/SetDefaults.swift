// SPDX-License-Identifier: MIT
import JSON
import Reactor
import Varlink

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

    func answer(in context: MethodContext) throws(VarlinkError) -> Answer {
        let group = try context.group(group)
        try context.require(.group(group))
        let writer = context.backend.widget(of: context.peer)
        return .afterwards {
            context.backend.change(.defaults(group: group, key: key, value: value, writer: writer), then: $0)
        }
    }
}
