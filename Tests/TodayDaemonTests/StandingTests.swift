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
        var isPushed = false
        var source = Layers.Source.own
        let state: WidgetState
    }

    private static let content = Content(text: "x")
    private static let empty: Content = {
        var content = Content(text: "")
        content.isEmpty = true
        return content
    }()

    static let cases: [Case] = [
        Case(state: .waiting),
        Case(content: content, state: .ready),
        Case(content: empty, state: .empty),
        Case(content: content, failure: "x", state: .failing),
        Case(failure: "x", state: .failing),
        Case(content: empty, failure: "x", state: .failing),
        Case(hasContent: false, content: content, state: .hidden),
        Case(enabled: false, content: content, state: .disabled),
        Case(enabled: false, hasContent: false, state: .disabled),
        Case(enabledByDefault: false, state: .disabled),
        Case(enabled: true, enabledByDefault: false, state: .waiting),
        Case(isPushed: true, state: .empty),
        Case(content: content, isPushed: true, state: .ready),
        Case(content: content, failure: "from when it had a program", isPushed: true, state: .ready),
        Case(content: content, source: .placeholder, state: .waiting),
        Case(content: empty, source: .placeholder, state: .waiting),
        Case(declaration: .invalid, content: content, state: .invalid),
        Case(declaration: .masked, state: .masked),
        Case(declaration: .unsupported, state: .unsupported),
    ]

    @Test(arguments: cases) func isWeighedFromWhatIsKnown(_ row: Case) {
        var choices = Choices()
        choices.enabled = row.enabled
        choices.hasContent = row.hasContent
        let standing = Standing(
            declaration: row.declaration, choices: choices, enabledByDefault: row.enabledByDefault,
            isPushed: row.isPushed, shown: row.content.map { Layers.Shown(content: $0, source: row.source) },
            failure: row.failure)
        #expect(standing.state == row.state)
    }
}
