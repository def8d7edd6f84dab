// SPDX-License-Identifier: MIT
import JSON
import TodayModel
import Varlink

/// How hosts show a widget, in the words for its program.
package struct Scene: Hashable, Sendable {
    package var mode: DisplayMode
    package var size: Size
    /// The daemon has an answer of the widget.
    package var isKnown: Bool
    package var isEditing: Bool

    package init(mode: DisplayMode, size: Size, isKnown: Bool, isEditing: Bool) {
        self.mode = mode
        self.size = size
        self.isKnown = isKnown
        self.isEditing = isEditing
    }
}

/// Hosts begin or stop to show a widget.
package enum VisibilityChange: Sendable {
    /// The first host has begun to show the widget.
    case appear
    /// The last host has stopped showing the widget.
    case disappear
}

// MARK: - The calls of org.todayd.Widget

extension RunRequest {
    /// The call of org.todayd.Widget for this run.
    ///
    /// - Parameter isFirst: the program was not called yet, so it needs PerformUpdate before DisplayModeDidChange.
    func call(isFirst: Bool) -> VarlinkCall {
        let scene = Scene(mode: mode, size: sizes[mode], isKnown: isKnown, isEditing: isEditing)
        var parameters: JSONObject = ["request": scene.request(for: reason)]
        let method: String
        switch interaction {
        case .action(let action, _):
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
    /// The oneway call Appear or Disappear. It has no reply: the widget draws in its next answer.
    func call(_ change: VisibilityChange) -> VarlinkCall {
        let method =
            switch change {
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
