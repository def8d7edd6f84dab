// SPDX-License-Identifier: MIT
import TestSupport
import Testing
import TodayModel

@testable import Runner

@Suite struct RunSettingsTests {
    private let settings = RunSettings(stateDirectory: "/s", socket: "/x", environment: [:])

    @Test func theGraceTimesHaveTheirDefaults() {
        let times = [settings.killGrace, settings.drainGrace, settings.idleGrace, settings.editingGrace]
        #expect(times.map(\.microseconds) == [2_000_000, 200_000, 60_000_000, 360_000_000])
    }

    @Test func anEditedProgramMayBeIdleLongerThanItsDraftIsKept() {
        #expect(settings.editingGrace == Layers.Draft.patience + .minutes(1))
    }

    @Test func straysAreOnlyReapedUnlessTheOwnerSaysOtherwise() {
        #expect(!settings.endsStrays && settings.groups == nil)
    }

    @Test func everyWidgetAndGroupHasADirectory() throws {
        let widget = try #require(WidgetID("org.example.a"))
        #expect(settings.directory(of: widget) == "/s/widgets/org.example.a")
        #expect(settings.directory(ofGroup: "group.org.example") == "/s/groups/group.org.example")
    }
}
