// SPDX-License-Identifier: MIT
import JSON
import Reactor
import TodayModel
import Varlink

/// org.todayd.Today.Push: gives a widget content from outside, or removes it.
struct Push: Method {
    static let name = "Push"
    static let parameterNames = ["id", "content", "ttl"]

    let id: String
    let content: Content?
    let timeToLive: TimeSpan?

    init(_ parameters: Parameters) throws(VarlinkError) {
        id = try parameters.string("id")
        timeToLive = try parameters.optional("ttl") { field throws(JSONMismatch) in
            TimeSpan(microseconds: Int64(try field.int(in: 1...Int.max)))
        }
        // Errors name the field by its path within the content.
        guard let field = try parameters.field("content") else {
            content = nil
            return
        }
        do throws(JSONMismatch) {
            content = try Content(JSONField(root: field.value))
        } catch {
            throw .invalidContent(error)
        }
    }

    func answer(to call: MethodCall) throws(VarlinkError) -> Answer {
        let widget = try call.changeableWidget(id)
        let backend = call.backend
        guard let content else { return .afterwards { backend.change(.takeBack(widget), then: $0) } }
        let pushed = Layers.Pushed(
            content, taken: backend.now, expires: timeToLive.map { backend.now + $0 }, by: Self.client(of: call))
        return .afterwards { backend.change(.push(widget, pushed), then: $0) }
    }

    /// A user is named by number, because looking up a name may use the network.
    private static func client(of call: MethodCall) -> String {
        call.backend.widget(of: call.peer)?.text ?? "user \(call.peer.uid)"
    }
}
