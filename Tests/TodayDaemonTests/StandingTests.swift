// SPDX-License-Identifier: MIT
import Testing
import TodayModel

@testable import TodayDaemon

@Suite struct StandingTests {
    struct Case: Sendable {
        var declaration = Standing.Declaration.valid
        var enabled: Bool?
        var hasContent = true
        var enabledByDefault = true
        var content: Content?
        var failure: String?
        let state: WidgetState
        let mayRun: Bool
    }

    private static let content = Content(text: "x")
    private static let empty: Content = {
        var content = Content(text: "")
        content.isEmpty = true
        return content
    }()

    static let cases: [Case] = [
        Case(state: .waiting, mayRun: true),
        Case(content: content, state: .ready, mayRun: true),
        Case(content: empty, state: .empty, mayRun: true),
        Case(content: content, failure: "x", state: .failing, mayRun: true),
        Case(failure: "x", state: .failing, mayRun: true),
        Case(content: empty, failure: "x", state: .failing, mayRun: true),
        Case(hasContent: false, content: content, state: .hidden, mayRun: false),
        Case(enabled: false, content: content, state: .disabled, mayRun: false),
        Case(enabled: false, hasContent: false, state: .disabled, mayRun: false),
        Case(enabledByDefault: false, state: .disabled, mayRun: false),
        Case(enabled: true, enabledByDefault: false, state: .waiting, mayRun: true),
        Case(declaration: .invalid, content: content, state: .invalid, mayRun: false),
        Case(declaration: .masked, state: .masked, mayRun: false),
        Case(declaration: .unsupported, state: .unsupported, mayRun: false),
    ]

    @Test(arguments: cases) func isWeighedFromWhatIsKnown(_ row: Case) {
        var choices = Choices()
        choices.enabled = row.enabled
        choices.hasContent = row.hasContent
        let standing = Standing(
            declaration: row.declaration, choices: choices, enabledByDefault: row.enabledByDefault,
            content: row.content, failure: row.failure)
        #expect(standing.state == row.state)
        #expect((standing.obstacle == nil) == row.mayRun)
    }
}
