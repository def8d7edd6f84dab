// SPDX-License-Identifier: MIT

extension GroupDefaults {
    /// All values as they are now, and again after every change. A reader that is slow gets the newest.
    ///
    /// In a widget of the daemon they come when the daemon says that something has changed, which is an update with the
    /// reason `defaults`; elsewhere by a connection of their own, and the stream ends with it.
    public var changes: AsyncStream<[String: DefaultsValue]> {
        let (values, continuation) = AsyncStream.makeStream(
            of: [String: DefaultsValue].self, bufferingPolicy: .bufferingNewest(1))
        let surroundings = Surroundings.current
        if surroundings.context == nil {
            DefaultsSubscription.start(group: suiteName, daemon: surroundings.daemon, continuation)
        } else {
            DefaultsObservers.add { [self] in if let values = try? self.values() { continuation.yield(values) } }
                .finish(with: continuation)
            if let now = try? self.values() { continuation.yield(now) }
        }
        return values
    }
}
