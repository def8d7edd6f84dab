// SPDX-License-Identifier: MIT
import FleetProtocol
import JSON
import Testing
import TodayModel

/// One widget of one member, event by event.
@Suite struct FleetWidgetTests {
    private static let me = FleetMember(id: "me", name: "here")
    private static let other = FleetMember(id: "other", name: "there")
    private static let interval = TimeSpan.seconds(60)

    private var widget = FleetWidget(FleetWidget.Plan(interval: interval), of: me, at: BootTime(microseconds: 0))
    private var now = BootTime(microseconds: 0)

    private var moment: Moment {
        Moment(
            boot: now, awake: AwakeTime(microseconds: now.microseconds), wall: WallTime(microseconds: now.microseconds))
    }

    private mutating func tell(
        _ event: FleetWidget.Event, rank: Int = 0, after span: TimeSpan = .zero
    ) -> [FleetWidget.Action] {
        now = now + span
        return widget.handle(event, rank: { rank }, at: moment)
    }

    private func record(
        _ member: FleetMember = other, claim: Int64 = 5, _ result: FleetResult = FleetResult(.newData, content: "x"),
        after last: FleetRecord? = nil, interval: TimeSpan? = interval
    ) -> FleetRecord {
        FleetRecord(member, claim: claim, result, after: last, interval: interval, at: moment.wall)
    }

    /// Claims, runs and has the record that it publishes.
    private mutating func publish(
        _ result: FleetResult = FleetResult(.newData, content: "x"), claim: Int64 = 3
    ) throws -> FleetRecord {
        #expect(tell(.tick) == [.claim(expecting: widget.revision)])
        #expect(tell(.claimed(.accepted(revision: claim))) == [.run])
        guard case .publish(let record, _)? = tell(.ran(result)).first else { throw Missing() }
        return record
    }

    private struct Missing: Error {}

