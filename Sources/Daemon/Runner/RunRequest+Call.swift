// SPDX-License-Identifier: MIT
import JSON
import TodayModel
import Varlink

extension RunRequest {
    /// The call of org.todayd.Widget that this run is.
    ///
    /// - Parameter isFirst: the program has nothing to draw yet.
    func call(isFirst: Bool) -> VarlinkCall {
        let scene = Scene(mode: mode, size: sizes[mode], isKnown: isKnown, isEditing: isEditing)
        var parameters: JSONObject = ["request": scene.request(for: reason)]
        let method: String
        switch errand {
        case .action(let action):
            method = "PerformAction"
            parameters["action"] = .string(action)
        case .beginEditing: method = "BeginEditing"
        case .endEditing(let isCancelled):
            method = "EndEditing"
            if isCancelled { parameters["cancelled"] = true }
        case .displayMode: method = isFirst ? "PerformUpdate" : "DisplayModeDidChange"
        case nil: method = "PerformUpdate"
        }
        return VarlinkCall(Scene.name(method), parameters, more: method == "PerformUpdate" && !isKnown)
    }
}

extension Scene {
    /// The call that tells a widget who looks. It has no reply: what the widget draws for it is for its next answer.
    func call(_ look: Look) -> VarlinkCall {
        let method =
            switch look {
            case .appear: "Appear"
            case .disappear: "Disappear"
            }
        return VarlinkCall(Self.name(method), ["request": request(for: .appear)], oneway: true)
    }

    fileprivate func request(for reason: RunReason) -> JSON {
        [
            "reason": .string(reason.rawValue), "mode": .string(mode.rawValue), "columns": JSON(size.columns),
            "rows": JSON(size.rows), "known": .bool(isKnown), "editing": .bool(isEditing),
        ]
    }

    fileprivate static func name(_ method: String) -> String { "org.todayd.Widget.\(method)" }
}

extension Manifest {
    /// Whether a process that was started for the one serves for the other.
    func hasSameProgram(as other: Manifest) -> Bool {
        update.command == other.update.command && update.environment == other.update.environment
            && update.timeout == other.update.timeout && limits == other.limits && appGroups == other.appGroups
    }
}
