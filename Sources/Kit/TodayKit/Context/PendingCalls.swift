// SPDX-License-Identifier: MIT
import JSON
import TodayModel

/// What a containing app has to tell a todayd that does not run. The app leaves a note in the group's directory, and todayd
/// acts on it when it starts:
///
///     if try !PendingCalls(suiteName: group).setNowOrLater("new", forKey: "text") {
///         print("todayd does not run; the widget is told when it starts.")
///     }
///
/// The notes of one group are made in their order, before anything that is changed after them, and only for the group and
/// the widgets that belong to it.
public struct PendingCalls: Sendable {
    private static let fileName = "pending"
    /// As much as todayd reads of it.
    private static let limit = 64 << 10

    private let group: String

    /// Notes for a group that the app shares with its widgets. Nothing is written yet.
    public init(suiteName: String) { group = suiteName }

    /// Says whether a widget has anything to show: `NCWidgetController.setHasContent` later.
    public func setHasContent(
        _ flag: Bool, forWidgetWithBundleIdentifier identifier: String
    ) throws(TodayError) {
        try leave("SetHasContent", ["id": .string(identifier), "hasContent": .bool(flag)])
    }

    /// Sets a value of the group's defaults: `GroupDefaults.set` later.
    public func set(_ value: some DefaultsStorable, forKey key: String) throws(TodayError) {
        let value = value.defaultsValue
        guard value.isStorable else { throw .refused("\(key): not a finite number") }
        var parameters: JSONObject = ["group": .string(group), "key": .string(key)]
        parameters["value"] = JSONObject.box(value.json)
        try leave("SetDefaults", parameters)
    }

    /// Sets a value of the group's defaults, or leaves a note where no todayd runs.
    ///
    /// - Returns: whether it is set; false for a note.
    public func setNowOrLater(_ value: some DefaultsStorable, forKey key: String) throws(TodayError) -> Bool {
        if try isSetNow(value, forKey: key) { return true }
        try set(value, forKey: key)
        // A todayd that has started meanwhile may have looked for notes before this one was there.
        return try isSetNow(value, forKey: key)
    }

    private func isSetNow(_ value: some DefaultsStorable, forKey key: String) throws(TodayError) -> Bool {
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
