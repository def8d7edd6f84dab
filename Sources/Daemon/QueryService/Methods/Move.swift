// SPDX-License-Identifier: MIT
import JSON
import Reactor
import TodayModel
import Varlink

/// org.todayd.Today.Move: puts a widget to another place in the user's order.
struct Move: Method {
    static let name = "Move"
    static let parameterNames = ["id", "to", "other"]

    private enum Place: String, CaseIterable {
        case first, last, up, down, before, after
    }

    let id: String
    private let place: Place
    private let other: String?

    init(_ parameters: Parameters) throws(VarlinkError) {
        id = try parameters.string("id")
        place = try parameters.required("to") { field throws(JSONMismatch) in try field.choice(Place.self) }
        other = try parameters.optionalString("other")
        let needsOther = place == .before || place == .after
        guard needsOther == (other != nil) else { throw .invalidParameter("other") }
    }

    func answer(in context: MethodContext) throws(VarlinkError) -> Answer {
        let widget = try context.choosableWidget(id)
        let placement = try placement(in: context)
        let backend = context.backend
        let change = Change.move(widget, placement, among: backend.neighbours(of: widget, for: placement))
        return .later { done in
            backend.change(change) { result in
                done(result.map { ["position": .int(Int64(backend.position(of: widget)))] })
            }
        }
    }

    private func placement(in context: MethodContext) throws(VarlinkError) -> Placement {
        switch place {
        case .first: .first
        case .last: .last
        case .up: .up
        case .down: .down
        case .before: .before(try context.widget(other ?? ""))
        case .after: .after(try context.widget(other ?? ""))
        }
    }
}
