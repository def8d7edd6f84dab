// SPDX-License-Identifier: MIT
import TestSupport
import Testing
import TodayModel

/// How a user chooses the currency in the real btc-widget.
@Suite(.serialized) struct WidgetEditingTests {
    private let state = TemporaryDirectory()

    @Test func editingOffersCurrencies() throws {
        let server = PriceServer(.init(Answers.thirty))
        defer { server.stop() }
        let group = GroupService()
        let widget = try WidgetRun(state, server, group)
        #expect(try widget.update().content?.short == Answers.newest)
        let offered = try widget.edit(true).compact.buttons.map(\.action)
        #expect(offered == ["details", "usd", "eur", "gbp", "jpy"])
        #expect(try widget.press("eur", isEditing: true).content?.short == "67,250.00 EUR")
        #expect(group.value("currency") == nil)
        #expect(try widget.edit(false).compact.buttons.count == 1)
        #expect(group.value("currency") == "eur")
        // Cancelling brings back the prices from before, in euros.
        #expect(try widget.edit(true).content != nil)
        #expect(try widget.press("gbp", isEditing: true).content?.short == "67,250.00 GBP")
        #expect(try widget.edit(false, isCancelled: true).content?.short == "67,250.00 EUR")
        #expect(group.value("currency") == "eur")
        #expect(try widget.press("xyz").reason == "there is no such action")
        #expect(widget.end())
    }

    @Test func outsideOfEditingACurrencyIsSetAtOnce() throws {
        let server = PriceServer(.init(Answers.thirty))
        defer { server.stop() }
        let group = GroupService()
        let widget = try WidgetRun(state, server, group)
        #expect(try widget.press("gbp").content?.short == "67,250.00 GBP")
        #expect(group.value("currency") == "gbp")
        #expect(widget.end())
    }

    @Test func theEditorHasNoPreferredHeight() throws {
        let server = PriceServer(.init(Answers.thirty))
        defer { server.stop() }
        let widget = try WidgetRun(state, server)
        #expect(try widget.update().content?.compactRows == 2)
        #expect(try widget.edit(true).content?.compactRows == nil)
        #expect(try widget.press("eur", isEditing: true).content?.compactRows == nil)
        let cancelled = try widget.edit(false, isCancelled: true).content
        #expect(cancelled?.compactRows == 2 && cancelled?.short == Answers.newest)
        #expect(widget.end())
    }

    @Test func aCurrencyIsNotSavedBeforeEditingEnds() throws {
        let server = PriceServer(.init(Answers.thirty))
        defer { server.stop() }
        let group = GroupService()
        let widget = try WidgetRun(state, server, group)
        _ = try widget.update()
        _ = try widget.edit(true)
        #expect(try widget.press("eur", isEditing: true).content?.short == "67,250.00 EUR")
        // The process ends while the user edits, as when the widget is disabled or todayd restarts.
        #expect(widget.end())
        #expect(group.value("currency") == nil)
        // The next process does not draw prices in that currency, for a display mode that changes before any update.
        let next = try WidgetRun(state, nil, group)
        #expect(try next.choose("expanded").content?.short == Answers.newest)
        #expect(next.end())
        let last = try WidgetRun(state, server, group)
        #expect(try last.update().content?.short == Answers.newest)
        #expect(last.end())
    }
}
