// SPDX-License-Identifier: MIT
import JSON
import TestSupport
import Testing
import TodayModel

/// The real btc-widget against a real server.
@Suite(.serialized) struct WidgetProgramTests {
    private let state = TemporaryDirectory()

    private static let shown = "$67,250.00"

    private func compact(_ outcome: WidgetRun.Outcome) throws -> View {
        try #require(outcome.content?.compact, "\(outcome)")
    }

    @Test func pricesAreNewData() throws {
        let server = PriceServer(.init(Prices.thirty))
        defer { server.stop() }
        let widget = try WidgetRun(state, server)
        let outcome = try widget.update()
        let content = try #require(outcome.content)
        #expect(content.text == "\(Self.shown) +0.37%")
        #expect(content.short == Self.shown)
        #expect(content.insets == Insets())
        #expect(try compact(outcome).texts == [Self.shown, "+250.00 (+0.37%)"])
        #expect(try compact(outcome).charts.isEmpty)
        #expect(try compact(outcome).buttons.map(\.action) == ["details", "show"])
        #expect(server.requests.first?.first == "GET /btc?vs_currency=usd&days=30&interval=daily HTTP/1.1")
        #expect(widget.end())
    }

    @Test func beforeTheFirstDataThereAreDashes() throws {
        let server = PriceServer(.init("", status: "500 Internal Server Error"))
        defer { server.stop() }
        let widget = try WidgetRun(state, server)
        #expect(try widget.update().reason == "no prices: the server answered 500 Internal Server Error")
        // The button does not ask the server; what is drawn is what there is.
        let outcome = try widget.press("show")
        #expect(try compact(outcome).texts == ["--", "--"])
        #expect(try compact(outcome).charts.isEmpty)
        #expect(outcome.content?.text == "--")
        #expect(widget.end())
    }

    @Test func theButtonExpandsAndCollapsesTheChart() throws {
        let server = PriceServer(.init(Prices.thirty))
        defer { server.stop() }
        let widget = try WidgetRun(state, server)
        let closed = try compact(try widget.update())
        #expect(closed.charts.isEmpty)
        #expect(closed.buttons.last == .init(title: "▾", action: "show"))
        let expanded = try compact(try widget.press("show"))
        #expect(expanded.charts.map(\.points.count) == [30])
        #expect(expanded.charts.first?.baseline == 67_000)
        #expect(expanded.buttons.last == .init(title: "▴", action: "hide"))
        #expect(try compact(try widget.press("hide")) == closed)
        // 44 points, and 98 more for the chart, of which compact mode has room for 4 rows.
        #expect(try widget.press("hide").content?.compactRows == 2)
        #expect(try widget.press("show").content?.compactRows == 6)
        #expect(widget.end())
    }

    @Test func theChartIsClosedWhenTheWidgetStartsAnew() throws {
        let server = PriceServer(.init(Prices.thirty))
        let widget = try WidgetRun(state, server)
        _ = try widget.update()
        #expect(try compact(try widget.press("show")).charts.count == 1)
        #expect(widget.end())
        let next = try WidgetRun(state, server)
        #expect(try compact(try next.update()).charts.isEmpty)
        #expect(next.end())
        server.stop()
        // A button that the first process drew means the same to another, which asks nobody for the prices.
        let last = try WidgetRun(state, nil)
        let collapsed = try compact(try last.press("hide"))
        #expect(collapsed.charts.isEmpty)
        #expect(collapsed.texts.first == Self.shown)
        #expect(last.end())
        #expect(server.requests.count == 2)
    }

    @Test func aFirstLookHasDashesWhateverWasKnownBefore() throws {
        let server = PriceServer(.init(Prices.thirty))
        defer { server.stop() }
        let widget = try WidgetRun(state, server)
        #expect(try widget.update().content?.short == Self.shown)
        #expect(widget.end())
        // The next process has prices in its cache, and todayd has nothing.
        let next = try WidgetRun(state, server)
        let answers = try next.updates()
        #expect(answers.count == 2)
        #expect(try compact(answers[0]).texts == ["--", "--"])
        #expect(try compact(answers[0]).charts.isEmpty)
        #expect(answers[1].content?.short == Self.shown)
        #expect(next.end())
    }

