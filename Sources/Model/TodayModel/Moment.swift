// SPDX-License-Identifier: MIT

/// One look at the three clocks. What is due is decided on `boot`, what is stale on `awake`; dates that widgets and
/// people write are on `wall`, which may jump.
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
    package var slept: TimeSpan { TimeSpan(microseconds: boot.microseconds - awake.microseconds) }

    /// The wall clock's time at `time`, as the clocks stand now.
    package func wall(at time: BootTime) -> WallTime { wall + (time - boot) }

    /// When the wall clock will show `date`, unless it is set.
    package func boot(at date: WallTime) -> BootTime { boot + (date - wall) }

    /// When the machine will have been awake until `time`, if it does not sleep; no later than it really will.
    package func boot(at time: AwakeTime) -> BootTime { boot + (time - awake) }
}
