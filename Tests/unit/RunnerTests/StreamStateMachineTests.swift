// SPDX-License-Identifier: MIT
import Testing
import TodayModel

@testable import Runner

@Suite struct StreamStateMachineTests {
    private typealias Event = StreamStateMachine.Event
    private typealias Action = StreamStateMachine.Action

    private static let rest = Action.rest(.milliseconds(100))
    private static let update = Event.printed(isUpdate: true)
    private static let part = Event.printed(isUpdate: false)
    private static let nothing = Event.looked(found: false, isUpdate: false)
    private static let found = Event.looked(found: true, isUpdate: false)
    private static let foundUpdate = Event.looked(found: true, isUpdate: true)

    private static let lives: [(name: String, events: [Event], actions: [[Action]])] = [
        ("prints once", [update, .rested, nothing], [[.endRun, rest], [.look], [.watch]]),
        (
            "prints now and then", [update, .rested, nothing, update, .rested, nothing],
            [[.endRun, rest], [.look], [.watch], [.update, rest], [.look], [.watch]]
        ),
        (
            "prints on and on", [update, .rested, foundUpdate, .rested, foundUpdate, .rested, nothing],
            [[.endRun, rest], [.look], [.update, rest], [.look], [.update, rest], [.look], [.watch]]
        ),
        // The pipe is read again when the program exits, also during a rest.
        (
            "prints during a rest", [update, update, update, .rested, nothing, .rested, nothing],
            [[.endRun, rest], [], [], [.look], [.update, rest], [.look], [.watch]]
        ),
        (
            "prints half a line first", [part, .rested, found, .rested, foundUpdate],
            [[rest], [.look], [rest], [.look], [.endRun, rest]]
        ),
        (
            "a menu that silence ends", [part, .rested, .looked(found: false, isUpdate: true), .rested, nothing],
            [[rest], [.look], [.endRun, rest], [.look], [.watch]]
        ),
        ("is silent", [.timedOut, update], [[.endRunInSilence], [.update, rest]]),
        ("times out after its update", [update, .timedOut], [[.endRun, rest], []]),
        (
            "dismissed", [update, .dismissed("hidden"), update, .cancelled("x")],
            [[.endRun, rest], [.end("hidden")], [], []]
        ),
        (
            "dismissed before its update", [.dismissed("hidden"), .timedOut, update],
            [[.endRunInSilence, .end("hidden")], [], [rest]]
        ),
        ("cancelled before its update", [.cancelled("gone"), .timedOut, update], [[.end("gone")], [], [rest]]),
        ("cancelled", [update, .cancelled("gone"), .dismissed("hidden")], [[.endRun, rest], [.end("gone")], []]),
        ("prints too much", [.broken("much"), part, .rested, found], [[.end("much")], [rest], [.look], [rest]]),
        ("ends", [update, .ended, .rested, foundUpdate, .timedOut], [[.endRun, rest], [], [], [], []]),
    ]

    @Test(arguments: lives.map(\.name)) func everyEventHasItsActions(life: String) throws {
        let (_, events, actions) = try #require(Self.lives.first { $0.name == life })
        var machine = StreamStateMachine()
        for (event, expected) in zip(events, actions) {
            let done = machine.handle(event)
            #expect(done == expected, "\(event)")
        }
    }

    /// Whether a run waits for its end, and why the daemon has ended a program that has not failed.
    private static let ends: [(events: [Event], isOpen: Bool, cause: String?)] = [
        ([], true, nil), ([update], false, nil), ([.timedOut], false, nil), ([.cancelled("gone")], true, nil),
        ([update, .cancelled("gone")], false, "gone"), ([.dismissed("hidden")], false, "hidden"),
        ([update, .dismissed("hidden")], false, "hidden"), ([update, .broken("much")], false, nil),
        ([.broken("much"), .dismissed("hidden")], true, nil),
    ]

    @Test(arguments: 0..<ends.count) func anEndIsAFailureUnlessTheDaemonDoesNotNeedTheProgram(place: Int) {
        let (events, isOpen, cause) = Self.ends[place]
        var machine = StreamStateMachine()
        for event in events { _ = machine.handle(event) }
        #expect(machine.isRunOpen == isOpen)
        #expect(machine.cause == cause)
    }

    /// What a program has printed last counts, unless the daemon has ended it.
    @Test func theLastUpdateIsReportedBeforeTheEnd() {
        var machine = StreamStateMachine()
        let first = machine.reportLast()
        #expect(first == [.endRun])
        let second = machine.reportLast()
        #expect(second == [.update])
        _ = machine.handle(.dismissed("hidden"))
        let third = machine.reportLast()
        #expect(third == [])
    }
}
