// SPDX-License-Identifier: MIT
import TestSupport
import Testing
import TodayModel

/// What the real btc-widget shows of the prices of a real server.
@Suite(.serialized) struct WidgetProgramTests {
    private let state = TemporaryDirectory()

    @Test func pricesAreNewData() throws {
        let server = PriceServer(.init(Answers.thirty))
        defer { server.stop() }
        let widget = try WidgetRun(state, server)
        let outcome = try widget.update()
        let content = try #require(outcome.content)
        #expect(content.text == "\(Answers.newest) +0.37%")
        #expect(content.short == Answers.newest)
        #expect(content.insets == Insets())
        #expect(try outcome.compact.texts == [Answers.newest, "+250.00 (+0.37%)"])
        #expect(try outcome.compact.charts.isEmpty)
        #expect(try outcome.compact.buttons.map(\.action) == ["details"])
        #expect(
            server.requests.first?.target
                == "/api/v3/coins/bitcoin/market_chart?vs_currency=usd&days=30&interval=daily")
        #expect(widget.end())
    }

    @Test func beforeTheFirstPricesTheLabelsAreDashes() throws {
        let server = PriceServer(.init("", status: "500 Internal Server Error"))
        defer { server.stop() }
        let widget = try WidgetRun(state, server)
        #expect(try widget.update().reason == "the server answered 500 Internal Server Error")
        // More asks no server: the widget draws what it has.
        let outcome = try widget.choose("expanded")
        #expect(try outcome.compact.texts == ["--", "--"])
        #expect(outcome.content?.expanded == nil)
        #expect(outcome.content?.text == "--")
        #expect(widget.end())
    }

    @Test func moreShowsTheChart() throws {
        let server = PriceServer(.init(Answers.thirty))
        defer { server.stop() }
        let widget = try WidgetRun(state, server)
        let first = try widget.update()
        #expect(try first.compact.charts.isEmpty)
        #expect(try first.expanded.charts.map(\.points.count) == [30])
        #expect(try first.expanded.charts.first?.baseline == 67_000)
        // The widget asks for 44 points, and for 98 more with the chart.
        #expect(first.content?.compactRows == 2)
        let more = try widget.choose("expanded")
        #expect(more.content?.expandedRows == 6 && more.content?.compactRows == 2)
        #expect(try more.compact == first.compact)
        #expect(widget.end())
    }

    @Test func theColoursAreThoseOfTheArticle() throws {
        let server = PriceServer(.init(Answers.thirty))
        defer { server.stop() }
        let widget = try WidgetRun(state, server)
        _ = try widget.update()
        let view = try widget.choose("expanded").expanded
        #expect(view.colors.prefix(2) == [.rgb(red: 66, green: 145, blue: 211), .rgb(red: 133, green: 191, blue: 37)])
        #expect(view.charts.first?.color == .rgb(red: 43, green: 125, blue: 209))
        server.answer(.init(Answers.body([60_000, 59_000])))
        #expect(try widget.update().compact.colors.last == .meaning(.critical))
        #expect(widget.end())
    }

    @Test func detailsOpenTheApp() throws {
        let group = GroupService()
        let widget = try WidgetRun(state, nil, group)
        #expect(try widget.press("details").isNoData)
        #expect(try widget.press("dance").reason?.contains("no such action") == true)
        #expect(widget.end())
        let urls = group.calls("OpenURL").map { $0["url"]?.stringValue ?? "" }
        #expect(urls.count == 1)
        #expect(urls.allSatisfy { $0.hasPrefix("crypticker://day/2") && $0.utf8.count == 27 })
    }

    @Test func unchangedPricesAreNoData() throws {
        let server = PriceServer(.init(Answers.thirty, headers: ["ETag: \"thirty\""]))
        defer { server.stop() }
        let widget = try WidgetRun(state, server)
        #expect(try widget.update().content != nil)
        server.answer(.init(raw: "HTTP/1.1 304 Not Modified\r\nETag: \"thirty\"\r\nConnection: close\r\n\r\n"))
        #expect(try widget.update().isNoData)
        #expect(widget.end())
        // The next process has drawn nothing yet, so the unchanged prices are new data. It draws them from the cache.
        let next = try WidgetRun(state, server)
        #expect(try next.update().content?.short == Answers.newest)
        #expect(next.end())
        #expect(server.requests.map { $0.header("If-None-Match") } == [nil, "\"thirty\"", "\"thirty\""])
    }

    @Test func pricesOfAnotherCurrencyAreNewData() throws {
        let server = PriceServer(.init(Answers.thirty, headers: ["ETag: \"thirty\""]))
        defer { server.stop() }
        let group = GroupService()
        let widget = try WidgetRun(state, server, group)
        #expect(try widget.update().content?.short == Answers.newest)
        group.set("currency", "eur")
        #expect(try widget.update().content?.short == "67,250.00 EUR")
        group.set("currency", "usd")
        server.answer(.init(raw: "HTTP/1.1 304 Not Modified\r\nConnection: close\r\n\r\n"))
        #expect(try widget.update().content?.short == Answers.newest)
        #expect(widget.end())
        let currencies = server.requests.map { $0.target.contains("vs_currency=eur") }
        #expect(currencies == [false, true, false])
    }

    @Test func thePlaceholderHasDashesAlthoughPricesAreSaved() throws {
        let server = PriceServer(.init(Answers.thirty))
        defer { server.stop() }
        let widget = try WidgetRun(state, server)
        #expect(try widget.update().content?.short == Answers.newest)
        #expect(widget.end())
        // The next process has saved prices, but todayd has no snapshot.
        let next = try WidgetRun(state, server)
        let answers = try next.updates()
        #expect(answers.count == 2)
        #expect(try answers[0].compact.texts == ["--", "--"])
        #expect(try answers[0].compact.charts.isEmpty)
        #expect(answers[1].content?.short == Answers.newest)
        #expect(next.end())
    }

    @Test func theChartStaysInANewProcess() throws {
        let server = PriceServer(.init(Answers.thirty))
        let widget = try WidgetRun(state, server)
        _ = try widget.update()
        #expect(try widget.choose("expanded").expanded.charts.count == 1)
        #expect(widget.end())
        let next = try WidgetRun(state, server)
        #expect(try next.update("expanded").expanded.charts.count == 1)
        #expect(next.end())
        server.stop()
        // A new process changes its mode without asking the server.
        let last = try WidgetRun(state, nil)
        let collapsed = try last.choose("compact")
        #expect(try collapsed.expanded.charts.count == 1)
        #expect(try collapsed.compact.texts.first == Answers.newest)
        #expect(last.end())
        #expect(server.requests.count == 2)
    }
}
