// SPDX-License-Identifier: MIT
import Testing
import TodayModel

@testable import TodayDaemon

struct RunsInProgressTests {
    /// An update of widget a has seen revision 5 of the group; then others write. The last column is what it has seen
    /// at its end.
    private static let a = WidgetID("org.test.a")
    private static let b = WidgetID("org.test.b")

    static let rows: [(writers: [[WidgetID?]], isUpdate: Bool, seen: Int64)] = [
        ([[a]], true, 6), ([[a, a], [a]], true, 8), ([[b]], true, 5), ([[nil]], true, 5),
        // The widget may not have read a change that came between its own changes.
        ([[a, b, a]], true, 6), ([[b, a]], true, 5), ([[a], [b], [a]], true, 6),
        // After a button, an update must follow, whichever client has written.
        ([[a]], false, 5),
    ]

    @Test(arguments: rows)
    func anUpdateHasSeenTheWidgetsOwnChanges(_ row: (writers: [[WidgetID?]], isUpdate: Bool, seen: Int64))
        throws
    {
        let widget = try #require(Self.a)
        var premises = Premises()
        premises.groups["group.g"] = 5
        var runs = RunsInProgress()
        runs.began(1, isUpdate: row.isUpdate, from: premises)
        #expect(runs.isRunning)
        var revision: Int64 = 5
        for writers in row.writers {
            revision += Int64(writers.count)
            runs.changed("group.g", to: revision, by: writers, own: widget)
        }
        let (seen, again) = (runs.ended(1), runs.ended(1))
        #expect(seen?.groups["group.g"] == row.seen)
        #expect(again == nil)
        #expect(!runs.isRunning)
    }

    @Test func theFirstChangeOfAGroupCountsToo() throws {
        var runs = RunsInProgress()
        runs.began(1, isUpdate: true, from: Premises())
        runs.changed("group.g", to: 1, by: [Self.a], own: try #require(Self.a))
        let seen = runs.ended(1)
        #expect(seen?.groups["group.g"] == 1)
    }
}
