// SPDX-License-Identifier: MIT
import Testing
import TodayModel

@Suite struct StandingTests {
    struct Case: Sendable {
        var validity = Standing.Validity.valid
        var enabled: Bool?
        var hasContent = true
        var enabledByDefault = true
        var content: Content?
        var failure: String?
        var isPushed = false
        var source = Layers.Source.own
        var pushHasExpired = false
        var points: [ExtensionPoint] = [.today]
        var isAllowed = false
        let state: WidgetState
        /// Why nothing of the widget is shown.
        var silence: String?
        var cure: Cure?
    }

    private static let invalid = Standing.Validity.invalid("flaw")
    private static let masked = Standing.Validity.masked("flaw")
    private static let content = Content(text: "x")
    private static let empty: Content = {
        var content = Content(text: "")
        content.isEmpty = true
        return content
    }()

    private static let unseen = "it is for the lock screen alone, and the user has not allowed it there"
    private static let unanswered = "it has not answered yet"

    static let cases: [Case] = [
        Case(state: .waiting, silence: unanswered),
        Case(content: content, state: .ready),
        Case(content: empty, state: .empty, silence: "its last answer says that there is nothing to show"),
        Case(content: content, failure: "x", state: .failing),
        Case(failure: "x", state: .failing),
        Case(content: empty, failure: "x", state: .failing),
        Case(
            hasContent: false, content: content, state: .hidden, silence: "its has-content flag is false",
            cure: .setHasContent),
        Case(enabled: false, content: content, state: .disabled, silence: "the user has disabled it", cure: .enable),
        Case(
            enabled: false, hasContent: false, state: .disabled,
            silence: "the user has disabled it, and its has-content flag is false", cure: .enable),
        Case(
            enabledByDefault: false, state: .disabled,
            silence: "new widgets are disabled, by EnableNewWidgets=no in todayd.conf", cure: .enable),
        Case(enabled: true, enabledByDefault: false, state: .waiting, silence: unanswered),
        Case(isPushed: true, state: .empty, silence: "nothing has been pushed to it"),
        Case(content: content, isPushed: true, state: .ready),
        Case(content: content, failure: "from when it had a program", isPushed: true, state: .ready),
        Case(content: content, source: .placeholder, state: .waiting),
        Case(content: empty, source: .placeholder, state: .waiting, silence: unanswered),
        Case(
            content: empty, isPushed: true, source: .pushed, state: .empty,
            silence: "what was pushed says that there is nothing to show"),
        Case(validity: invalid, content: content, state: .invalid, silence: "flaw"),
        Case(validity: invalid, enabled: false, state: .disabled, silence: "the user has disabled it", cure: .enable),
        Case(validity: masked, enabled: false, state: .masked, silence: "flaw"),
        Case(validity: invalid, enabledByDefault: false, state: .invalid, silence: "flaw"),
        Case(isPushed: true, pushHasExpired: true, state: .empty, silence: "what was pushed has expired"),
        Case(content: content, points: [.lockScreen], state: .ready, silence: unseen, cure: .showOnLockScreen),
        Case(content: content, points: [.lockScreen], isAllowed: true, state: .ready),
        Case(content: content, points: [.lockScreen, .today], state: .ready),
        Case(failure: "x", points: [.lockScreen], state: .failing, silence: unseen, cure: .showOnLockScreen),
        Case(points: [.lockScreen], state: .waiting, silence: unanswered),
        Case(validity: masked, state: .masked, silence: "flaw"),
    ]

    @Test(arguments: cases) func aStateItsReasonAndItsCureFollowFromWhatIsKnown(_ row: Case) {
        var choices = Choices()
        choices.enabled = row.enabled
        choices.hasContent = row.hasContent
        if row.isAllowed { choices.places[.lockScreen] = true }
        var standing = Standing(row.validity, choices, enabledByDefault: row.enabledByDefault)
        standing.isPushed = row.isPushed
        standing.shown = row.content.map { Layers.Shown(content: $0, source: row.source) }
        standing.pushHasExpired = row.pushHasExpired
        standing.points = row.points
        standing.failure = row.failure
        #expect(standing.state == row.state)
        #expect(standing.reason == row.silence)
        #expect(standing.cure == row.cure)
        // What the state says of a valid widget agrees with what keeps it from running.
        if row.validity == .valid { #expect(standing.state.runs == (standing.obstacle == nil)) }
    }

    @Test func anObstacleIsInWords() {
        var choices = Choices()
        func obstacle(_ enabledByDefault: Bool = true) -> String? {
            Standing(.valid, choices, enabledByDefault: enabledByDefault).obstacle
        }
        #expect(obstacle() == nil)
        #expect(obstacle(false) == "disabled")
        choices.hasContent = false
        #expect(obstacle() == "hidden: its has-content flag is false")
        choices.enabled = false
        #expect(obstacle() == "disabled")
        (choices.enabled, choices.hasContent) = (true, true)
        #expect(obstacle(false) == nil)
    }

    @Test func aCureIsACommand() {
        #expect(
            Cure.allCases.map { $0.command(for: "a.b").joined(separator: " ") } == [
                "enable a.b", "set-has-content a.b true", "enable --on today a.b", "enable --on lock-screen a.b",
                "enable --on status-bar a.b",
            ])
    }

    @Test func fewStatesAreTrouble() {
        #expect(WidgetState.allCases.filter(\.isTrouble) == [.failing, .invalid])
        #expect(WidgetState.allCases.filter(\.isChosen) == [.hidden, .disabled])
    }
}
