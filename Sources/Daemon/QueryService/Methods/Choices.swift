// SPDX-License-Identifier: MIT
import JSON
import Reactor
import TodayModel
import Varlink

/// A method that sets one choice about one widget and replies without parameters.
protocol WidgetChange: Method {
    nonisolated var id: String { get }
    nonisolated var choice: Choice { get }
}

extension WidgetChange {
    func answer(to call: MethodCall) throws(VarlinkError) -> Answer {
        let widget = try call.widget(id)
        try call.require(choice.subject(for: widget))
        return .afterwards { call.backend.change(.choice(widget, choice), then: $0) }
    }
}

extension Choice {
    /// What a client needs permission for: a containing app sets the has-content flag, the user decides everything else.
    fileprivate func subject(for widget: WidgetID) -> ChangeSubject {
        switch self {
        case .hasContent: .widget(widget)
        case .enabled, .displayMode, .lockScreen: .choices
        }
    }
}

/// org.todayd.Today.Enable: lets a widget run and be shown.
struct Enable: WidgetChange {
    static let name = "Enable"
    static let parameterNames = ["id"]

    let id: String

    init(_ parameters: Parameters) throws(VarlinkError) { id = try parameters.string("id") }

    var choice: Choice { .enabled(true) }
}

/// org.todayd.Today.Disable: hides a widget; the daemon no longer launches it.
struct Disable: WidgetChange {
    static let name = "Disable"
    static let parameterNames = ["id"]

    let id: String

    init(_ parameters: Parameters) throws(VarlinkError) { id = try parameters.string("id") }

    var choice: Choice { .enabled(false) }
}

/// org.todayd.Today.SetDisplayMode: how much of a widget is shown.
struct SetDisplayMode: WidgetChange {
    static let name = "SetDisplayMode"
    static let parameterNames = ["id", "mode"]

    let id: String
    let mode: DisplayMode

    init(_ parameters: Parameters) throws(VarlinkError) {
        id = try parameters.string("id")
        mode = try parameters.required("mode") { field throws(JSONMismatch) in try field.choice(DisplayMode.self) }
    }

    var choice: Choice { .displayMode(mode) }
}

/// org.todayd.Today.SetLockScreen: whether a widget may be shown while the session is locked.
struct SetLockScreen: WidgetChange {
    static let name = "SetLockScreen"
    static let parameterNames = ["id", "allowed"]

    let id: String
    let allowed: Bool

    init(_ parameters: Parameters) throws(VarlinkError) {
        id = try parameters.string("id")
        allowed = try parameters.bool("allowed")
    }

    var choice: Choice { .lockScreen(allowed) }
}

/// org.todayd.Today.Move: moves a widget in the user's order.
struct Move: Method {
    static let name = "Move"
    static let parameterNames = ["id", "to", "other"]

    private enum Destination: String, CaseIterable {
        case first, last, up, down, before, after
    }

    let id: String
    private let destination: Destination
    private let other: String?

    init(_ parameters: Parameters) throws(VarlinkError) {
        id = try parameters.string("id")
        destination = try parameters.required("to") { field throws(JSONMismatch) in try field.choice(Destination.self) }
        other = try parameters.optionalString("other")
        let needsOther = destination == .before || destination == .after
        guard needsOther == (other != nil) else { throw .invalidParameter("other") }
    }

    func answer(to call: MethodCall) throws(VarlinkError) -> Answer {
        let widget = try call.choosableWidget(id)
        let placement = try placement(in: call)
        let backend = call.backend
        let change = Change.move(widget, placement, among: backend.neighbours(of: widget, for: placement))
        return .later { done in
            backend.change(change) { result in
                done(result.map { ["position": .int(Int64(backend.position(of: widget)))] })
            }
        }
    }

    private func placement(in call: MethodCall) throws(VarlinkError) -> Placement {
        switch destination {
        case .first: .first
        case .last: .last
        case .up: .up
        case .down: .down
        case .before: .before(try call.widget(other ?? ""))
        case .after: .after(try call.widget(other ?? ""))
        }
    }
}
