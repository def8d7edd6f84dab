// SPDX-License-Identifier: MIT
import TodayModel

/// One look at the three clocks. What is due is decided on `boot`, what is stale on `awake`; `wall` only says in
/// people's time when something will be, so that a jump of the wall clock changes nothing.
package struct Moment: Hashable, Sendable {
    package var boot: BootTime
    package var awake: AwakeTime
    package var wall: WallTime

    package init(boot: BootTime, awake: AwakeTime, wall: WallTime) {
        self.boot = boot
        self.awake = awake
        self.wall = wall
    }

    /// How long the machine has slept since it was booted.
    var slept: TimeSpan { TimeSpan(microseconds: boot.microseconds - awake.microseconds) }

    /// The wall clock's time at `time`, as the clocks stand now.
    func wall(at time: BootTime) -> WallTime { wall + (time - boot) }
}