    @Test func theColoursAreThoseOfTheArticle() throws {
        let server = PriceServer(.init(Prices.thirty))
        defer { server.stop() }
        let widget = try WidgetRun(state, server)
        _ = try widget.update()
        let view = try compact(try widget.press("show"))
        #expect(view.colors.prefix(2) == [.rgb(red: 66, green: 145, blue: 211), .rgb(red: 133, green: 191, blue: 37)])
        #expect(view.charts.first?.color == .rgb(red: 43, green: 125, blue: 209))
        server.answer(.init(Prices.body([60_000, 59_000])))
        #expect(try compact(try widget.update()).colors.last == .meaning(.critical))
        #expect(widget.end())
    }

    @Test func unchangedPricesAreNoData() throws {
        let server = PriceServer(.init(Prices.thirty, headers: ["ETag: \"thirty\""]))
        defer { server.stop() }
        let widget = try WidgetRun(state, server)
        #expect(try widget.update().content != nil)
        server.answer(.init(raw: "HTTP/1.1 304 Not Modified\r\nETag: \"thirty\"\r\nConnection: close\r\n\r\n"))
        #expect(try widget.update().isNoData)
        #expect(widget.end())
        // The next process has drawn nothing yet, and need not fetch what the server says is unchanged.
        let next = try WidgetRun(state, server)
        #expect(try next.update().content?.short == Self.shown)
        #expect(next.end())
        let conditions = server.requests.map { $0.contains("If-None-Match: \"thirty\"") }
        #expect(conditions == [false, true, true])
    }

    @Test func unchangedPricesOfAnotherCurrencyAreNew() throws {
        let server = PriceServer(.init(Prices.thirty, headers: ["ETag: \"thirty\""]))
        defer { server.stop() }
        let group = GroupService()
        let widget = try WidgetRun(state, server, group)
        #expect(try widget.update().content?.short == Self.shown)
        group.set("currency", "eur")
        #expect(try widget.update().content?.short == "67,250.00 EUR")
        group.set("currency", "usd")
        server.answer(.init(raw: "HTTP/1.1 304 Not Modified\r\nConnection: close\r\n\r\n"))
        #expect(try widget.update().content?.short == Self.shown)
        #expect(widget.end())
        let currencies = server.requests.map { $0.first?.contains("vs_currency=eur") }
        #expect(currencies == [false, true, false])
    }

    @Test func editingOffersCurrencies() throws {
        let server = PriceServer(.init(Prices.thirty))
        defer { server.stop() }
        let group = GroupService()
        let widget = try WidgetRun(state, server, group)
        #expect(try widget.update().content?.short == Self.shown)
        let offered = try compact(try widget.edit(true)).buttons.map(\.action)
        #expect(offered == ["details", "usd", "eur", "gbp", "jpy"])
        #expect(try widget.press("eur", isEditing: true).content?.short == "67,250.00 EUR")
        #expect(group.value("currency") == nil)
        #expect(try compact(try widget.edit(false)).buttons.count == 2)
        #expect(group.value("currency") == "eur")
        // Cancelled, it is as before, which is in euros.
        #expect(try widget.edit(true).content != nil)
        #expect(try widget.press("gbp", isEditing: true).content?.short == "67,250.00 GBP")
        #expect(try widget.edit(false, isCancelled: true).content?.short == "67,250.00 EUR")
        #expect(group.value("currency") == "eur")
        #expect(try widget.press("xyz").reason == "there is no action of this name")
        #expect(widget.end())
    }

    @Test func aCurrencyThatWasOnlyPressedIsNotKept() throws {
        let server = PriceServer(.init(Prices.thirty))
        defer { server.stop() }
        let group = GroupService()
        let widget = try WidgetRun(state, server, group)
        _ = try widget.update()
        _ = try widget.edit(true)
        #expect(try widget.press("eur", isEditing: true).content?.short == "67,250.00 EUR")
        // Its process ends while the user edits: hidden, disabled, todayd started anew.
        #expect(widget.end())
        #expect(group.value("currency") == nil)
        // Nor are its prices, which are drawn for another mode while nobody asks for newer ones.
        let next = try WidgetRun(state, nil, group)
        #expect(try next.choose("expanded").content?.short == Self.shown)
        #expect(next.end())
        let last = try WidgetRun(state, server, group)
        #expect(try last.update().content?.short == Self.shown)
        #expect(last.end())
    }

