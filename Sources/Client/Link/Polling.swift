// SPDX-License-Identifier: MIT

import Glibc
import TodayModel

extension TimeSpan {
    /// The time-out of poll(2), rounded up; nil waits for ever.
    package static func pollMilliseconds(_ span: TimeSpan?) -> Int32 {
        guard let span else { return -1 }
        return span <= .zero ? 0 : Int32(min(span.microseconds / 1_000 + 1, 1 << 30))
    }
}

extension pollfd {
    /// - Parameter descriptor: nil is waited for in vain.
    package init(reading descriptor: Int32?) { self.init(fd: descriptor ?? -1, events: Int16(POLLIN), revents: 0) }
}