    @Test mutating func aResultIsAcceptedAndTheNextOneIsDueAfterTheInterval() throws {
        let record = try publish()
        #expect(record.member == Self.me && record.claim == 3 && record.wait == Self.interval)
        #expect(widget.isBusy)
        #expect(
            tell(.published(claim: 3, .accepted(revision: 4)), after: .seconds(1)) == [.accept(record, revision: 4)])
        #expect(!widget.isBusy)
        #expect(widget.wake { 0 } == BootTime(microseconds: 61_000_000))
        #expect(tell(.tick, after: .seconds(59)).isEmpty)
        #expect(tell(.tick, after: .seconds(1)) == [.claim(expecting: 4)])
    }

    @Test(arguments: [(0, 0), (1, 1), (7, 7), (8, 8), (9, 9), (16, 8), (1_000, 8)] as [(Int, Int64)])
    mutating func laterRanksWait(rank: Int, seconds: Int64) {
        _ = tell(.record(record(), revision: 9))
        #expect(widget.wake { rank } == now + Self.interval + .seconds(seconds))
    }

    @Test mutating func shortIntervalsHaveShorterSteps() {
        widget.plan.interval = .seconds(5)
        #expect(widget.wake { 2 } == BootTime(microseconds: 1_000_000))
        widget.plan.interval = .milliseconds(1)
        #expect(widget.wake { 1 } == BootTime(microseconds: 100_000))
    }

    @Test mutating func whatAnotherHoldsIsNotClaimed() {
        #expect(tell(.held(Self.other, revision: 7)).isEmpty)
        #expect(widget.wake { 0 } == nil && tell(.tick).isEmpty)
        #expect(tell(.freed(revision: 8)).isEmpty)
        #expect(tell(.tick) == [.claim(expecting: 0)])
    }

    @Test mutating func aHiddenWidgetIsNotClaimed() {
        widget.plan.runs = false
        #expect(widget.wake { 0 } == nil && tell(.tick).isEmpty)
    }

    @Test mutating func aRefusedClaimWaits() {
        #expect(tell(.tick) == [.claim(expecting: 0)])
        #expect(tell(.tick).isEmpty)
        #expect(tell(.claimed(.refused)).isEmpty)
        #expect(widget.wake { 0 } == now + .seconds(1))
    }

    /// 1, 2, 4 … 30 s while no answer comes.
    @Test mutating func unansweredClaimsWaitLongerAndLonger() {
        for seconds in [1, 2, 4, 8, 16, 30, 30] as [Int64] {
            #expect(tell(.tick) == [.claim(expecting: 0)])
            #expect(tell(.claimed(.unknown)).isEmpty)
            #expect(widget.wake { 0 } == now + .seconds(seconds))
            now = now + .seconds(seconds)
        }
        #expect(tell(.tick) == [.claim(expecting: 0)])
        #expect(tell(.claimed(.refused)).isEmpty)
        #expect(widget.wake { 0 } == now + .seconds(1))
    }

    @Test(arguments: [true, false]) mutating func aClaimWithoutAnAnswerIsTakenUp(isSeenFirst: Bool) {
        #expect(tell(.tick) == [.claim(expecting: 0)])
        if isSeenFirst { #expect(tell(.held(Self.me, revision: 7)).isEmpty) }
        #expect(tell(.claimed(.unknown)) == (isSeenFirst ? [.run] : []))
        if !isSeenFirst { #expect(tell(.held(Self.me, revision: 7)) == [.run]) }
        #expect(widget.heldClaim == 7)
    }

    /// The watch tells of a claim that is over when its answers were faster.
    @Test mutating func aClaimIsUsedOnce() throws {
        _ = try publish()
        _ = tell(.published(claim: 3, .accepted(revision: 4)))
        #expect(tell(.held(Self.me, revision: 3)).isEmpty && !widget.isBusy)
    }

    @Test(arguments: ["freed", "held", "record", "unreadable"])
    mutating func aLostClaimDiscardsTheResult(by event: String) {
        #expect(tell(.tick) == [.claim(expecting: 0)])
        #expect(tell(.claimed(.accepted(revision: 3))) == [.run])
        switch event {
        case "freed": #expect(tell(.freed(revision: 4)).isEmpty)
        case "held": #expect(tell(.held(Self.other, revision: 5)).isEmpty)
        case "unreadable": #expect(tell(.unreadable(revision: 5)).isEmpty)
        default: #expect(tell(.record(record(), revision: 6)) == [.accept(record(), revision: 6)])
        }
        #expect(
            tell(.ran(FleetResult(.noData))) == [
                .discard("a result of this machine came too late: its claim has ended"), .release(claim: 3),
            ])
        #expect(tell(.released(claim: 3, .refused)).isEmpty && !widget.isBusy)
    }

    /// What the watch tells late is of an earlier claim.
    @Test mutating func anEarlierEndOfAClaimIsNoLoss() {
        #expect(tell(.tick) == [.claim(expecting: 0)])
        #expect(tell(.claimed(.accepted(revision: 9))) == [.run])
        #expect(tell(.freed(revision: 8)).isEmpty)
        #expect(tell(.ran(FleetResult(.noData))).count == 1 && widget.isBusy)
    }

    @Test(arguments: ["freed", "held", "record", "unreadable"])
    mutating func aPublicationIsLostWithItsClaim(by event: String) throws {
        _ = try publish()
        let actions: [FleetWidget.Action]
        switch event {
        case "freed": actions = tell(.freed(revision: 4))
        case "held": actions = tell(.held(Self.other, revision: 5))
        case "unreadable": actions = tell(.unreadable(revision: 5))
        default: actions = tell(.record(record(), revision: 6))
        }
        let reason = event == "record" ? "there has published another one" : "its claim has ended"
        #expect(
            actions.prefix(2) == [
                .discard("a result of this machine came too late: \(reason)"), .release(claim: 3),
            ])
        #expect(tell(.released(claim: 3, .refused)).isEmpty && !widget.isBusy)
    }

    /// The answer to the claim comes after the watch has told of a record that a person has written since.
    @Test mutating func aClaimOfAnEarlierRecordIsReleased() {
        #expect(tell(.tick) == [.claim(expecting: 0)])
        #expect(tell(.unreadable(revision: 4)).isEmpty)
        #expect(tell(.claimed(.accepted(revision: 3))) == [.release(claim: 3)])
        #expect(tell(.released(claim: 3, .accepted(revision: 5))).isEmpty && !widget.isBusy)
        #expect(widget.wake { 0 } == nil)
        #expect(tell(.recordGone(revision: 6)).isEmpty)
        #expect(tell(.tick) == [.claim(expecting: 0)])
    }

    @Test mutating func aPublicationWithoutAnAnswerIsSentAgain() throws {
        let record = try publish()
        #expect(tell(.published(claim: 3, .unknown)).isEmpty)
        #expect(widget.wake { 0 } == now + .seconds(1))
        #expect(tell(.tick, after: .seconds(1)) == [.publish(record, expecting: 0)])
        #expect(tell(.tick, after: .seconds(9)).isEmpty)
        // The first one was accepted after all, and the watch tells so.
        #expect(tell(.published(claim: 3, .refused)).isEmpty && widget.isBusy)
        #expect(tell(.record(record, revision: 4)) == [.accept(record, revision: 4)])
        #expect(!widget.isBusy)
    }

    @Test mutating func anAnswerToAnEarlierPublicationIsIgnored() throws {
        _ = try publish()
        #expect(tell(.published(claim: 2, .accepted(revision: 4))).isEmpty && widget.isBusy)
    }

    @Test mutating func aRecordIsTakenOnceAndInOrder() {
        #expect(tell(.record(record(), revision: 6)).count == 1)
        #expect(tell(.record(record(claim: 4), revision: 6)).isEmpty)
        #expect(tell(.record(record(claim: 4), revision: 5)).isEmpty)
        #expect(widget.record?.claim == 5 && widget.revision == 6)
    }

    @Test(arguments: [(nil, 60), (true, 60), (false, 0)] as [(Bool?, Int64)])
    mutating func aRecordIsDueAfterItsRest(isResting: Bool?, seconds: Int64) {
        _ = tell(.record(record(), revision: 6, isResting: isResting))
        #expect(widget.wake { 0 } == now + .seconds(seconds))
        #expect(widget.wasResting == isResting)
    }

    @Test mutating func onceIsOnce() {
        _ = tell(.record(record(interval: nil), revision: 6, isResting: false))
        #expect(widget.wake { 0 } == nil)
    }

    @Test mutating func theEndOfTheRestMakesItDue() {
        _ = tell(.record(record(), revision: 6, isResting: true))
        _ = tell(.rested(revision: 5))
        #expect(widget.wake { 0 } == now + Self.interval)
        _ = tell(.rested(revision: 7), after: .seconds(1))
        #expect(widget.wake { 0 } == now)
        _ = tell(.rested(revision: 8), after: .seconds(1))
        #expect(widget.wake { 0 } == now - .seconds(1))
    }

    @Test mutating func aWishIsClaimedAtOnceAndOnce() {
        _ = tell(.record(record(), revision: 6))
        #expect(tell(.wanted).isEmpty)
        #expect(tell(.tick, rank: 5) == [.claim(expecting: 6)])
        _ = tell(.claimed(.refused))
        _ = tell(.record(record(), revision: 8))
        #expect(tell(.tick, after: .seconds(2)).isEmpty)
    }

    @Test mutating func whatCannotBeRunHereIsLeftToOthers() {
        #expect(tell(.tick) == [.claim(expecting: 0)])
        #expect(tell(.claimed(.accepted(revision: 3))) == [.run])
        #expect(tell(.ran(nil)) == [.release(claim: 3)])
        #expect(widget.wake { 0 } == nil && widget.heldClaim == 3)
        #expect(tell(.released(claim: 3, .unknown)).isEmpty)
        #expect(tell(.tick, after: .seconds(1)) == [.release(claim: 3)])
        #expect(tell(.released(claim: 2, .accepted(revision: 4))).isEmpty && widget.isBusy)
        #expect(tell(.released(claim: 3, .accepted(revision: 4))).isEmpty && !widget.isBusy)
        #expect(widget.wake { 0 } == BootTime(microseconds: 30_000_000))
    }

    @Test mutating func theEndOfAClaimEndsItsRelease() {
        #expect(tell(.tick) == [.claim(expecting: 0)])
        #expect(tell(.claimed(.accepted(revision: 3))) == [.run])
        #expect(tell(.ran(nil)) == [.release(claim: 3)])
        #expect(tell(.freed(revision: 4)).isEmpty && !widget.isBusy)
    }

    @Test mutating func whatIsNotUnderstoodIsNotReplaced() {
        _ = tell(.record(record(), revision: 6))
        _ = tell(.unreadable(revision: 5))
        #expect(widget.wake { 0 } != nil)
        _ = tell(.unreadable(revision: 7))
        #expect(widget.wake { 0 } == nil)
        _ = tell(.recordGone(revision: 8))
        #expect(widget.wake { 0 } == now && widget.revision == 0 && widget.record == nil)
    }

    @Test mutating func aRecordThatGoesWhileOneIsPublishedIsReplaced() throws {
        _ = tell(.record(record(), revision: 2))
        now = now + Self.interval
        let record = try publish()
        _ = tell(.recordGone(revision: 4))
        #expect(tell(.tick) == [.publish(record, expecting: 0)])
    }

    @Test mutating func tooMuchContentIsAFailure() throws {
        let record = try publish(FleetResult(.newData, content: .string(String(repeating: "x", count: 600_000))))
        #expect(record.kind == .failed && record.content == nil)
        #expect(record.failure == "its content has 600024 bytes, and a fleet takes 512 KiB")
    }

    @Test mutating func theMostContentIsPublished() throws {
        let content = JSON.string(String(repeating: "x", count: FleetRecord.longest - 24))
        #expect(content.bytes == FleetRecord.longest)
        #expect(try publish(FleetResult(.newData, content: content)).content == content)
    }

    /// As claims: 1, 2, 4 … 30 s while no answer comes.
    @Test(arguments: [true, false]) mutating func whatIsNotAnsweredIsSentAgain(isPublication: Bool) throws {
        #expect(tell(.tick) == [.claim(expecting: 0)])
        #expect(tell(.claimed(.accepted(revision: 3))) == [.run])
        #expect(tell(.ran(isPublication ? FleetResult(.noData) : nil)).count == 1)
        for seconds in [1, 2, 4, 8, 16, 30, 30] as [Int64] {
            #expect(tell(isPublication ? .published(claim: 3, .unknown) : .released(claim: 3, .unknown)).isEmpty)
            #expect(widget.wake { 0 } == now + .seconds(seconds))
            #expect(tell(.tick, after: .seconds(seconds)).count == 1)
        }
    }
}
