// SPDX-License-Identifier: MIT
import Registry
import Testing
import TodayModel

@testable import TodayDaemon

@Suite struct WidgetConditionTests {
    struct Case: Sendable {
        var validity: @Sendable (Manifest) -> Validity = { .valid($0) }
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
    }

    typealias Validity = Registry.Entry.Validity
    private static let invalid: @Sendable (Manifest) -> Validity = { _ in .invalid(reason: "flaw") }
    private static let masked: @Sendable (Manifest) -> Validity = { _ in .masked }
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
        Case(hasContent: false, content: content, state: .hidden, silence: "its has-content flag is false"),
        Case(enabled: false, content: content, state: .disabled, silence: "the user has disabled it"),
        Case(
            enabled: false, hasContent: false, state: .disabled,
            silence: "the user has disabled it, and its has-content flag is false"),
        Case(
            enabledByDefault: false, state: .disabled,
            silence: "new widgets are disabled, by EnableNewWidgets=no in todayd.conf"),
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
        Case(validity: invalid, enabled: false, state: .disabled, silence: "the user has disabled it"),
        Case(validity: masked, enabled: false, state: .masked, silence: "flaw"),
        Case(validity: invalid, enabledByDefault: false, state: .invalid, silence: "flaw"),
        Case(isPushed: true, pushHasExpired: true, state: .empty, silence: "what was pushed has expired"),
        Case(content: content, points: [.lockScreen], state: .ready, silence: unseen),
        Case(content: content, points: [.lockScreen], isAllowed: true, state: .ready),
        Case(content: content, points: [.lockScreen, .today], state: .ready),
        Case(failure: "x", points: [.lockScreen], state: .failing, silence: unseen),
        Case(points: [.lockScreen], state: .waiting, silence: unanswered),
        Case(validity: masked, state: .masked, silence: "flaw"),
    ]

    @Test(arguments: cases) func aStateAndItsReasonFollowFromWhatIsKnown(_ row: Case) throws {
        let manifest = Manifest(
            id: try #require(WidgetID("org.test.a")), displayName: "a",
            update: UpdatePlan(command: ["/x"], contentProtocol: .text))
        var choices = Choices()
        choices.enabled = row.enabled
        choices.hasContent = row.hasContent
        choices.allowedOnLockScreen = row.isAllowed
        let condition = WidgetCondition(
            validity: row.validity(manifest), choices: choices, enabledByDefault: row.enabledByDefault,
            isPushed: row.isPushed, shown: row.content.map { Layers.Shown(content: $0, source: row.source) },
            pushHasExpired: row.pushHasExpired, points: row.points, failure: row.failure)
        #expect(condition.state == row.state)
        #expect(condition.reasonForSilence("flaw") == row.silence)
    }
}
