// SPDX-License-Identifier: MIT
import JSON
import Spelling
import TodayModel
import Varlink

/// The errors of org.todayd.Today.
extension VarlinkError {
    static func noSuchWidget(_ name: String, among widgets: [WidgetID]) -> VarlinkError {
        let name = name.shortened(to: WidgetID.maximumLength)
        var candidates = widgets.filter { $0.hasSuffix(name) }
        // An import of another host's `disk` does not change what `disk` means.
        let named = candidates.filter { !$0.isMade }
        if named.count == 1 { candidates = named }
        var parameters: JSONObject = ["id": .string(name), "candidates": .array(candidates.map { .string($0.text) })]
        if candidates.isEmpty {
            parameters["nearest"] = WidgetID.nearest(to: name, among: widgets).map { .string($0.text) }
        }
        return today("NoSuchWidget", parameters)
    }

    static func noSuchGroup(_ group: String) -> VarlinkError {
        today("NoSuchGroup", ["group": .string(group.shortened(to: WidgetID.maximumLength))])
    }

    static func invalidContent(_ mismatch: JSONMismatch) -> VarlinkError {
        today("InvalidContent", ["field": .string(mismatch.path), "reason": .string(mismatch.reason)])
    }

    package static func refused(_ reason: String) -> VarlinkError { today("Refused", ["reason": .string(reason)]) }

    static func notStored(_ reason: String) -> VarlinkError { today("NotStored", ["reason": .string(reason)]) }

    /// The machine's policy wants a password, and the client has not said that its user can be asked.
    static let interactionNeeded = today("InteractiveAuthenticationRequired", [:])

    static func limitReached(_ reason: String) -> VarlinkError { today("LimitReached", ["reason": .string(reason)]) }

    package static func contextError(_ member: String, _ parameters: JSONObject) -> VarlinkError {
        VarlinkError(name: "\(Interfaces.extensionContextName).\(member)", parameters: parameters)
    }

    private static func today(_ member: String, _ parameters: JSONObject) -> VarlinkError {
        VarlinkError(name: "\(Interfaces.todayName).\(member)", parameters: parameters)
    }
}

extension QueryService {
    /// - Parameter widget: the widget whose extension context was used, if one was.
    func error(for refusal: Refusal, of widget: WidgetID? = nil) -> VarlinkError {
        if widget != nil { return contextError(for: refusal) }
        return switch refusal {
        case .noSuchWidget(let id): .noSuchWidget(id.text, among: backend.widgets())
        case .refused(let reason): .refused(reason)
        case .notStored(let reason): .notStored(reason)
        }
    }
}

extension QueryService {
    private func contextError(for refusal: Refusal) -> VarlinkError {
        switch refusal {
        case .noSuchWidget(let id): .contextError("Refused", ["reason": "the manifest of \(id) was removed"])
        case .refused(let reason): .contextError("Refused", ["reason": .string(reason)])
        case .notStored(let reason): .contextError("NotStored", ["reason": .string(reason)])
        }
    }
}

extension Interfaces {
    static let todayName = "org.todayd.Today"
    static let extensionContextName = "org.todayd.ExtensionContext"
}
