// SPDX-License-Identifier: MIT
import TodayKit
import UsedSpace

/// What was shown last, in the widget's defaults.
struct SpaceCache {
    private static let key = "space"
    private let defaults: WidgetDefaults
    /// Another path has another file system: what was known of the one says nothing of the other.
    private let path: String

    init(_ defaults: WidgetDefaults, path: String) {
        self.defaults = defaults
        self.path = path
    }

    /// Nil where nothing was kept, or by hand something else.
    var space: DiskSpace? {
        guard let values = defaults.dictionary(forKey: Self.key), values["path"] == .string(path),
            case .int(let total)? = values["total"], case .int(let free)? = values["free"], total > 0, free >= 0
        else { return nil }
        return DiskSpace(total: UInt64(total), free: UInt64(free))
    }

    /// Whether the details were open when the widget was drawn last. It does not open them again: a new process only learns
    /// that it must draw itself closed.
    var isDrawnExpanded: Bool { defaults.dictionary(forKey: Self.key)?["expanded"] == .bool(true) }

    func keep(_ space: DiskSpace, isDrawnExpanded: Bool) throws(TodayError) {
        let values: [String: DefaultsValue] = [
            "path": .string(path), "rate": .double(space.rate), "total": .int(Int(clamping: space.total)),
            "free": .int(Int(clamping: space.free)), "expanded": .bool(isDrawnExpanded),
        ]
        try defaults.set(values, forKey: Self.key)
    }
}
