// SPDX-License-Identifier: MIT

import JSON
import TodayModel
import Varlink

/// A method of org.todayd.Today with its parameters.
package struct ServiceCall: Equatable {
    /// The method without the interface.
    let member: String
    package var parameters: JSONObject = [:]

    package init(_ member: String, _ parameters: JSONObject = [:]) {
        self.member = member
        self.parameters = parameters
    }

    /// Omits the parameters that have no value.
    package init(_ member: String, optional parameters: [(String, String?)]) {
        self.member = member
        for (name, value) in parameters { self.parameters[name] = value.map(JSON.string) }
    }

    /// - Parameter isLocked: whether the session is locked, so that nothing is opened.
    package func whileLocked(_ isLocked: Bool) -> ServiceCall {
        var call = self
        if isLocked { call.parameters["locked"] = true }
        return call
    }

    /// The view, or the widgets that the user names, in their order.
    package static func show(_ ids: [String], at point: ExtensionPoint?) -> ServiceCall {
        var call = ServiceCall("Show", optional: [("point", point?.rawValue)])
        switch ids.count {
        case 0: break
        case 1: call.parameters["id"] = .string(ids[0])
        default: call.parameters["ids"] = JSON(ids)
        }
        return call
    }

    /// The choice of a display mode.
    package static func setting(_ mode: DisplayMode, of id: String) -> ServiceCall {
        ServiceCall("SetDisplayMode", ["id": .string(id), "mode": .string(mode.rawValue)])
    }

    package static func pressing(_ action: String, of id: String) -> ServiceCall {
        ServiceCall("PerformAction", ["id": .string(id), "action": .string(action)])
    }

    package static func opening(_ url: String, of id: String) -> ServiceCall {
        ServiceCall("OpenURL", ["id": .string(id), "url": .string(url)])
    }

    /// - Parameter id: nil updates all widgets.
    package static func updating(_ id: String?) -> ServiceCall { ServiceCall("Update", optional: [("id", id)]) }

    package static func editing(_ id: String, _ step: EditStep) -> ServiceCall {
        ServiceCall("SetEditing", step.parameters(of: id))
    }

    /// - Parameter place: `before` or `after` the other widget, or a place that needs no other widget.
    package static func moving(_ id: String, _ place: String, _ other: String? = nil) -> ServiceCall {
        ServiceCall("Move", optional: [("id", id), ("to", place), ("other", other)])
    }

    /// - Parameter point: nil means all of them.
    package static func enabling(_ id: String, _ isEnabled: Bool, at point: ExtensionPoint? = nil) -> ServiceCall {
        ServiceCall(isEnabled ? "Enable" : "Disable", optional: [("id", id), ("point", point?.rawValue)])
    }

    package static func settingHasContent(_ flag: Bool, of id: String) -> ServiceCall {
        ServiceCall("SetHasContent", ["id": .string(id), "hasContent": .bool(flag)])
    }

    /// The call that shows a widget that a choice hides.
    package static func curing(_ id: String, by cure: Cure) -> ServiceCall {
        let call = cure.call(for: id)
        return ServiceCall(call.method, call.parameters)
    }

    package var method: String { "org.todayd.Today.\(member)" }

    /// The same call with the whole identifier, if the daemon knows exactly one widget whose identifier ends as the user typed.
    func corrected(after error: VarlinkError) -> ServiceCall? {
        if error.name == Self.interactionNeeded, parameters[Self.interactive] == nil {
            var call = self
            call.parameters[Self.interactive] = true
            return call
        }
        guard error.name == "org.todayd.Today.NoSuchWidget",
            let candidates = error.parameters["candidates"]?.arrayValue, candidates.count == 1,
            let meant = candidates[0].stringValue, let typed = error.parameters["id"]?.stringValue, meant != typed
        else { return nil }
        for name in ["id", "other"] where parameters[name]?.stringValue == typed {
            var call = self
            call.parameters[name] = .string(meant)
            return call
        }
        guard let ids = parameters["ids"]?.arrayValue, ids.contains(.string(typed)) else { return nil }
        var call = self
        call.parameters["ids"] = .array(ids.map { $0 == .string(typed) ? .string(meant) : $0 })
        return call
    }

    /// How many corrections a call may need: one for each identifier, and one if the user is asked for a password.
    var mostCorrections: Int { (parameters["ids"]?.arrayValue?.count ?? 2) + 1 }

    /// Whether the user may be asked for a password.
    var isInteractive: Bool { parameters[Self.interactive] != nil }

    static let interactionNeeded = "org.todayd.Today.InteractiveAuthenticationRequired"
    private static let interactive = "allowInteractiveAuthentication"
}

// MARK: - Fields of replies

extension JSONObject {
    package func strings(_ key: String) -> [String] {
        (self[key]?.arrayValue ?? []).compactMap(\.stringValue)
    }
}

/// A call, and how the daemon's errors have corrected it so far.
struct CorrectedCall {
    private(set) var call: ServiceCall
    private var corrections = 0
    private var agent: PasswordAgent?

    init(_ call: ServiceCall) { self.call = call }

    /// Corrects the call, which is then made again; throws the error if it does not say how.
    mutating func correct(after error: VarlinkError, for service: ServiceClient) throws(VarlinkError) {
        guard corrections < call.mostCorrections, let corrected = call.corrected(after: error) else { throw error }
        if corrected.isInteractive { agent = agent ?? service.passwordAgent() }
        corrections += 1
        call = corrected
    }

    /// Ends the program that asks for a password.
    mutating func answered() { agent = nil }
}
