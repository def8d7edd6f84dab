// SPDX-License-Identifier: MIT
import Reactor
import TodayModel

extension WallTime {
    /// What people's clocks say.
    static var now: WallTime { WallTime(microseconds: EventLoop.now(.realtime)) }
}
