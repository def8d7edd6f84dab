// SPDX-License-Identifier: MIT

import TodayModel

/// Moves in the user's order, one after the other: each depends on the result of the one before.
struct WatchMoves: Equatable {
    struct Step: Hashable {
        let id: WidgetID
        let place: WatchDeed.Place
    }

    /// A move that todayctl has made, and that the view does not show yet.
    private struct Result: Equatable {
        let step: Step
        let other: WidgetID
        let end: AwakeTime
    }

    /// How long the view may take to show a move. todayd may also have moved something else meanwhile.
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

    /// Whether the view has yet to show the last move.
    mutating func isWaiting(for shown: [WidgetID], at now: AwakeTime) -> Bool {
        guard let result else { return false }
        let isDone =
            shown.firstIndex(of: result.step.id).map { index in
                let beside = index + (result.step.place == .after ? -1 : 1)
                return shown.indices.contains(beside) && shown[beside] == result.other
            } ?? true
        if !isDone, now - result.end < Self.pause { return true }
        self.result = nil
        // What was typed for another order is not done in this one.
        if !isDone { held = [] }
        return false
    }
}