    @Test func anEditorHasTheRoomThatItNeeds() throws {
        let server = PriceServer(.init(Prices.thirty))
        defer { server.stop() }
        let widget = try WidgetRun(state, server)
        #expect(try widget.update().content?.compactRows == 2)
        #expect(try widget.edit(true).content?.compactRows == nil)
        #expect(try widget.press("eur", isEditing: true).content?.compactRows == nil)
        let cancelled = try widget.edit(false, isCancelled: true).content
        #expect(cancelled?.compactRows == 2 && cancelled?.short == Self.shown)
        #expect(widget.end())
    }

    @Test func aButtonOutsideOfAnEditorIsDoneAtOnce() throws {
        let server = PriceServer(.init(Prices.thirty))
        defer { server.stop() }
        let group = GroupService()
        let widget = try WidgetRun(state, server, group)
        #expect(try widget.press("gbp").content?.short == "67,250.00 GBP")
        #expect(group.value("currency") == "gbp")
        #expect(widget.end())
    }

    private func sample() throws -> [String: String] {
        try state.write(Prices.body([50_000, 51_000]), to: "sample.json")
        return ["CRYPTICKER_SAMPLE": state("sample.json")]
    }

    @Test func whereNoServerAnswersThereIsASampleThatSaysSo() throws {
        let server = PriceServer(.init(Prices.thirty))
        server.stop()
        let widget = try WidgetRun(state, server, environment: try sample())
        let content = try #require(try widget.update().content)
        #expect(content.short == "$51,000.00")
        #expect(content.compact?.texts == ["sample prices until 2026-11-30", "$51,000.00", "+1,000.00 (+2.00%)"])
        #expect(content.tooltip?.hasPrefix("sample prices until 2026-11-30\n") == true)
        #expect(widget.end())
        // Also for a button that another process drew.
        let next = try WidgetRun(state, nil, environment: try sample())
        #expect(try compact(try next.press("show")).texts.first == "sample prices until 2026-11-30")
        #expect(next.end())
    }

    @Test func realPricesComeBeforeTheSample() throws {
        let server = PriceServer(.init("", status: "500 Oops"))
        let widget = try WidgetRun(state, server, environment: try sample())
        #expect(try widget.update().reason?.contains("500") == true, "the server has said something")
        server.answer(.init(Prices.thirty))
        #expect(try compact(try widget.update()).texts == [Self.shown, "+250.00 (+0.37%)"])
        server.stop()
        #expect(try widget.update().reason?.contains("could not connect") == true, "what is shown is better")
        #expect(widget.end())
    }

    @Test func aSampleThatCannotBeReadIsSaid() throws {
        let server = PriceServer(.init(""))
        server.stop()
        let widget = try WidgetRun(state, server, environment: ["CRYPTICKER_SAMPLE": state("missing.json")])
        #expect(try widget.update().reason?.contains("cannot be read; name a file, or unset it") == true)
        #expect(widget.end())
    }

    /// What a server sends, and what the reason has.
    struct Bad: Sendable, CustomTestStringConvertible {
        let name: String
        let answer: PriceServer.Answer
        let reason: String
        var testDescription: String { name }
    }

