// SPDX-License-Identifier: MIT
import JSON
import TodayModel

/// Calls that a containing app leaves for todayd while it does not run. The app adds them to a file in the group's
/// directory, and todayd performs them when it starts:
///
///     if try !PendingCalls(suiteName: group).setNowOrLater("new", forKey: "text") {
///         print("todayd does not run; the widget is told when it starts.")
///     }
///
/// todayd performs the calls of a group in their order and before any later change. They may change only the group and the
/// widgets that belong to it.
public struct PendingCalls: Sendable {
    private static let fileName = "pending"
    /// todayd reads no more than this of the file.
    private static let limit = 64 << 10

    private let group: String

    /// Prepares calls for a group that the app shares with its widgets. This writes nothing yet.
    public init(suiteName: String) { group = suiteName }

    /// Leaves a call of `NCWidgetController.setHasContent` for todayd.
    public func setHasContent(
        _ flag: Bool, forWidgetWithBundleIdentifier identifier: String
    ) throws(TodayError) {
        try leave("SetHasContent", ["id": .string(identifier), "hasContent": .bool(flag)])
    }

    /// Leaves a call of `GroupDefaults.set` for todayd.
    public func set(_ value: some DefaultsStorable, forKey key: String) throws(TodayError) {
        let value = value.defaultsValue
        guard value.isStorable else { throw .refused("\(key): not a finite number") }
        var parameters: JSONObject = ["group": .string(group), "key": .string(key)]
        parameters["value"] = JSONObject.box(value.json)
        try leave("SetDefaults", parameters)
    }

    /// Sets a value of the group's defaults, or leaves the call if todayd does not run.
    ///
    /// - Returns: whether the value is set now.
    public func setNowOrLater(_ value: some DefaultsStorable, forKey key: String) throws(TodayError) -> Bool {
        if try setNow(value, forKey: key) { return true }
        try set(value, forKey: key)
        // todayd may have started meanwhile, and may have read the file before this call was in it.
        return try setNow(value, forKey: key)
    }

    /// - Returns: false if todayd does not run.
    private func setNow(_ value: some DefaultsStorable, forKey key: String) throws(TodayError) -> Bool {
        do throws(TodayError) {
            try GroupDefaults(suiteName: group).set(value, forKey: key)
            return true
        } catch {
            if case .unavailable = error { return false }
            throw error
        }
    }

    private func leave(_ method: String, _ parameters: JSONObject) throws(TodayError) {
        let call: JSON = ["method": .string("org.todayd.Today.\(method)"), "parameters": .object(parameters)]
        let path = try GroupContainer(suiteName: group).path
        try SmallFile.append([call.text], to: "\(path)/\(Self.fileName)", limit: Self.limit)
    }
}
