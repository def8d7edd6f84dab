// SPDX-License-Identifier: MIT

import TodayModel

extension TimeSpan {
    /// Roughly, in one unit: `now`, `3 min`, `2 h`, `5 d`. Rounded down: an age is never exaggerated.
    package var age: String {
        switch microseconds {
        case ..<(-60_000_000): "in the future"  // somebody has set the clock back; that is not fresh
        case ..<60_000_000: "now"
        case ..<3_600_000_000: "\(microseconds / 60_000_000) min"
        case ..<86_400_000_000: "\(microseconds / 3_600_000_000) h"
        default: "\(microseconds / 86_400_000_000) d"
        }
    }

    /// How long something took: `28 ms`, `1.2 s`, `59 s`, `1 min 30 s`.
    package var duration: String {
        let milliseconds = max(microseconds, 0) / 1_000
        switch milliseconds {
        case ..<1_000: return "\(milliseconds) ms"
        case ..<10_000: return "\(milliseconds / 1_000).\(milliseconds % 1_000 / 100) s"
        case ..<60_000: return "\(milliseconds / 1_000) s"
        default:
            let seconds = milliseconds / 1_000 % 60
            return "\(milliseconds / 60_000) min" + (seconds == 0 ? "" : " \(seconds) s")
        }
    }

    /// The time until something, in one unit: `now`, `40 s`, `3 min`.
    package var countdown: String {
        switch microseconds {
        case ..<1_000_000: "now"
        case ..<60_000_000: "\(microseconds / 1_000_000) s"
        default: age
        }
    }
}

extension Item {
    /// How old the content is at `now`: since it was last found to hold.
    package func age(at now: WallTime) -> TimeSpan? {
        (confirmed ?? taken).map { now - $0 }
    }

    /// How far the content can be trusted, in two or three words for the end of a title line.
    package func freshness(at now: WallTime) -> String {
        let age = age(at: now)?.age
        let mark: String? =
            switch state {
            case .ready: stale ? "stale" : nil
            case .failing: "failing"
            case .waiting: isPlaceholder ? "no answer yet" : age == nil ? "waiting" : stale ? "stale" : nil
            case .empty, .hidden, .disabled, .invalid, .unsupported, .masked: state.rawValue
            }
        guard let mark, let age else { return mark ?? age ?? "" }
        return "\(mark), \(age)"
    }

    /// The content is what the widget draws before its first answer.
    var isPlaceholder: Bool {
        switch source {
        case .placeholder: true
        case .own, .pushed, .draft: false
        case nil: state == .waiting && content != nil && taken == nil
        }
    }

    /// Whether the content must not look like news.
    var isPast: Bool { stale || isPlaceholder || !state.isVisible }
}
