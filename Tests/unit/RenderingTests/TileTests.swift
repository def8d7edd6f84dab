// SPDX-License-Identifier: MIT
import Testing
import TodayModel

@testable import Rendering

/// Which content is a tile, and what of it is the value.
@Suite struct TileTests {
    private func tile(_ view: View?, text: String = "", percentage: Double? = nil) -> Tile? {
        var content = Content(text: text)
        (content.compact, content.percentage) = (view, percentage)
        return Tile(content, in: .compact)
    }

    private func stack(_ children: View...) -> View { .stack(View.Stack(.vertical, children)) }

    private func text(_ words: String, _ style: View.Text.Style = .body) -> View {
        var text = View.Text(words)
        text.style = style
        return .text(text)
    }

    /// What the user wants counts before the content.
    @Test func theUserChoosesTheShape() throws {
        var content = Content(text: "38 %")
        func tile(_ shape: String?) throws -> Tile? {
            let item = try Samples.item("org.a.b", "A", mode: .compact, content: content) { $0.face[.shape] = shape }
            return Tile(item, content)
        }
        #expect(try tile(nil)?.value.text == "38" && tile("tile") == tile(nil) && tile("card") == nil)
        content.compact = .stack(
            View.Stack(.vertical, [.button(.init(title: "Clean", action: "a")), text("x"), text("y")]))
        (content.color, content.percentage) = (.meaning(.good), 38)
        let forced = try tile("tile")
        #expect(try tile(nil) == nil && tile("card") == nil && forced?.value.text == "38" && forced?.unit == " %")
        #expect(forced?.progress?.value == 0.38)
    }

    @Test(arguments: [
        ("38 %", "38", " %"), ("38%", "38", "%"), ("9.4 of 24 G", "9.4", " of 24 G"), ("1.2 MB/s", "1.2", " MB/s"),
        ("−4 °C", "−4", " °C"), ("12°", "12°", ""), ("9.4G", "9.4G", ""), ("0.42 0.37", "0.42 0.37", ""),
        ("22:40", "22:40", ""),
        ("No mail", "No mail", ""), ("", "", ""), ("+", "+", ""), ("100%%", "100%%", ""), ("-", "-", ""),
    ])
    func aNumberIsApartFromItsUnit(text: String, value: String, unit: String) {
        #expect(Tile.split(text) == (value, unit))
    }

    @Test(
        arguments: [
            ("38 %", .large), ("$96,449", .large), ("12345678", .large), ("123456789", .medium),
            ("No new mail", .medium),
            ("0.42 0.37 0.31", .small), ("123456789012345", .small), ("1234567890123456", nil),
            ("Sunny until the evening", nil),
            ("1234567 KB", .large), ("123456 MBit", .medium), ("123456 MBit/s", .medium), ("1 a unit long", .large),
            ("12 a unit long", .medium),
            ("two\nlines", nil), ("", nil), ("汉字汉字", .large), ("汉字汉字汉字汉字", nil), ("1 of a great many things", nil),
        ] as [(String, Tile.Size?)])
    func aValueHasTheLargestSizeThatFits(text: String, size: Tile.Size?) {
        #expect(tile(nil, text: text)?.size == size)
        #expect(tile(self.text(text))?.size == size)
    }

    @Test func aPercentageIsABarOfASummary() {
        #expect(tile(nil, text: "5 G", percentage: 40)?.progress == View.Progress(value: 0.4))
        #expect(tile(text("5 G"), percentage: 40)?.progress == View.Progress(value: 0.4))
        #expect(tile(stack(text("5 G"), text("free")), percentage: 40)?.progress == nil)
    }