    static let bad: [Bad] = [
        Bad(name: "500", answer: .init("oops", status: "500 Oops"), reason: "answered 500 Internal Server Error"),
        Bad(name: "404", answer: .init("{}", status: "404 Not Found"), reason: "perhaps it does not know the currency"),
        Bad(
            name: "slow", answer: .init(raw: "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{", staysOpen: true),
            reason: "was not complete within 3 s"),
        Bad(name: "silent", answer: .init(raw: "", staysOpen: true), reason: "no answer within 3 s"),
        Bad(
            name: "truncated", answer: .init(raw: "HTTP/1.1 200 OK\r\nContent-Length: 999\r\n\r\n{\"prices\":[["),
            reason: "no prices: "),
        Bad(
            name: "truncated without length", answer: .init(raw: "HTTP/1.1 200 OK\r\n\r\n{\"prices\":[["),
            reason: "it is not JSON"),
        Bad(name: "empty", answer: .init(""), reason: "it is not JSON"),
        Bad(name: "HTML", answer: .init("<html>\u{1B}[31m"), reason: "it is not JSON: line 1, column 1"),
        Bad(name: "another shape", answer: .init("{\"price\":5}"), reason: "prices: is missing"),
        Bad(name: "no prices", answer: .init("{\"prices\":[]}"), reason: "there are no prices in it"),
        Bad(name: "negative", answer: .init(Prices.body([1, -1])), reason: "prices[1][1]: expected a price above 0"),
        Bad(name: "infinite", answer: .init("{\"prices\":[[1793491200000,1e999]]}"), reason: "number out of range"),
        Bad(name: "huge", answer: .init(Prices.body([1e300])), reason: "prices[0][1]: expected a price above 0"),
        Bad(
            name: "deep", answer: .init(String(repeating: "[", count: 500_000)),
            reason: "nested more than 16 levels deep"),
        Bad(name: "10 MB", answer: .init(String(repeating: " ", count: 10 << 20)), reason: "more than 1 MiB"),
        Bad(
            name: "elsewhere", answer: .init("", status: "302 Found", headers: ["Location: http://192.0.2.1/"]),
            reason: "no prices: the server redirects"),
    ]

    @Test(arguments: bad) func aFailureHasItsReasonAndKeepsWhatIsThere(bad: Bad) throws {
        let server = PriceServer(.init(Prices.thirty))
        defer { server.stop() }
        let widget = try WidgetRun(state, server)
        #expect(try widget.update().content != nil)
        server.answer(bad.answer)
        let outcome = try widget.update()
        let reason = try #require(outcome.reason)
        #expect(reason.contains(bad.reason), "\(reason)")
        #expect(reason.utf8.allSatisfy { $0 >= 0x20 })
        #expect(try compact(try widget.press("show")).texts.first == Self.shown)
        server.answer(.init(Prices.body([60_000, 61_000])))
        #expect(try widget.update().content?.short == "$61,000.00")
        #expect(widget.end())
    }

    @Test func aProcessWhoseUpdateFailsDrawsThePricesOfTheLast() throws {
        let server = PriceServer(.init(Prices.thirty))
        let widget = try WidgetRun(state, server)
        #expect(try widget.update().content != nil)
        #expect(widget.end())
        server.stop()
        let next = try WidgetRun(state, server)
        #expect(try next.update().reason != nil)
        #expect(try compact(try next.press("show")).texts.first == Self.shown)
        #expect(next.end())
    }

    @Test func whatCannotBeUsedIsNotConfirmed() throws {
        let server = PriceServer(.init("{}", headers: ["ETag: \"bad\""]))
        defer { server.stop() }
        let widget = try WidgetRun(state, server)
        #expect(try widget.update().reason != nil)
        #expect(try widget.update().reason != nil)
        #expect(server.requests.count == 2)
        #expect(!server.requests.joined().contains { $0.hasPrefix("If-None-Match") })
        #expect(widget.end())
    }

    @Test func withoutAServerItSaysSo() throws {
        let server = PriceServer(.init(""))
        server.stop()
        let widget = try WidgetRun(state, server)
        #expect(try widget.update().reason?.hasPrefix("no prices: could not connect to 127.0.0.1") == true)
        #expect(widget.end())
    }

    @Test func wrongSettingsAreSaid() throws {
        let server = PriceServer(.init(Prices.thirty))
        defer { server.stop() }
        let group = GroupService()
        group.set("currency", "dollar")
        let widget = try WidgetRun(state, server, group)
        #expect(try widget.update().reason?.contains("'currency'") == true)
        #expect(widget.end())
        #expect(server.requests.isEmpty)
    }

    @Test func detailsOpenTheApp() throws {
        let group = GroupService()
        let widget = try WidgetRun(state, nil, group)
        #expect(try widget.press("details").isNoData)
        #expect(try widget.press("dance").reason?.contains("no action of this name") == true)
        #expect(widget.end())
        let urls = group.calls("OpenURL").map { $0["url"]?.stringValue ?? "" }
        #expect(urls.count == 1)
        #expect(urls.allSatisfy { $0.hasPrefix("crypticker://day/2") && $0.utf8.count == 27 })
    }
}
