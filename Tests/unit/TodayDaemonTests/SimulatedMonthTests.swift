// SPDX-License-Identifier: MIT
import Reactor
import Runner
import TestSupport
import Testing
import TodayModel

@testable import TodayDaemon

/// A month of a machine with many widgets, which fail, are hidden, pushed to and edited, while the machine sleeps, its
/// clock is set and its daemon is killed. After each event, hosts must get what an independent model of the layers
/// predicts.
@Suite struct SimulatedMonthTests {
    init() { TestLoop.start() }

    @Test(arguments: [1, 2] as [UInt64]) @LoopActor func whatIsShownIsWhatIsKnown(seed: UInt64) async throws {
        let month = try SimulatedMonth(seed: seed, widgets: 60)
        try await month.run(for: .days(30))
        #expect(month.faults.isEmpty, "seed \(seed): \(month.faults.prefix(5).joined(separator: "\n"))")
        // The month had enough events: about 4,000 runs, fewer or more by the order in which dictionaries are read.
        #expect(month.runs > 2_000)
        #expect(month.kills > 10)
        #expect(month.events > 1_000)
        #expect(month.checks.own > 10_000 && month.checks.pushed > 1_000 && month.checks.draft > 100)
        #expect(month.checks.laterEntries > 1_000 && month.checks.wasBehind > 100)
    }
}

/// What the test knows of one widget from its own actions.
struct SimulatedWidget {
    struct Answer: Equatable {
        var content: Content
        var taken: WallTime
        var confirmed: WallTime
    }

    let id: WidgetID
    let group: AppGroup
    var isHidden = false
    var isDisabled = false
    var own: Answer?
    /// All answers since the last kill: a crash may bring back any of them.
    var earlier: [Answer?] = [nil]
    var pushed: (content: Content, taken: WallTime, expires: WallTime?)?
    /// What a button has drawn before the first answer.
    var placeholder: Content?
    /// When the user began editing, and what the editor shows.
    var edited: (touched: BootTime, content: Content?)?
    /// Whether the last run failed, so that the widget does not run again before its retry.
    var lastRunFailed = false

    var mayRun: Bool { !isHidden && !isDisabled }
}

struct RandomNumbers: RandomNumberGenerator {
    private var state: UInt64
    init(seed: UInt64) { state = seed &* 0x9e37_79b9_7f4a_7c15 }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

    mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }
}
