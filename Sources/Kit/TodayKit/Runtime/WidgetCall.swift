// SPDX-License-Identifier: MIT
import JSON
import Platform
import TodayModel
import Varlink

/// What todayd asks the widget to do, in the words of org.todayd.Widget.
package enum WidgetCall: Hashable, Sendable {
    case performUpdate
    case displayModeDidChange
    case performAction(String)
    case beginEditing
    case endEditing(isCancelled: Bool)
}

extension WidgetCall {
    /// Reads the call from the environment of a run.
    package init(_ variables: EnvironmentVariables) {
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

/// Why todayd asks, and for which display mode and size.
package struct WidgetRequest: Hashable, Sendable {
    package var reason: RunReason
    package var mode: NCWidgetDisplayMode
    package var size: WidgetSize
    /// Whether todayd has a snapshot of the widget, so that `noData` is a valid result.
    package var isKnown = true
    /// Whether the user edits the widget.
    package var isEditing = false

    package init(reason: RunReason = .request, mode: NCWidgetDisplayMode = .compact, size: WidgetSize? = nil) {
        self.reason = reason
        self.mode = mode
        self.size = size ?? WidgetSize(mode.model.maximumSize)
    }
}

extension WidgetRequest {
    /// Reads a `Request` of org.todayd.Widget.
    package init(_ field: JSONField) throws(JSONMismatch) {
        try field.noOtherKeys(than: ["reason", "mode", "columns", "rows", "known", "editing"])
        reason = try field.required("reason").choice(RunReason.self)
        mode = NCWidgetDisplayMode(try field.required("mode").choice(DisplayMode.self))
        let bounds = 1...10_000
        size = WidgetSize(
            columns: try field.required("columns").int(in: bounds), rows: try field.required("rows").int(in: bounds))
        // todayd sends both; they are optional for calls by hand, as with varlinkctl.
        isKnown = try field.optional("known")?.bool() ?? true
        isEditing = try field.optional("editing")?.bool() ?? false
    }

    /// Reads the request from the environment of a run. A missing variable has its default value.
    package init(_ variables: EnvironmentVariables) {
        let mode = variables["TODAY_DISPLAY_MODE"].flatMap(DisplayMode.init) ?? .compact
        self.init(
            reason: variables["TODAY_REASON"].flatMap(RunReason.init) ?? .request, mode: NCWidgetDisplayMode(mode))
        if let columns = variables["TODAY_MAX_COLUMNS"].flatMap({ Int($0) }), columns > 0 { size.columns = columns }
        if let rows = variables["TODAY_MAX_ROWS"].flatMap({ Int($0) }), rows > 0 { size.rows = rows }
        isKnown = variables["TODAY_KNOWN"] == "1"
        isEditing = ["begin", "continue"].contains(variables["TODAY_EDITING"])
    }
}

/// A method of org.todayd.Widget with its parameters.
enum WidgetMethod {
    case perform(WidgetCall, WidgetRequest)
    case appear(WidgetRequest)
    case disappear

    init(_ call: VarlinkCall) throws(VarlinkError) {
        let parameters = JSONField(root: .object(call.parameters))
        let method: Self?
        do throws(JSONMismatch) {
            method = try Self(call.memberName, parameters)
        } catch {
            throw .invalidParameter(error.path)
        }
        guard let method else { throw .methodNotFound(call.method) }
        self = method
    }

    /// Nil if the interface has no such method.
    private init?(_ name: String, _ parameters: JSONField) throws(JSONMismatch) {
        switch name {
        case "PerformAction":
            try parameters.noOtherKeys(than: ["request", "action"])
            let action = try parameters.required("action").string()
            self = .perform(.performAction(action), try Self.request(parameters))
        case "EndEditing":
            try parameters.noOtherKeys(than: ["request", "cancelled"])
            let isCancelled = try parameters.optional("cancelled")?.bool() ?? false
            self = .perform(.endEditing(isCancelled: isCancelled), try Self.request(parameters))
        case "PerformUpdate": self = .perform(.performUpdate, try Self.request(alone: parameters))
        case "DisplayModeDidChange": self = .perform(.displayModeDidChange, try Self.request(alone: parameters))
        case "BeginEditing": self = .perform(.beginEditing, try Self.request(alone: parameters))
        case "Appear": self = .appear(try Self.request(alone: parameters))
        case "Disappear":
            _ = try Self.request(alone: parameters)
            self = .disappear
        default: return nil
        }
    }

    private static func request(_ parameters: JSONField) throws(JSONMismatch) -> WidgetRequest {
        try WidgetRequest(try parameters.required("request"))
    }

    private static func request(alone parameters: JSONField) throws(JSONMismatch) -> WidgetRequest {
        try parameters.noOtherKeys(than: ["request"])
        return try request(parameters)
    }
}

/// The outcome of a call.
package enum WidgetOutcome: Hashable, Sendable {
    case newData(Content)
    /// The snapshot is up to date; with the time until the next update, if the widget gives one.
    case noData(nextUpdate: TimeSpan? = nil)
    /// The reason in one line, and the time before which todayd does not try again.
    case failed(String, retryAfter: TimeSpan? = nil)

    /// An `Update` of org.todayd.Widget.
    var json: JSON {
        switch self {
        case .newData(let content): return ["result": "newData", "content": content.json]
        case .noData(let nextUpdate):
            var update: JSONObject = ["result": "noData"]
            update["nextUpdate"] = nextUpdate.map { .int($0.microseconds) }
            return .object(update)
        case .failed(let reason, let retryAfter):
            var update: JSONObject = ["result": "failed", "reason": .string(reason)]
            update["nextUpdate"] = retryAfter.map { .int($0.microseconds) }
            return .object(update)
        }
    }
}

extension WidgetOutcome {
    /// A failure whose reason is the description of an error, in one line.
    init(_ error: any Error) {
        let words = "\(error)".split { $0.isNewline }.joined(separator: " ")
        self = .failed(
            words.isEmpty ? "the update failed" : words,
            retryAfter: (error as? any WidgetRetrying)?.retryAfter.flatMap(Self.wait))
    }

    /// The time to wait within the limits of the protocol; nil for zero or less.
    private static func wait(_ duration: Duration) -> TimeSpan? {
        guard duration > .zero else { return nil }
        let limits = ContentLimits.statedWait
        return min(max(TimeSpan(duration), limits.lowerBound), limits.upperBound)
    }
}
