// SPDX-License-Identifier: MIT
import Reactor
import TodayModel

extension BootTime {
    static var now: BootTime { BootTime(microseconds: EventLoop.now(.boottime)) }
}
