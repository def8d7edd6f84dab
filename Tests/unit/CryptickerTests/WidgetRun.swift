// SPDX-License-Identifier: MIT
import JSON
import TestSupport
import Testing
import TodayModel

/// The real btc-widget, called as todayd calls it, and the outcomes of the calls.
struct WidgetRun {
    enum Outcome {
        case newData(Content)
        case noData
        case failed(String)

        /// The view of compact mode; fails the test if there is no content.
        var compact: View { get throws { try #require(content?.compact, "\(self)") } }
        var expanded: View { get throws { try #require(content?.expanded, "\(self)") } }
        var content: Content? { if case .newData(let content) = self { content } else { nil } }
        var reason: String? { if case .failed(let reason) = self { reason } else { nil } }
        var isNoData: Bool { if case .noData = self { true } else { false } }
    }

    private let child: WidgetProgram

    init(
        _ state: TemporaryDirectory, _ server: PriceServer?, _ group: GroupService = GroupService(),
        environment more: [String: String] = [:]
    ) throws {
        var environment = ["TODAYD": "1", "TODAY_STATE_DIRECTORY": state.path]
        environment.merge(more) { $1 }
        environment["CRYPTICKER_SERVER"] = server?.url
        child = try WidgetProgram(
            "btc-widget", environment: PriceServer.variables(environment), isService: true, context: group.connect())
    }

    func update(_ mode: String = "compact") throws -> Outcome { try call("PerformUpdate", mode) }

    func press(_ action: String, isEditing: Bool = false) throws -> Outcome {
        try call("PerformAction", "compact", ["action": .string(action)], isEditing: isEditing)
    }

    func edit(_ isEditing: Bool, isCancelled: Bool = false) throws -> Outcome {
        try call(
            isEditing ? "BeginEditing" : "EndEditing", "compact", isCancelled ? ["cancelled": true] : [:],
            isEditing: isEditing)
    }

    /// Calls the widget as after a user has chosen a display mode.
    func choose(_ mode: String) throws -> Outcome { try call("DisplayModeDidChange", mode) }

    /// Calls the widget as todayd does while it has no snapshot.
    ///
    /// - Returns: the placeholder and then the answer.
    func updates() throws -> [Outcome] {
        guard let connection = child.connection else { throw WidgetProgram.Failure() }
        var outcomes: [Outcome] = []
        let request: JSONObject = [
            "reason": "boot", "mode": "compact", "columns": 60, "rows": 4, "known": false, "editing": false,
        ]
        try connection.stream("org.todayd.Widget.PerformUpdate", ["request": .object(request)], pause: .seconds(20)) {
            outcomes.append(try Self.outcome($0))
            return true
        }
        return outcomes
    }

    private func call(
        _ method: String, _ mode: String, _ more: JSONObject = [:], isEditing: Bool = false
    ) throws -> Outcome {
        guard let connection = child.connection else { throw WidgetProgram.Failure() }
        let reasons = ["PerformUpdate": "schedule", "PerformAction": "action", "DisplayModeDidChange": "mode"]
        let request: JSONObject = [
            "reason": .string(reasons[method] ?? "editing"), "mode": .string(mode), "columns": 60, "rows": 4,
            "known": true, "editing": .bool(isEditing),
        ]
        var parameters: JSONObject = ["request": .object(request)]
        for (key, value) in more { parameters[key] = value }
        return try Self.outcome(try connection.call("org.todayd.Widget.\(method)", parameters))
    }

    private static func outcome(_ reply: JSONObject) throws -> Outcome {
        switch reply["update"]?["result"]?.stringValue {
        case "newData": return .newData(try Content(JSONField(root: reply["update"]?["content"] ?? .null)))
        case "noData": return .noData
        default: return .failed(reply["update"]?["reason"]?.stringValue ?? reply.description)
        }
    }

    /// Closes the connection.
    ///
    /// - Returns: whether the process ends with status 0 and has printed nothing.
    func end() -> Bool {
        let ending = child.finish()
        return ending.status == 0 && ending.output.isEmpty && ending.errors.isEmpty
    }
}
