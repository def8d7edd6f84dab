// SPDX-License-Identifier: MIT
import Platform
import TodayModel

/// When the summaries of a bar turn by themselves.
struct PageTimer {
    private let interval: TimeSpan
    /// Nil while no summary has pages.
    private(set) var next: AwakeTime?

    init(_ interval: TimeSpan) { self.interval = interval }

    /// Whether the summaries turn now. A summary is shown for a whole interval before it turns for the first time.
    mutating func isDue(hasPages: Bool, at now: AwakeTime) -> Bool {
        guard hasPages else {
            next = nil
            return false
        }
        let isDue = next.map { $0 <= now } ?? false
        if isDue || next == nil { next = now + interval }
        return isDue
    }
}
