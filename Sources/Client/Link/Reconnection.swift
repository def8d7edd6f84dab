// SPDX-License-Identifier: MIT

import TodayModel

/// When a client that stays tries again to reach todayd: soon at first, because a restart takes less than a second, and then
/// less and less often, because ten bars of a user without a todayd should cost nothing.
package struct Reconnection {
    package static let first = TimeSpan.milliseconds(250)
    package static let longest = TimeSpan.seconds(15)

    private var pause = first

    package init() {}

    package private(set) var due: AwakeTime?

    package mutating func failed(at now: AwakeTime) {
        due = now + pause
        pause = min(pause + pause, Self.longest)
    }

    package mutating func succeeded() {
        due = nil
        pause = Self.first
    }
}
