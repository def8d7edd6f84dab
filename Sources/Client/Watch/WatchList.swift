// SPDX-License-Identifier: MIT

import JSON
import Link
import TodayModel

/// All widgets in the user's order, also those that are not shown, while the view is edited. todayd tells of events, and is asked
/// again after those that may change the list.
final class WatchList {
    /// The shortest time between two questions.
    private static let interval = TimeSpan.milliseconds(200)

    private let service: ServiceClient
    private let events: ReplyStream
    private let list: ReplyStream
    private var isOutdated = false
    private var isAsking = false
    private var due = AwakeTime.now

    private let point: ExtensionPoint

    init(at point: ExtensionPoint, of service: ServiceClient) {
        self.point = point
        self.service = service
        events = ReplyStream(ServiceCall("Monitor"), of: service, connectingWithin: .zero)
        list = ReplyStream(ServiceCall("List"), of: service, connectingWithin: .zero)
    }

    /// For poll(2).
    var descriptors: [Int32] { [events.descriptor, list.descriptor].compactMap { $0 } }

    /// When to read without that anything has arrived.
    var nextReading: AwakeTime? { isOutdated && !isAsking ? due : nil }

    /// Reads what has arrived. Connects at the first call.
    ///
    /// - Returns: the widgets, where there is a newer list.
    func read() throws -> [Item]? {
        // A bounded number, so that the screen is not held up.
        for _ in 0..<64 {
            guard case .reply(let reply)? = try events.available() else { break }
            isOutdated = isOutdated || Self.mayChangeList(reply)
        }
        if isOutdated, !isAsking, due <= .now {
            (isOutdated, isAsking) = (false, true)
            due = .now + Self.interval
            list.close()
        }
        guard isAsking, case .reply(let reply)? = try list.available() else { return nil }
        isAsking = false
        list.close()
        return try service.translated { try reply.items("widgets").map { $0.listed(at: point) } }
    }

    /// The first reply has no events, and the list is not known yet.
    private static func mayChangeList(_ reply: JSONObject) -> Bool {
        let events = reply["events"]?.arrayValue ?? []
        return events.isEmpty
            || events.contains { event in
                switch event["kind"]?.stringValue.flatMap({ Event.Kind(rawValue: $0) }) {
                case .started, .finished, .defaults, .storage: false
                case .added, .changed, .removed, .snapshot, .choice, nil: true
                }
            }
    }
}
