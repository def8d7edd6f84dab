// SPDX-License-Identifier: MIT
import JSON
import Synchronization

/// Values by name that stay, with the getters of `UserDefaults`.
///
/// Reading never fails: what cannot be read is not there. `values()` says why. Setting throws, because a value that is set
/// is on disk when the call returns, and the caller is told when it is not.
public protocol Defaults: Sendable {
    /// All values.
    func values() throws(TodayError) -> [String: DefaultsValue]

    /// Sets a value, or removes it with nil.
    func setValue(_ value: DefaultsValue?, forKey key: String) throws(TodayError)
}

extension Defaults {
    /// The value of a key, whatever its type.
    public func object(forKey key: String) -> DefaultsValue? { (try? values())?[key] }

    /// The text of a key; nil where there is none or it is something else.
    public func string(forKey key: String) -> String? {
        if case .string(let value) = object(forKey: key) { value } else { nil }
    }

    /// The whole number of a key, without its fraction if it has one; 0 where there is none.
    public func integer(forKey key: String) -> Int {
        switch object(forKey: key) {
        case .int(let value): value
        case .double(let value): Int(exactly: value.rounded(.towardZero)) ?? 0
        default: 0
        }
    }

    /// The number of a key; 0 where there is none.
    public func double(forKey key: String) -> Double {
        switch object(forKey: key) {
        case .int(let value): Double(value)
        case .double(let value): value
        default: 0
        }
    }

    /// Yes or no; no where there is nothing.
    public func bool(forKey key: String) -> Bool {
        switch object(forKey: key) {
        case .bool(let value): value
        case .int(let value): value != 0
        default: false
        }
    }

    /// The array of a key.
    public func array(forKey key: String) -> [DefaultsValue]? {
        if case .array(let values) = object(forKey: key) { values } else { nil }
    }

    /// The array of a key, where all elements are texts.
    public func stringArray(forKey key: String) -> [String]? {
        guard let values = array(forKey: key) else { return nil }
        let texts = values.compactMap { value -> String? in
            if case .string(let text) = value { text } else { nil }
        }
        return texts.count == values.count ? texts : nil
    }

    /// The dictionary of a key.
    public func dictionary(forKey key: String) -> [String: DefaultsValue]? {
        if case .dictionary(let values) = object(forKey: key) { values } else { nil }
    }

    /// Sets a value, or removes it with nil.
    public func set(_ value: (some DefaultsStorable)?, forKey key: String) throws(TodayError) {
        let value = value?.defaultsValue
        if value?.isStorable == false { throw .refused("\(key): not a finite number") }
        try setValue(value, forKey: key)
    }

    /// Removes a value.
    public func removeObject(forKey key: String) throws(TodayError) { try setValue(nil, forKey: key) }
}

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
