// SPDX-License-Identifier: MIT
import JSON
import Synchronization

/// The widget's own defaults, in a file of its container: what an app has in `UserDefaults.standard`. For what an update has
/// found out, so that `viewDidLoad()` of the next process can show it at once.
public struct WidgetDefaults: Defaults {
    /// The one of this widget.
    public static let standard = WidgetDefaults()

    /// One writer at a time; another process of the same widget there is not.
    private static let writing = Mutex(())

    private let directory: String?

    private init() { directory = nil }

    package init(directory: String) { self.directory = directory }

    private var path: String {
        get throws(TodayError) {
            if let directory { return "\(directory)/defaults.json" }
            return "\(try Containers(Surroundings.current).own())/defaults.json"
        }
    }

    /// All values; none where nothing was ever set, or the file is damaged.
    public func values() throws(TodayError) -> [String: DefaultsValue] {
        guard let bytes = SmallFile.read(try path), let object = (try? JSON.parse(bytes))?.objectValue else {
            return [:]
        }
        return DefaultsValue.dictionary(object)
    }

    /// Sets a value, or removes it with nil.
    public func setValue(_ value: DefaultsValue?, forKey key: String) throws(TodayError) {
        let result = Self.writing.withLock { _ in
            Result {
                var values = try values()
                values[key] = value
                try SmallFile.write(Array(DefaultsValue.dictionary(values).json.text.utf8), to: try path)
            }
        }
        if case .failure(let error) = result { throw error as? TodayError ?? .system("\(error)") }
    }
}
