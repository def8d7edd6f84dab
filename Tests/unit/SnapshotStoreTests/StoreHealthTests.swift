// SPDX-License-Identifier: MIT
import Testing
import TodayModel

@testable import SnapshotStore

/// What the store makes of the writer's reports, without a database.
struct StoreHealthTests {
    private let full = StoreCondition.full("no room")

    private func report(
        _ outcome: Writer.Report.Outcome, hasBegun: Bool = false, moved: String? = nil
    ) -> Writer.Report {
        Writer.Report(outcome: outcome, hasBegun: hasBegun, moved: moved)
    }

    @Test func aCommitEndsAFailure() {
        var health = StoreHealth()
        #expect(health.condition == .ok)
        let failed = health.handle(report(.failed(full, keepingRecords: true)), at: 0)
        #expect(failed == .fail(full, keepingRecords: true))
        #expect(health.condition == full && health.lasting == .ok)
        let committed = health.handle(report(.committed), at: 0)
        #expect(committed == .succeed(wroteRows: true))
        #expect(health.condition == .ok)
    }

    @Test func aCheckpointEndsNoFailure() {
        var health = StoreHealth()
        health.noteFailure(full)
        let tidied = health.handle(report(.tidied), at: 0)
        #expect(tidied == .succeed(wroteRows: false))
        #expect(health.condition == full)
    }

    @Test func damageBeginsANewDatabase() {
        var health = StoreHealth()
        let damaged = health.handle(report(.damaged("a bad page")), at: 0)
        #expect(damaged == .startOver(reason: "a bad page"))
        #expect(health.damage == "a bad page" && health.condition == .ok)
        _ = health.handle(report(.committed, hasBegun: true, moved: "/old"), at: 0)
        #expect(health.damage == nil && health.condition == .setAside(path: "/old", reason: "a bad page"))
    }

    /// The changes of the clients may not fit on the disk when everything else does.
    @Test func aNewDatabaseIsUsedAlthoughTheCommitAfterItFails() {
        var health = StoreHealth()
        health.noteDamage("a bad page")
        let failed = health.handle(report(.failed(full, keepingRecords: true), hasBegun: true, moved: "/old"), at: 0)
        #expect(failed == .fail(full, keepingRecords: true))
        #expect(health.damage == nil && health.condition == full)
        #expect(health.lasting == .setAside(path: "/old", reason: "a bad page"))
    }

    @Test func aNewDatabaseThatCannotBeWrittenIsTriedAgain() {
        var health = StoreHealth()
        health.noteDamage("a bad page")
        _ = health.handle(report(.failed(full, keepingRecords: true), moved: "/old"), at: 0)
        #expect(health.damage == "a bad page" && health.lasting == .ok)
    }

    /// The user needs the reason of the first damage and the place of the first database, which holds the data.
    @Test func aNewDatabaseThatIsDamagedAtOnceFailsTheCommit() {
        var health = StoreHealth()
        _ = health.handle(report(.damaged("first")), at: 0)
        let second = health.handle(report(.damaged("second"), hasBegun: true, moved: "/old"), at: 0)
        let failure = StoreCondition.failing("a new database was damaged at once: second")
        #expect(second == .fail(failure, keepingRecords: true))
        #expect(health.condition == failure && health.damage == "first")
        _ = health.handle(report(.committed, hasBegun: true, moved: "/second"), at: 0)
        #expect(health.condition == .setAside(path: "/old", reason: "first"))
    }

    @Test func aLaterDamageHasItsOwnReasonAndPlace() {
        var health = StoreHealth()
        for name in ["first", "second"] {
            _ = health.handle(report(.damaged(name)), at: 0)
            _ = health.handle(report(.committed, hasBegun: true, moved: "/\(name)"), at: 0)
        }
        #expect(health.lasting == .setAside(path: "/second", reason: "second"))
    }

    @Test func theNinthNewDatabaseWithinAnHourIsRefused() {
        var health = StoreHealth()
        for time in 0..<Int64(NewBeginnings.most) {
            let step = health.handle(report(.damaged("again")), at: time)
            #expect(step == .startOver(reason: "again"))
            _ = health.handle(report(.committed, hasBegun: true), at: time)
        }
        let refused = health.handle(report(.damaged("again")), at: NewBeginnings.span - 1)
        guard case .fail(.failing(let reason), keepingRecords: true) = refused else {
            Issue.record("\(refused)")
            return
        }
        #expect(reason.contains("after 8 new ones within an hour"))
        let later = health.startOver("again", at: NewBeginnings.span)
        #expect(later == .startOver(reason: "again"))
    }

    /// At the start, a replacement that a killed daemon left may be damaged in turn.
    @Test func theFirstDamageAtTheStartCounts() {
        var health = StoreHealth()
        health.noteDamage("first")
        health.noteMove(to: "/old")
        health.noteExchange(at: 0)
        #expect(health.lasting == .setAside(path: "/old", reason: "first") && health.damage == "first")
        health.noteDamage("second")
        health.noteMove(to: "/second")
        health.noteUse()
        #expect(health.lasting == .setAside(path: "/old", reason: "first") && health.damage == nil)
    }

    @Test func aDatabaseThatIsSoundHasNothingToReplace() {
        var health = StoreHealth()
        health.noteUse()
        #expect(health.lasting == .ok)
        health.noteClearing("it was empty")
        #expect(health.condition == .setAside(path: nil, reason: "it was empty"))
    }

    @Test func aDatabaseOfANewerVersionIsNotWritten() {
        var health = StoreHealth()
        health.freeze(.readOnly("newer"))
        #expect(health.isFrozen && health.condition == .readOnly("newer"))
    }
}