    @Test func aValueHasOneLineAndOneBarBesideIt() throws {
        let bar = View.Progress(value: 0.5)
        let whole = try #require(tile(stack(text("82 %"), text("4 h left", .caption), .progress(bar))))
        #expect(whole.value.text == "82" && whole.detail?.text == "4 h left" && whole.progress == bar)
        let captionFirst = try #require(tile(stack(text("Total", .caption), text("42", .title))))
        #expect(captionFirst.value.text == "42" && captionFirst.detail?.text == "Total")
        let bars = try #require(
            tile(
                .progress(
                    {
                        var bar = bar; bar.label = "/home"; return bar
                    }())))
        #expect(bars.value.text == "50" && bars.unit == "%" && bars.detail?.text == "/home")
    }

    /// A bar whose value stands above it.
    @Test func aBarWithoutWordsIsOneOfATile() throws {
        var bar = View.Progress(value: 0.82)
        bar.text = ""
        let whole = try #require(tile(stack(text("82 %"), .progress(bar))))
        #expect(whole.value.text == "82" && whole.progress == bar)
        bar.text = "9 of 11"
        #expect(tile(stack(text("82 %"), .progress(bar))) == nil)
    }

    @Test func otherContentNeedsACard() {
        let (one, bar) = (text("1"), View.Progress(value: 0.5))
        var labelled = bar
        labelled.label = "x"
        let others: [View] = [
            stack(one, one, one), stack(one, .progress(bar), .progress(bar)), stack(one, .progress(labelled)),
            stack(one, stack(one)), stack(one, .divider), stack(one, text("a line that is too long for half")),
            .stack(View.Stack(.horizontal, [one])), text("1", .monospace),
            .button(View.Button(title: "1", action: "x")),
        ]
        for view in others { #expect(tile(view) == nil, "\(view)") }
        var area = View.Stack(.vertical, [one])
        area.action = "tap"
        #expect(tile(.stack(area)) == nil)
        var high = Content(text: "1")
        high.compactRows = 3
        #expect(Tile(high, in: .compact) == nil && Tile(high, in: .expanded) != nil)
        var inset = Content(text: "1")
        inset.insets = Insets()
        #expect(Tile(inset, in: .compact) == nil)
    }

    /// The words of a failure do not fit into half a column.
    @Test func aFailureTakesAWholeCardUnlessTheUserWantsATile() throws {
        for (state, failure, shape, isTile) in [
            (.ready, "timed out", nil, true), (.failing, "timed out", nil, false), (.invalid, "line 3", nil, false),
            (.failing, nil, nil, true), (.failing, "timed out", "tile", true),
        ] as [(WidgetState, String?, String?, Bool)] {
            let content = Content(text: "38 %")
            let item = try Samples.item("org.a.b", "B", state: state, content: content) {
                $0.failure = failure
                $0.face[.shape] = shape
            }
            #expect((Tile(item, content) != nil) == isTile, "\(state) \(failure ?? "") \(shape ?? "")")
        }
    }

    @Test func theAgeOfAProgramThatReportsEachChangeSaysNothing() throws {
        for (state, words) in [(WidgetState.ready, ""), (.failing, "failing · 10 min")] {
            let item = try Samples.item("org.a.b", "B", state: state, age: .minutes(10), content: Content(text: "x")) {
                $0.isLive = true
            }
            #expect(item.freshnessOfCard(at: Samples.now) == words)
        }
    }

    /// Seconds of age, seconds until the end of freshness, and what the card says.
    @Test(
        arguments: [
            (0, nil, .ready, false, ""), (59, nil, .ready, false, ""), (60, nil, .ready, false, "1 min"),
            (600, 60, .ready, false, ""), (600, 0, .ready, false, "10 min"), (600, -1, .ready, true, "stale · 10 min"),
            (30, nil, .failing, false, "failing"), (7_200, nil, .failing, true, "failing · 2 h"),
            (-30, nil, .ready, false, ""), (-90, nil, .ready, false, "in the future"),
        ] as [(Int64, Int64?, WidgetState, Bool, String)])
    func anAgeSpeaksOnlyIfItSaysSomething(age: Int64, fresh: Int64?, state: WidgetState, stale: Bool, words: String)
        throws
    {
        let item = try Samples.item(
            "org.a.b", "B", state: state, mode: .compact, age: .seconds(age), content: Content(text: "x")
        ) {
            $0.stale = stale
            $0.freshUntil = fresh.map { Samples.now + .seconds($0) }
        }
        #expect(item.freshnessOfCard(at: Samples.now) == words)
    }
}
