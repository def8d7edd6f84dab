// SPDX-License-Identifier: MIT

import Testing
import TodayModel

@testable import Rendering

@Suite struct ExplanationTests {
    private static let now = Samples.now

    private func status(_ state: WidgetState, _ change: (inout WidgetStatus) -> Void = { _ in }) -> WidgetStatus {
        var status = WidgetStatus(id: "org.a.b", name: "B", state: state)
        (status.points, status.places) = ([.today], [.today])
        status.contentProtocol = "text"
        status.source = "/w/org.a.b.widget"
        status.interval = .minutes(5)
        change(&status)
        return status
    }

    private func run(
        _ result: RunRecord.Result = .newData, _ reason: RunReason = .schedule, ago: TimeSpan = .minutes(3),
        failure: String? = nil, errors: String = ""
    ) -> RunRecord {
        RunRecord(
            started: Self.now - ago, duration: .milliseconds(40), reason: reason, result: result, failure: failure,
            exit: nil, errorOutput: errors)
    }

    private func texts(_ status: WidgetStatus, _ item: Item? = nil) -> [String] {
        Explanation(status, item, now: Self.now).sentences.map(\.text)
    }

    /// The state, the reason, the points of the widget, and the first sentence.
    static let states: [(state: WidgetState, reason: String?, points: [ExtensionPoint], words: String)] = [
        (.ready, nil, [.today], "org.a.b (B) is shown."),
        (
            .ready, "it is for the lock screen alone", [.lockScreen],
            "org.a.b (B) is not shown: it is for the lock screen alone. 'todayctl enable --on lock-screen org.a.b' shows it."
        ),
        (.failing, nil, [.today], "org.a.b (B) is failing: its last run brought no answer."),
        (.waiting, "it has not answered yet", [.today], "org.a.b (B) waits for its first answer."),
        (
            .empty, "its last answer says that there is nothing to show", [.today],
            "org.a.b (B) is left out of the view: its last answer says that there is nothing to show."
        ),
        (
            .hidden, "its has-content flag is false", [.today],
            "org.a.b (B) is hidden, and not run: its has-content flag is false. 'todayctl set-has-content org.a.b true' "
                + "shows it."
        ),
        (
            .disabled, "the user has disabled it", [.today],
            "org.a.b (B) is disabled, and not run: the user has disabled it. 'todayctl enable org.a.b' enables it."
        ),
        (
            .invalid, "did you mean json?", [.today],
            "org.a.b (B) is invalid, and not run: did you mean json? Correct /w/org.a.b.widget, which todayd then reads by itself."
        ),
        (
            .invalid, "line 3", [.today],
            "org.a.b (B) is invalid, and not run: line 3. Correct /w/org.a.b.widget, which todayd then reads by itself."
        ),
        (
            .masked, "masked", [.today],
            "org.a.b (B) is masked, and not run: masked. Remove /w/org.a.b.widget to show it."
        ),
    ]

    @Test(arguments: [
        ("/w/org.a.b.widget: is a directory", "/w/org.a.b.widget"), ("/w/b.conf:3: no value", "/w/b.conf"),
        ("/w/a.conf: is a directory", "/w/a.conf"), ("/w/c.conf:1: no value", "/w/org.a.b.widget"),
    ])
    func theFileWithTheErrorIsToBeCorrected(complaint: String, file: String) {
        let invalid = status(.invalid) {
            ($0.complaints, $0.dropIns) = ([complaint, "/w/a.conf:2: unknown"], ["/w/a.conf", "/w/b.conf"])
        }
        #expect(texts(invalid)[0].hasSuffix(" Correct \(file), which todayd then reads by itself."))
    }

