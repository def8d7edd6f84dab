// SPDX-License-Identifier: MIT

import JSON
import Link
import TodayModel

/// All widgets in the user's order, including those that are not shown, while the view is edited. It follows todayd's events,
/// and asks again after those that may change the list.
final class WatchList {
    /// The shortest time between two calls.
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

    /// When to read although nothing has arrived.
    var nextReading: AwakeTime? { isOutdated && !isAsking ? due : nil }

    /// Reads what has arrived. Connects at the first call.
    ///
    /// - Returns: the widgets, if there is a newer list.
    func read() throws -> [Item]? {
        // Limits the number of replies, so that the screen is not held up.
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
        return try service.translated { try reply.member("widgets", [Item].self).map { $0.listed(at: point) } }
    }

    /// The first reply contains no events, and the list is not known yet.
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

/// Moves in the user's order, one after another: each depends on the result of the previous one.
struct WatchMoves: Equatable {
    struct Step: Hashable {
        let id: WidgetID
        let place: WatchDeed.Place
    }

    /// A move that todayctl has made but the view does not show yet.
    private struct Result: Equatable {
        let step: Step
        let other: WidgetID
        let end: AwakeTime
    }

    /// How long the view may take to show a move. todayd may also have moved other widgets meanwhile.
    static let pause = TimeSpan.seconds(1)
    private static let mostHeld = 100

    private(set) var held: [Step] = []
    private var result: Result?

    var isEmpty: Bool { held.isEmpty }

    mutating func hold(_ step: Step) { if held.count < Self.mostHeld { held.append(step) } }

    mutating func next() -> Step? { held.isEmpty ? nil : held.removeFirst() }

    mutating func clear() { (held, result) = ([], nil) }

    mutating func ended(_ deed: WatchDeed, at now: AwakeTime) {
        if case .move(let id, let place, let other) = deed {
            result = Result(step: Step(id: id, place: place), other: other, end: now)
        }
    }

    /// Whether the view does not show the last move yet.
    mutating func isWaiting(for shown: [WidgetID], at now: AwakeTime) -> Bool {
        guard let result else { return false }
        let isDone =
            shown.firstIndex(of: result.step.id).map { index in
                let beside = index + (result.step.place == .after ? -1 : 1)
                return shown.indices.contains(beside) && shown[beside] == result.other
            } ?? true
        if !isDone, now - result.end < Self.pause { return true }
        self.result = nil
        // Moves that were typed for another order are dropped.
        if !isDone { held = [] }
        return false
    }
}
