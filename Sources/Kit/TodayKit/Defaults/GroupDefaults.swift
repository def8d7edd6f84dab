// SPDX-License-Identifier: MIT
import JSON

/// The defaults that a widget and its containing app share: the mirror of `UserDefaults(suiteName:)`. The daemon keeps
/// them; both sides read and write the same values, from any thread.
///
/// It has a name of its own because Foundation, which an author may import beside this, has a class `UserDefaults` that
/// keeps its values in a file of one process and would be ambiguous with this or, worse, silently be meant.
///
/// A change by any process launches the widgets of the group with the reason `defaults`, so that they draw it.
public struct GroupDefaults: Defaults {
    /// The group, as in `AppGroups=` of the manifest.
    public let suiteName: String
    private let given: (any TodayService)?

    /// The defaults of a group. There is no connection until they are read or written.
    public init(suiteName: String) {
        self.suiteName = suiteName
        given = nil
    }

    package init(suiteName: String, service: any TodayService) {
        self.suiteName = suiteName
        given = service
    }

    private var service: any TodayService { given ?? Surroundings.current.service }

    /// All values.
    public func values() throws(TodayError) -> [String: DefaultsValue] {
        DefaultsValue.dictionary(try service.values(of: suiteName))
    }

    /// Sets a value, or removes it with nil. It is on disk when this returns.
    public func setValue(_ value: DefaultsValue?, forKey key: String) throws(TodayError) {
        try service.set(value?.json, forKey: key, in: suiteName)
    }
}
