// SPDX-License-Identifier: MIT
import JSON
import TodayModel

/// What came of a call.
package enum WidgetOutcome: Hashable, Sendable {
    case newData(Content)
    /// What is shown still holds. With the time after which the widget wants to be asked next.
    case noData(nextUpdate: TimeSpan? = nil)
    /// In one line why, and the time before which there is no use in asking again.
    case failed(String, retryAfter: TimeSpan? = nil)

    /// As org.todayd.Widget's `Update`.
    var json: JSON {
        switch self {
        case .newData(let content): return ["result": "newData", "content": content.json]
        case .noData(let nextUpdate):
            var update: JSONObject = ["result": "noData"]
            update["nextUpdate"] = nextUpdate.map { .int($0.microseconds) }
            return .object(update)
        case .failed(let reason, let retryAfter):
            var update: JSONObject = ["result": "failed", "reason": .string(reason)]
            update["nextUpdate"] = retryAfter.map { .int($0.microseconds) }
            return .object(update)
        }
    }
}

extension WidgetOutcome {
    /// What an error says, in one line.
    init(_ error: any Error) {
        let words = "\(error)".split { $0.isNewline }.joined(separator: " ")
        self = .failed(
            words.isEmpty ? "the update failed" : words,
            retryAfter: (error as? any WidgetRetrying)?.retryAfter.flatMap(Self.wait))
    }

    /// A wait that servers and authors give, within the limits of the protocol. None at all is no wait.
    private static func wait(_ duration: Duration) -> TimeSpan? {
        guard duration > .zero else { return nil }
        let limits = ContentLimits.statedWait
        return min(max(TimeSpan(duration), limits.lowerBound), limits.upperBound)
    }
}

extension TimeSpan {
    init(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        let whole = TimeSpan(microseconds: seconds) * 1_000_000
        self = whole + TimeSpan(microseconds: attoseconds / 1_000_000_000_000)
    }
}
