// SPDX-License-Identifier: MIT
import JSON
import TodayModel

/// The defaults of one app group: values by key, and what they take of its allowance. Keys are the same when their bytes
/// are, here as in the database.
package struct GroupDefaults: Equatable, Sendable {
    package private(set) var values: JSONObject = [:]
    /// Keys and values, as JSON.
    private var bytes = 0

    package init() {}

    /// Sets a value, or removes it; false when it was so already. `group` is only for the words of the error.
    mutating func set(_ key: String, to value: JSON?, in group: AppGroup) throws(Refusal) -> Bool {
        let old = values[key]
        guard old != value else { return false }
        let growth = size(key, value) - size(key, old)
        if value != nil {
            if old == nil, values.count >= StoreLimits.keysPerGroup {
                throw Refusal.refused("\(group) already has \(StoreLimits.keysPerGroup) keys, the most there may be")
            }
            guard bytes + growth <= StoreLimits.bytesPerGroup else {
                throw Refusal.refused(
                    "\(group) would have more than the \(StoreLimits.bytesPerGroup) bytes of one group")
            }
        }
        bytes += growth
        values[key] = value
        return true
    }

    /// What was stored once is taken as it is.
    mutating func put(_ key: String, _ value: JSON?) {
        bytes += size(key, value) - size(key, values[key])
        values[key] = value
    }

    private func size(_ key: String, _ value: JSON?) -> Int {
        value.map { key.utf8.count + $0.text.utf8.count } ?? 0
    }
}