    @Test func whereTheUserHidesItIsSaid() {
        let hidden = status(.ready) { ($0.points, $0.places) = ([.today, .statusBar, .lockScreen], [.statusBar]) }
        #expect(
            texts(hidden).contains(
                "The user has hidden it from today; 'todayctl enable --on today org.a.b' shows it there."))
        let locked = status(.ready) { ($0.points, $0.places) = ([.today, .statusBar, .lockScreen], [.lockScreen]) }
        #expect(
            texts(locked).contains { $0.contains("hidden it from today and ") && $0.contains("--on today org.a.b") })
        let nowhere = status(.ready) {
            ($0.points, $0.places, $0.reason) = ([.today], [], "the user has hidden it everywhere")
        }
        #expect(!texts(nowhere).contains { $0.contains("hidden it from") }, "the first sentence says so")
        let disabled = status(.disabled) { ($0.points, $0.places) = ([.today, .statusBar], [.statusBar]) }
        #expect(!texts(disabled).contains { $0.contains("hidden it from") })
    }

    @Test(arguments: states) func theFirstSentenceSaysWhetherItIsShown(
        state: WidgetState, reason: String?, points: [ExtensionPoint], words: String
    ) {
        let status = status(state) {
            $0.reason = reason
            ($0.points, $0.places) = (points, points)
            $0.cure =
                switch state {
                case .hidden: .setHasContent
                case .disabled: .enable
                default: points == [.lockScreen] ? .showOnLockScreen : nil
                }
        }
        #expect(texts(status).first == words)
    }

    /// The reason of an invalid widget is one of its complaints, with the whole path in front.
    @Test func aReasonIsNotRepeatedAsAComplaint() {
        let status = status(.invalid) {
            $0.reason = "a.widget:5: no program"
            $0.complaints = ["/w/a.widget:5: no program", "/w/a.widget:7: odd"]
        }
        let texts = texts(status)
        #expect(texts.contains("/w/a.widget:7: odd") && !texts.contains("/w/a.widget:5: no program"))
        let ready = self.status(.ready) {
            ($0.reason, $0.complaints) = ("odd", ["/w/a.widget:7: odd"])
        }
        #expect(self.texts(ready).contains("/w/a.widget:7: odd"))
    }

    @Test func theRunOfAnotherMachineIsThatOfTheFleet() {
        func last(_ run: RunRecord) -> String? {
            let status = status(.ready) {
                ($0.history, $0.fleet) = ([run], FleetOrigin(member: "office", revision: 7))
            }
            return texts(status).first { $0.contains("for the fleet") }
        }
        #expect(last(run()) == "office ran it last for the fleet, at revision 7.")
        let failed = "office ran it last for the fleet, at revision 7. It has failed: no network."
        #expect(last(run(.failed, failure: "no network")) == failed)
    }

    /// The layer, the sender of a push, the seconds until it ends, and the sentence.
    static let layers: [(layer: Layers.Source, by: String?, ends: Int64?, words: String)] = [
        (.own, nil, nil, "Its content is its own last answer: \"fine\"."),
        (.placeholder, nil, nil, "Its content is what it draws before its first answer: \"fine\"."),
        (.draft, nil, nil, "Its content is what the user edits; 'todayctl edit --done org.a.b' keeps it: \"fine\"."),
        (.pushed, "user 7", 3_540, "Its content was pushed by user 7, for 59 min more: \"fine\"."),
        (
            .pushed, nil, nil,
            "Its content was pushed, until the next push or 'todayctl push --unset org.a.b': \"fine\"."
        ),
    ]

    @Test(arguments: layers) func theLayerIsNamed(layer: Layers.Source, by: String?, ends: Int64?, words: String) throws
    {
        let status = status(.ready) {
            ($0.shows, $0.pushedBy, $0.expires) = (layer, by, ends.map { Self.now + .seconds($0) })
        }
        let item = try Samples.item("org.a.b", "B", age: nil, content: Content(text: "fine"))
        #expect(texts(status, item).dropFirst().first == words)
    }

    @Test func ageAndStalenessAreSaid() throws {
        let ready = status(.ready) {
            $0.shows = .own
            $0.freshUntil = Self.now - .minutes(7)
        }
        func sentence(_ change: (inout Item) -> Void) throws -> String? {
            let item = try Samples.item("org.a.b", "B", age: .minutes(20), change: change)
            return texts(ready, item).first { $0.hasPrefix("It was taken") }
        }
        #expect(try sentence { _ in } == "It was taken 20 min ago.")
        #expect(
            try sentence { $0.confirmed = Self.now - .minutes(5) } == "It was taken 20 min ago and confirmed 5 min ago."
        )
        #expect(
            try sentence { $0.stale = true }
                == "It was taken 20 min ago, and is stale since 7 min: no run has confirmed it in time.")
    }

    @Test(arguments: RunReason.allCases) func theLastRunSaysWhyItWas(_ reason: RunReason) {
        let sentence = texts(status(.ready) { $0.history = [run(.newData, reason)] }).first {
            $0.hasPrefix("It ran last")
        }
        #expect(sentence?.hasPrefix("It ran last 3 min ago, ") == true)
        #expect(sentence?.hasSuffix(", and gave new content after 40 ms.") == true)
        #expect((sentence?.utf8.count ?? 0) > 70, "no reason: \(sentence ?? "")")
    }

    /// What `schedule` means for a widget without an interval.
    @Test func aRunByThePlanHasTheReasonOfItsWidget() {
        func reason(_ change: (inout WidgetStatus) -> Void) -> String? {
            texts(
                status(.ready) {
                    $0.history = [run(), run()]
                    change(&$0)
                }
            ).first { $0.hasPrefix("It ran last") }
        }
        #expect(reason { $0.history = [run()] }?.contains("because it was added,") == true)
        #expect(reason { _ in }?.contains("because its interval had passed,") == true)
        #expect(reason { $0.interval = nil }?.contains("because it was added or had changed,") == true)
        #expect(
            reason { $0.stream = StreamStatus() }?.contains("because its program had ended, or its file had changed,")
                == true)
    }

    @Test func aFailureIsQuoted() {
        let failing = status(.failing) {
            $0.history = [run(.failed, failure: "output is not JSON: x", errors: "one\ntwo"), run()]
            $0.printed = Printed(Array("{oops".utf8), keeping: 100)
            $0.activity.failuresInARow = 3
        }
        let sentences = Explanation(failing, nil, now: Self.now).sentences
        #expect(
            sentences.dropFirst().map(\.text) == [
                "It ran last 3 min ago, because its interval had passed, and failed after 40 ms: output is not JSON: x.",
                "It printed 5 bytes to standard output:", "{oops", "The end of its standard error:", "one", "two",
                "These were 3 failures in a row.",
            ])
        #expect(sentences.filter { $0.kind == .quote }.map(\.text) == ["{oops", "one", "two"])
        #expect(sentences.filter { $0.kind == .trouble }.count == 2)
    }

    @Test func oneFailureIsNoSeries() {
        let failing = status(.failing) {
            $0.history = [run(.failed, failure: "x")]
            $0.activity.failuresInARow = 1
        }
        #expect(!texts(failing).contains { $0.contains("in a row") })
    }

    @Test func silenceIsSaid() {
        let failing = status(.failing) {
            $0.history = [run(.failed, failure: "printed nothing")]
            $0.printed = Printed([], keeping: 100)
        }
        #expect(texts(failing).contains("It printed nothing to standard output."))
        #expect(texts(status(.waiting)).contains("It has not run yet."))
    }

    /// What the scheduler says, and the sentence.
    static let plans: [(running: Bool, next: Int64?, waits: String?, words: String?)] = [
        (true, nil, nil, "It runs now."), (false, 240, nil, "It runs next in 4 min, by its interval of 5min."),
        (false, 374, nil, "It runs next in 6 min, by its interval of 5min."),
        (false, 380, nil, "It runs next in 6 min, as its last answer asks."),
        (false, 518_400, nil, "It runs next in 6 d, as its last answer asks."),
        (false, 240, "its retry after a failure", "It runs next in 4 min; it waits for its retry after a failure."),
        (false, 0, "a free place", "It is due now; it waits for a free place."),
        (
            false, nil, "a change or a request: its timeline says never",
            "It does not run by itself; it waits for a change or a request: its timeline says never."
        ),
        (false, nil, nil, nil),
    ]

    @Test(arguments: plans) func theNextRunIsSaid(running: Bool, next: Int64?, waits: String?, words: String?) {
        let status = status(.ready) {
            $0.interval = .minutes(5)
            $0.activity.isRunning = running
            $0.activity.nextRun = next.map { Self.now + .seconds($0) }
            $0.activity.waitingFor = waits
            $0.history = [run()]
        }
        let sentences = Explanation(status, nil, now: Self.now).sentences
        #expect(sentences.first { $0.kind == .next }?.text == words)
    }

    @Test func theProgramOfAStreamIsExplained() {
        func stream(_ change: (inout StreamStatus) -> Void) -> [String] {
            let status = status(.ready) {
                $0.history = [run()]
                $0.activity.waitingFor = "the end of its program"
                var stream = StreamStatus()
                (stream.isRunning, stream.started, stream.updates) = (true, Self.now - .minutes(5), 7)
                change(&stream)
                $0.stream = stream
            }
            return Array(texts(status).drop { !$0.hasPrefix("Its program") })
        }
        let next = "It prints an update whenever it has one; a further run starts it again."
        #expect(stream { _ in } == ["Its program was started 5 min ago; it has given 7 updates.", next])
        let restarted = stream {
            ($0.restarts, $0.updates, $0.lastEnd, $0.lastEndAt) = (2, 1, "exited with status 1", Self.now - .minutes(6))
        }
        #expect(
            restarted == [
                "Its program was started 5 min ago; todayd has started 3 programs, which have given 1 update in all.",
                "The program before ended 6 min ago: exited with status 1.", next,
            ])
        let disabled = Explanation(
            status(.disabled) {
                var stream = StreamStatus()
                (stream.isRunning, stream.started) = (true, Self.now)
                $0.stream = stream
            }, nil, now: Self.now
        ).sentences.map(\.text)
        #expect(!disabled.contains { $0.hasPrefix("Its program") || $0.hasPrefix("It prints") }, "\(disabled)")
        let ended = stream { $0.isRunning = false }
        #expect(ended.first == "Its program does not run now; it has given 7 updates.")
        #expect(ended.last == "It does not run by itself; it waits for the end of its program.")
    }

    @Test func whatWasNotUnderstoodIsSaid() {
        let sentences = Explanation(
            status(.ready) {
                $0.history = [run()]
                $0.notes = ["line 1: unknown key x", "line 2: no color"]
            }, nil, now: Self.now
        ).sentences
        let start = sentences.firstIndex { $0.text == "Notes on its output:" } ?? 0
        #expect(sentences.dropFirst(start + 1).prefix(2).map(\.text) == ["line 1: unknown key x", "line 2: no color"])
        #expect(sentences.dropFirst(start + 1).prefix(2).allSatisfy { $0.kind == .quote })
    }

    /// The protocol, the status, the result, and whether it is explained.
    static let statuses: [(word: String, exit: String, result: RunRecord.Result, isExplained: Bool)] = [
        ("nagios", "exited with status 3", .newData, true), ("nagios", "exited with status 3", .noData, true),
        ("nagios", "exited with status 2", .newData, false), ("nagios", "exited with status 3", .failed, false),
        ("text", "exited with status 3", .newData, false),
    ]

    @Test(arguments: statuses.indices) func thatAMonitoringPluginCouldNotTellIsExplained(_ index: Int) throws {
        let (word, exit, result, isExplained) = Self.statuses[index]
        let item = try Samples.item("org.a.b", "B", content: Content(text: "UNKNOWN: no route"))
        let sentences = Explanation(
            status(.ready) {
                var last = run(result)
                last.exit = exit
                ($0.contentProtocol, $0.history, $0.shows) = (word, [last], .own)
            }, item, now: Self.now
        ).sentences
        let start = sentences.firstIndex { $0.text.hasPrefix("Its status 3 is UNKNOWN: ") }
        #expect((start != nil) == isExplained)
        // What the plugin has printed stands above.
        #expect(sentences.first { $0.text.contains("UNKNOWN: no route") }?.kind == .shown)
    }

    @Test func aWidgetWithoutAProgramDoesNotRun() {
        let sentences = texts(
            status(.empty) {
                $0.contentProtocol = "push"
                $0.reason = "nothing has been pushed to it"
            })
        #expect(
            sentences == [
                "org.a.b (B) is left out of the view: nothing has been pushed to it. 'todayctl push org.a.b --text TEXT' gives "
                    + "it something.", "It has no program: it shows what is pushed to it.",
            ])
    }

    @Test func whatChangesWithoutARunIsSaid() {
        func sentence(_ change: (inout WidgetStatus) -> Void) -> String? {
            let status = status(.ready) {
                ($0.shows, $0.changes) = (.own, Self.now + .minutes(5))
                change(&$0)
            }
            return texts(status).first { $0.hasPrefix("What it shows") }
        }
        #expect(sentence { _ in } == "What it shows changes in 5 min without a run, by its timeline.")
        // That an answer becomes stale changes no content.
        #expect(sentence { $0.freshUntil = Self.now + .minutes(5) + .milliseconds(1) } == nil)
        for other in [TimeSpan.minutes(4), .minutes(6)] {
            #expect(sentence { $0.freshUntil = Self.now + other }?.hasSuffix("by its timeline.") == true)
        }
        #expect(
            sentence { ($0.shows, $0.expires) = (.pushed, Self.now + .minutes(5) - .milliseconds(1)) }
                == "What it shows changes in 5 min without a run, because the push ends.")
        #expect(sentence { $0.changes = Self.now } == nil)
    }

    @Test func complaintsComeBeforeRuns() {
        let sentences = texts(
            status(.invalid) {
                $0.complaints = ["/w/org.a.b.widget:3: Interval=: soon"]
                $0.history = [run()]
            })
        #expect(sentences[1] == "/w/org.a.b.widget:3: Interval=: soon")
        #expect(sentences[2].hasPrefix("It ran last"))
    }

    @Test func quotesAreDrawnAsSuchAndAreHarmless() {
        let failing = status(.failing) { $0.history = [run(.failed, failure: "x", errors: "a\u{1b}[2Jb")] }
        let lines = Explanation(failing, nil, now: Self.now).lines(Samples.presentation(60)).map { $0.text() }
        #expect(lines.contains("  │ a\u{FFFD}[2Jb"), "\(lines)")
    }

    /// A quote has the room that its mark leaves; the first sentence alone is bold.
    @Test func sentencesAreDrawnInTheirWidth() {
        let words = String(repeating: "x", count: 36)
        let failing = status(.failing) { $0.history = [run(.failed, failure: "x", errors: "\(words)yy z")] }
        let lines = Explanation(failing, nil, now: Self.now).lines(Samples.presentation(40, .unicode, .sixteen))
        #expect(lines.allSatisfy { $0.width <= 40 })
        #expect(lines.contains { $0.text() == "  │ \(words)" })
        #expect(lines.map { $0.text(.sixteen).hasPrefix("\u{1B}[1m") } == lines.indices.map { $0 < 2 })
    }
}
