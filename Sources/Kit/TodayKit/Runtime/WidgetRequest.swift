// SPDX-License-Identifier: MIT
import TodayModel
import Varlink

/// What the widget is asked, in the words of org.todayd.Widget.
package enum WidgetCall: Hashable, Sendable {
    case performUpdate
    case displayModeDidChange
    case performAction(String)
    case beginEditing
    case endEditing(isCancelled: Bool)
}

extension WidgetCall {
    /// As in the environment of a run.
    package init(_ variables: Variables) {
        self =
            switch (variables["TODAY_ACTION"], variables["TODAY_EDITING"]) {
            case (let action?, _): .performAction(action)
            case (nil, "begin"): .beginEditing
            case (nil, "end"): .endEditing(isCancelled: false)
            case (nil, "cancel"): .endEditing(isCancelled: true)
            case (nil, _): .performUpdate
            }
    }
}

/// Why it is asked and how much room there is.
package struct WidgetRequest: Hashable, Sendable {
    package var reason: RunReason
    package var mode: NCWidgetDisplayMode
    package var size: WidgetSize
    /// There is an answer of the widget, so that it may say that this still holds.
    package var isKnown = true
    /// The user edits the widget.
    package var isEditing = false

    package init(reason: RunReason = .request, mode: NCWidgetDisplayMode = .compact, size: WidgetSize? = nil) {
        self.reason = reason
        self.mode = mode
        self.size = size ?? WidgetSize(mode.model.maximumSize)
    }
}

extension WidgetRequest {
    /// As org.todayd.Widget's `Request`.
    package init(_ field: JSONField) throws(JSONMismatch) {
        reason = try field.required("reason").choice(RunReason.self)
        mode = NCWidgetDisplayMode(try field.required("mode").choice(DisplayMode.self))
        let bounds = 1...10_000
        size = WidgetSize(
            columns: try field.required("columns").int(in: bounds), rows: try field.required("rows").int(in: bounds))
        // todayd says both, a caller by hand perhaps neither.
        isKnown = try field.optional("known")?.bool() ?? true
        isEditing = try field.optional("editing")?.bool() ?? false
    }

    /// As in the environment of a run; what is missing there is as usual.
    package init(_ variables: Variables) {
        let mode = variables["TODAY_DISPLAY_MODE"].flatMap(DisplayMode.init) ?? .compact
        self.init(
            reason: variables["TODAY_REASON"].flatMap(RunReason.init) ?? .request, mode: NCWidgetDisplayMode(mode))
        if let columns = variables["TODAY_MAX_COLUMNS"].flatMap({ Int($0) }), columns > 0 { size.columns = columns }
        if let rows = variables["TODAY_MAX_ROWS"].flatMap({ Int($0) }), rows > 0 { size.rows = rows }
        isKnown = variables["TODAY_KNOWN"] != "0"
        isEditing = ["begin", "continue"].contains(variables["TODAY_EDITING"])
    }
}
