// SPDX-License-Identifier: MIT
import JSON
import TodayModel

/// What a widget and a containing app have in common to ask of the daemon.
package protocol TodayService: Sendable {
    func setHasContent(_ flag: Bool, of widget: String) throws(TodayError)
    /// The values themselves, out of the objects in which they travel.
    func values(of group: String) throws(TodayError) -> JSONObject
    /// Nil removes the value.
    func set(_ value: JSON?, forKey key: String, in group: String) throws(TodayError)
}

extension JSONObject {
    /// The values of a reply of GetDefaults.
    var unboxedValues: JSONObject {
        var values: JSONObject = [:]
        for (key, box) in self["values"]?.objectValue ?? [:] { values[key] = box["value"] ?? box }
        return values
    }

    static func box(_ value: JSON?) -> JSON? { value.map { ["value": $0] } }
}
