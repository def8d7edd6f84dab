// SPDX-License-Identifier: MIT
import TodayModel
import Varlink

/// What the widget is asked, in the words of org.todayd.Widget.
package enum WidgetCall: Hashable, Sendable {
    case performUpdate
    case displayModeDidChange
    case performAction(String)
    case beginEditing
    case endEditing
}

extension WidgetCall {
    /// As in the environment of a run.
    package init(_ variables: Variables) {
        self =
            switch (variables["TODAY_ACTION"], variables["TODAY_EDITING"]) {
            case (let action?, _): .performAction(action)
            case (nil, "begin"): .beginEditing
            case (nil, "end"): .endEditing
            case (nil, _): .performUpdate
            }
    }
}

/// Why it is asked and how much room there is.
package struct WidgetRequest: Hashable, Sendable {
    package var reason: RunReason
    package var mode: NCWidgetDisplayMode
    package var size: WidgetSize

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
    }

    /// As in the environment of a run; what is missing there is as usual.
    package init(_ variables: Variables) {
        let mode = variables["TODAY_DISPLAY_MODE"].flatMap(DisplayMode.init) ?? .compact
        self.init(
            reason: variables["TODAY_REASON"].flatMap(RunReason.init) ?? .request, mode: NCWidgetDisplayMode(mode))
        if let columns = variables["TODAY_MAX_COLUMNS"].flatMap({ Int($0) }), columns > 0 { size.columns = columns }
        if let rows = variables["TODAY_MAX_ROWS"].flatMap({ Int($0) }), rows > 0 { size.rows = rows }
    }
}

/// What came of it.
package enum WidgetOutcome: Hashable, Sendable {
    case newData(Content)
    case noData
    case failed(String)

    /// As org.todayd.Widget's `Update`.
    var json: JSON {
        switch self {
        case .newData(let content): ["result": "newData", "content": content.json]
        case .noData: ["result": "noData"]
        case .failed(let reason): ["result": "failed", "reason": .string(reason)]
        }
    }
}
