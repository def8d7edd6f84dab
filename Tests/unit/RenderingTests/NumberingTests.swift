// SPDX-License-Identifier: MIT

import Testing
import TodayModel

@testable import Rendering

@Suite struct NumberingTests {
    typealias Target = Numbering.Target

    static let go = View.button(.init(title: "Go", action: "go"))
    static let stop = View.button(.init(title: "Stop", action: "stop"))
    static let page = View.link(.init(title: "Page", url: "https://example.org"))
    static let text = View.text(.init("text"))
    static let goTarget = Target(title: "Go", action: "go")
    static func goInRow(_ row: String) -> Target { Target(title: "Go", row: row, action: "go") }
    static let stopTarget = Target(title: "Stop", action: "stop")
    static let pageTarget = Target(title: "Page", url: "https://example.org")
    static let rowTarget = Target(title: "Row", action: "row", url: "mailto:x")

    static let row: View = {
        var item = View.Item(title: "Row", children: [stop])
        item.action = "row"
        item.url = "mailto:x"
        return .item(item)
    }()
    static let area: View = {
        var stack = View.Stack(.vertical, [text, go])
        stack.action = "tap"
        return .stack(stack)
    }()
    static let areaTarget: Target = {
        var target = Target(title: "text", action: "tap")
        target.hasTitle = false
        return target
    }()

    static let trees: [(view: View, compact: [Target], expanded: [Target])] = [
        (text, [], []), (go, [goTarget], [goTarget]),
        (.stack(.init(.horizontal, [page, text, go])), [pageTarget, goInRow("text")], [pageTarget, goInRow("text")]),
        // Each button knows the text beside it, in rows and in rows of a grid.
        (
            .grid(.init(columns: 2, [text, go, .text(.init("other")), .stack(.init(.vertical, [go, go])), stop])),
            [goInRow("text"), goInRow("other"), goInRow("other"), stopTarget],
            [goInRow("text"), goInRow("other"), goInRow("other"), stopTarget]
        ),
        (
            .grid(.init(columns: 2, [go, page, stop])), [goTarget, pageTarget, stopTarget],
            [goTarget, pageTarget, stopTarget]
        ),
        // The innermost row counts.
        (
            .stack(.init(.horizontal, [text, .stack(.init(.horizontal, [go, .text(.init("own"))])), go])),
            [goInRow("own"), goInRow("text")], [goInRow("own"), goInRow("text")]
        ),
        // An outline draws its children where it is open.
        (row, [rowTarget], [rowTarget, stopTarget]),
        (.item(.init(title: "Only words", children: [go])), [], [goTarget]),
        // An area comes before its children.
        (
            .stack(.init(.vertical, [page, area])), [pageTarget, areaTarget, goTarget],
            [pageTarget, areaTarget, goTarget]
        ),
        (.stack(.init(.vertical, [go, go])), [goTarget, goTarget], [goTarget, goTarget]),
    ]

    @Test(arguments: trees) func targetsAreCountedInTheOrderOfTheDrawing(
        view: View, compact: [Target], expanded: [Target]
    ) {
        var content = Content(text: "x")
        content.compact = view
        #expect(Numbering(content, mode: .compact).targets == compact)
        #expect(Numbering(content, mode: .expanded).targets == expanded)
    }

    @Test func eachModeCountsWhatItShows() {
        var content = Content(text: "x")
        content.compact = Self.go
        content.expanded = Self.page
        #expect(Numbering(content, mode: .compact).targets == [Self.goTarget])
        #expect(Numbering(content, mode: .expanded).targets == [Self.pageTarget])
    }

    @Test func contentWithoutTargetsIsUnchanged() {
        let content = Content(text: "x")
        #expect(Numbering(content, mode: .compact).content == content)
    }

    @Test func theCardShowsTheNumbers() throws {
        var content = Content(text: "x")
        content.expanded = .stack(
            .init(.vertical, [.stack(.init(.horizontal, [Self.go, Self.page])), Self.row, Self.area]))
        let item = try Samples.item("org.example.a", "A", content: content)
        let presentation = Samples.presentation(50)
        #expect(
            Card(item, presentation, isNumbered: true).lines(width: 50).dropFirst().map { $0.text() } == [
                "    [1: Go]  2: Page (https://example.org)", "    • 3: Row", "      [4: Stop]", "    5:  text",
                "        [6: Go]",
            ])
        #expect(
            Card(item, presentation).lines(width: 50).allSatisfy { line in
                (0..<50).allSatisfy { line.target(at: $0) == nil }
            })
        let plain = Card(item, presentation).lines(width: 50).map { $0.text() }
        #expect(plain[1] == "    [Go]  Page (https://example.org)")
        #expect(TodayPage([item], presentation).lines.map { $0.text() } == plain)
    }

    // MARK: Where a target is drawn

    /// The number at each cell of a card, a dot where there is none.
    private static func map(_ view: View, width: Int, _ charset: Charset = .unicode) throws -> [String] {
        var content = Content(text: "x")
        content.expanded = view
        var item = try Samples.item("org.example.a", "A", content: content)
        item.mode = .expanded
        return Card(item, Samples.presentation(width, charset), isNumbered: true).lines(width: width).dropFirst().map {
            line in (-1...width).map { line.target(at: $0).map(String.init) ?? "." }.joined()
        }
    }

    @Test func aTargetIsWhereItIsDrawn() throws {
        // The widget's own text and titles look like numbers of other targets.
        let faked = View.button(.init(title: "2: Stop", action: "x"))
        let row = View.stack(.init(.horizontal, [.text(.init("1: Go")), faked, Self.stop, Self.page]))
        let lines = try Self.map(row, width: 64)
        #expect(lines == ["............111111111111..222222222..3333333......................"])
    }

    @Test func anAreaIsATargetButForThoseInIt() throws {
        let drawn = try Self.map(Self.area, width: 24)
        #expect(drawn == [".....11111111111..........", ".....11112222222.........."])
    }

    @Test func aCutOrBrokenTargetStaysOne() throws {
        let long = View.button(.init(title: "Buy everything that there is", action: "buy"))
        #expect(try Self.map(long, width: 20) == ["....." + "1111111111111111."])
        var item = View.Item(title: "Off", children: [])
        (item.action, item.isDisabled) = ("x", true)
        var other = item
        (other.title, other.isDisabled) = ("On", false)
        #expect(
            try Self.map(.stack(.init(.vertical, [.item(item), .item(other)])), width: 20).map { $0.contains("1") } == [
                false, true,
            ])
    }

    @Test func nothingBelowADisabledItemIsATarget() throws {
        var item = View.Item(title: "Off", children: [.button(.init(title: "1: Go", action: "x"))])
        item.isDisabled = true
        let drawn = try Self.map(.stack(.init(.vertical, [.item(item), Self.go])), width: 20)
        #expect(drawn.map { $0.contains("1") } == [false, false, true])
    }
}
