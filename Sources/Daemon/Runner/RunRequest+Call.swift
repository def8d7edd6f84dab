// SPDX-License-Identifier: MIT
import TodayModel
import Varlink

extension RunRequest {
    /// The call of org.todayd.Widget that this run is.
    ///
    /// - Parameter isFirst: the program has nothing to draw yet.
    func call(isFirst: Bool) -> VarlinkCall {
        let size = mode.maximumSize
        var parameters: JSONObject = [
            "request": [
                "reason": .string(reason.rawValue), "mode": .string(mode.rawValue), "columns": JSON(size.columns),
                "rows": JSON(size.rows),
            ]
        ]
        if case .action(let action) = errand { parameters["action"] = .string(action) }
        let method =
            switch errand {
            case .action: "PerformAction"
            case .beginEditing: "BeginEditing"
            case .endEditing: "EndEditing"
            case .displayMode: isFirst ? "PerformUpdate" : "DisplayModeDidChange"
            case nil: "PerformUpdate"
            }
        return VarlinkCall("org.todayd.Widget.\(method)", parameters)
    }
}

extension Manifest {
    /// Whether a process that was started for the one serves for the other.
    func hasSameProgram(as other: Manifest) -> Bool {
        update.command == other.update.command && update.environment == other.update.environment
            && update.timeout == other.update.timeout && limits == other.limits && appGroups == other.appGroups
    }
}
