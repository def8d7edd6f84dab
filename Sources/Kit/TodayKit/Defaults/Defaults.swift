// SPDX-License-Identifier: MIT
import JSON
import Platform
import Synchronization

/// Values by key that outlive the process, with the getters of `UserDefaults`.
///
/// The getters never throw: a value that cannot be read counts as missing, and `values()` throws the reason. Setters throw,
/// because a value is on disk when they return.
public protocol Defaults: Sendable {
    /// All values.
    func values() throws(TodayError) -> [String: DefaultsValue]

    /// Sets a value, or removes it with nil.
    func setValue(_ value: DefaultsValue?, forKey key: String) throws(TodayError)
}

extension Defaults {
    /// The value of a key, of any type.
    public func object(forKey key: String) -> DefaultsValue? { (try? values())?[key] }

    /// The text of a key; nil if the value is missing or no text.
    public func string(forKey key: String) -> String? {
        if case .string(let value) = object(forKey: key) { value } else { nil }
    }

    /// The number of a key without its fraction; 0 if the value is missing or no number.
    public func integer(forKey key: String) -> Int {
        switch object(forKey: key) {
        case .int(let value): value
        case .double(let value): Int(exactly: value.rounded(.towardZero)) ?? 0
        default: 0
        }
    }

    /// The number of a key; 0 if the value is missing or no number.
    public func double(forKey key: String) -> Double {
        switch object(forKey: key) {
        case .int(let value): Double(value)
        case .double(let value): value
        default: 0
        }
    }

    /// The truth value of a key; false if the value is missing. A whole number counts as true unless it is 0.
    public func bool(forKey key: String) -> Bool {
        switch object(forKey: key) {
        case .bool(let value): value
        case .int(let value): value != 0
        default: false
        }
    }

    /// The array of a key; nil if the value is missing or no array.
    public func array(forKey key: String) -> [DefaultsValue]? {
        if case .array(let values) = object(forKey: key) { values } else { nil }
    }

    /// The array of a key; nil if the value is missing or has elements that are not texts.
    public func stringArray(forKey key: String) -> [String]? {
        guard let values = array(forKey: key) else { return nil }
        let texts = values.compactMap { value -> String? in
            if case .string(let text) = value { text } else { nil }
        }
        return texts.count == values.count ? texts : nil
    }

    /// The dictionary of a key; nil if the value is missing or no dictionary.
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

/// The widget's own defaults, in a file of its container, like `UserDefaults.standard` of an app. An update keeps its
/// results there, so that `viewDidLoad()` of the next process can show them at once.
public struct WidgetDefaults: Defaults {
    /// The defaults of this widget.
    public static let standard = WidgetDefaults()

    /// Lets one thread write at a time. todayd never runs two processes of a widget at once.
    private static let writing = Mutex(())

    private let directory: String?

    private init() { directory = nil }

    init(directory: String) { self.directory = directory }

    private var path: String {
        get throws(TodayError) {
            if let directory { return "\(directory)/defaults.json" }
            return "\(try Containers(Surroundings.current).ownDirectory())/defaults.json"
        }
    }

    /// All values; none if the file is missing or damaged.
    public func values() throws(TodayError) -> [String: DefaultsValue] {
        guard let bytes = Descriptor.contents(of: try path), let object = (try? JSON.parse(bytes))?.objectValue else {
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
