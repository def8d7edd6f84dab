// SPDX-License-Identifier: MIT
import Testing
import TodayModel

@testable import Formats

@Suite struct KeyValueFormatTests {
    private let reading = DialectReading(dialect: .keyvalue)

    /// A bar of its own below a percentage does not say it again.
    @Test(
        arguments: [
            ("text=45 %\nprogress=45", ""), ("text=45%\nprogress=45.2", ""), ("text=45 %\nprogress=46", nil),
            ("text=45 %\nprogress.Sound=45", nil), ("text=loud\nprogress=45", nil),
        ] as [(String, String?)])
    func aPercentageIsSaidOnce(output: String, text: String?) throws {
        let content = try reading(output).content
        var found: [String?] = []
        if case .stack(let stack)? = content.compact {
            for case .progress(let progress) in stack.children { found.append(progress.text) }
        } else if case .progress(let progress)? = content.compact {
            found.append(progress.text)
        }
        #expect(found == [text])
    }

    @Test func allKeysAreRead() throws {
        let read = try reading(
            """
            # a comment
            ; another

            text = 62 % used
            short=62%
            severity=warning
            icon=💾
            color=#f80
            percentage=62.5
            tooltip=first
            tooltip="  second"
            page=/home 40 %
            nextUpdate=10min
            clicks=yes
            relevance=0.8
            metric.load1=0,5
            metric.free space=1e3
            line=/      62 %
            progress./home=40 %
            button.clean up=Clean up
            link.Read more=https://example.org/?a=1&b=2
            link=https://example.org/
            """)
        let content = read.content
        #expect(read.lines.isEmpty)
        #expect(content.text == "62 % used")
        #expect(content.short == "62%")
        #expect(content.severity == .warning)
        #expect(content.icon == "💾")
        #expect(content.color?.text == "#ff8800")
        #expect(content.percentage == 62.5)
        #expect(content.tooltip == "first\n  second")
        #expect(content.pages == [Page("/home 40 %")])
        #expect(content.nextUpdate == .minutes(10))
        #expect(content.takesClicks)
        #expect(content.relevance?.score == 0.8)
        #expect(content.metrics == [Metric("load1", 0.5), Metric("free space", 1_000)].compactMap { $0 })
        #expect(
            content.compact?.leaves == [
                "62 % used", "/      62 %", "/home [40]  -", "Clean up -> clean up",
                "Read more -> https://example.org/?a=1&b=2", "https://example.org/ -> https://example.org/",
            ])
    }

    static let values: [(output: String, text: String)] = [
        ("text=a", "a"), ("\u{feff}text=a\r\n", "a"), ("  text  =  a  ", "a"), ("text=\" a \"", " a "),
        ("text=' a \"'", " a \""),
        ("text=\"a", "\"a"), ("text=\"", "\""), ("text=a=b", "a=b"), ("text=\"a\" b", "\"a\" b"), ("text=#1", "#1"),
        ("color=good\ntext=a", "a"),
    ]

    @Test(arguments: values) func aValueIsWhatFollowsTheSign(_ output: String, _ text: String) throws {
        let read = try reading(output)
        #expect(read.content.text == text)
        #expect(read.lines.isEmpty)
    }

    @Test func aNumberIsAChart() throws {
        let read = try reading(
            """
            text=x
            chart=load1
            metric.load1=0.5
            chart.How full = percentage
            percentage=62
            chart = "free space"
            metric.free space=1
            """)
        #expect(read.lines.isEmpty)
        var full = View.Chart(history: "percentage")
        full.label = "How full"
        let rows: [View] = [
            .text(View.Text("x")), .chart(View.Chart(history: "load1")), .chart(full),
            .chart(View.Chart(history: "free space")),
        ]
        #expect(read.content.compact == .stack(View.Stack(.vertical, rows)))
    }

    @Test func manyChartsAreBounded() throws {
        let read = try reading("text=a\nmetric.a=1\n" + String(repeating: "chart=a\n", count: 1_000))
        #expect(read.lines.isEmpty)
        #expect(read.content.compact?.leaves == ["a", "… 800 more lines"])
        let wrong = try reading("text=a\n" + String(repeating: "chart=b\n", count: 1_000))
        #expect(wrong.lines.count <= ReadContent.mostNotes + 1)
        #expect(wrong.lines.first == "line 2: chart=: no number here has the name \"b\"")
    }

    @Test func anEmptyWidgetNeedsNoText() throws {
        #expect(try reading("empty=yes").content.isEmpty)
        #expect(try reading("empty=true\ntext=a").content.text == "a")
        #expect(throws: OutputError.self) { try reading("empty=no") }
    }

    static let notes: [(line: String, note: String)] = [
        ("colour=red", "line 2: colour=: unknown field, did you mean \"color\"?"),
        ("foo=1", "line 2: foo=: unknown field"),
        ("no assignment", "line 2: \"no assignment\" is not key=value"),
        ("text=x", "line 2: text=: set again, and the last counts"),
        ("text.x=1", "line 2: text.x=: text= has nothing after the dot"), ("a-b=1", "line 2: a-b=: unknown field"),
        ("cpu_usage=5", "line 2: cpu_usage=: unknown field"), ("LOAD1=5", "line 2: LOAD1=: unknown field"),
        ("net.eth0.rx=5", "line 2: net.eth0.rx=: unknown field"), (".x=5", "line 2: .x=: unknown field"),
        ("tex=5", "line 2: tex=: unknown field, did you mean \"text\"?"),
        ("a b=1", "line 2: \"a b=1\" does not begin with a key, up to 64 of A-Z a-z 0-9 _ - ."),
        ("=1", "line 2: \"=1\" does not begin with a key, up to 64 of A-Z a-z 0-9 _ - ."),
        ("[a=1", "line 2: \"[a=1\" does not begin with a key, up to 64 of A-Z a-z 0-9 _ - ."),
        ("metric.a=1\nmetric.a=2", "line 3: metric.a=: set again, and the last counts"),
        ("chart=a\nmetric.b=1", "line 2: chart=: no number here has the name \"a\""),
        (
            "chart=lod1\nmetric.load1=1",
            "line 2: chart=: no number here has the name \"lod1\"; did you mean \"load1\"?"
        ),
        ("chart.x=percentage\nmetric.b=1", "line 2: chart.x=: no number here has the name \"percentage\""),
        ("metric.b=1\nchart=e\u{301}\nmetric.\u{e9}=1", "line 3: chart=: no number here has the name \"e\u{301}\""),
    ]

    @Test(arguments: notes) func whatIsNotUnderstoodIsANote(_ line: String, _ note: String) throws {
        #expect(try reading("text=x\n\(line)").lines == [note])
    }

    /// Programs print much, and not for todayd alone.
    @Test(arguments: ["cpu_usage=5\ntext=a", "{\"a=\": 1}\ntext=a", "=\ntext=a", "colour=red\ntext=a"])
    func aFirstLineOfOthersIsANote(output: String) throws {
        let read = try reading(output)
        #expect(read.content.text == "a")
        #expect(read.lines.count == 1)
        #expect(read.lines.first?.hasPrefix("line 1: ") == true)
    }

    @Test func aLongKeyIsQuotedInPart() throws {
        let key = String(repeating: "k", count: 65)
        #expect(try reading("text=a\n\(key)=1").lines.first?.contains("does not begin with a key") == true)
        #expect(try reading("text=a\n\(key.dropLast())=1").lines.first?.contains("unknown field") == true)
    }

    /// Without it the colour would be no word of `Protocol=json`.
    @Test(arguments: [("red", "#ff0000"), ("#f80c", "#ff8800"), ("good", "good"), ("accent", "accent")])
    func aColourMayHaveAName(value: String, color: String) throws {
        #expect(try reading("text=a\ncolor=\(value)").content.color?.text == color)
    }

    static let failures: [(output: String, reason: String)] = [
        ("", "printed nothing"), ("\n# only a comment\n", "printed nothing"),
        ("hello", "line 1: \"hello\" is not key=value; Protocol=keyvalue wants lines such as text=62 %"),
        (
            "#x\n{\"text\": \"a=b\"}",
            "line 2: \"{\\\"text\\\": \\\"a=b\\\"}\" is not key=value; Protocol=keyvalue wants lines such as text=62 %"
        ),
        (
            "text=\na b=1", "line 1: text=: is empty"
        ),
        ("cpu_usage=5", "there is no text=, the summary in one line; write text=… or empty=yes"),
        ("short=a", "there is no text=, the summary in one line; write text=… or empty=yes"),
        ("text=", "line 1: text=: is empty"),
        ("text=a\n\npercentage=abc", "line 3: percentage=: \"abc\" is not a number"),
        ("text=a\npercentage=120", "line 2: percentage=: 120 is not within 0 to 100"),
        ("text=a\nprogress.x=-1", "line 2: progress.x=: -1 is not within 0 to 100"),
        (
            "text=a\nseverity=bad",
            "line 2: severity=: expected \"normal\" or \"good\" or \"info\" or \"warning\" or \"critical\", found \"bad\""
        ),
        (
            "text=a\ncolor=no",
            "line 2: color=: \"no\" is not a colour: primary, secondary, accent, good, warning, critical or #rrggbb"
        ),
        ("text=a\nnextUpdate=soon", "line 2: nextUpdate=: \"soon\" is not a time span such as 5min or 90s"),
        ("text=a\nnextUpdate=2w", "line 2: nextUpdate=: is not between 1s and 1w"),
        ("text=a\nempty=maybe", "line 2: empty=: expected yes or no, found \"maybe\""),
        ("text=a\nmetric.x=1s", "line 2: metric.x=: \"1s\" is not a number"),
        ("text=a\nmetric=1", "line 2: metric=: write metric.NAME=NUMBER"),
        ("text=a\nchart=", "line 2: chart=: write chart=NAME, the name of a number"),
        ("text=a\nchart.l=\(String(repeating: "x", count: 65))", "line 2: chart.l=: is longer than 64 bytes"),
        ("text=a\nbutton=x", "line 2: button=: write button.ACTION=TITLE"),
        ("text=a\nlink.x=y", "line 2: link.x=: \"y\" is not a URL"),
        ("text=a\nrelevance=2", "line 2: relevance=: 2.0 is not within 0 to 1"),
        ("text=a\nmetric.\u{7}=1", "line 2: the name after metric. contains the control character U+0007"),
        ("text=\(String(repeating: "x", count: 1_025))", "line 1: text=: is longer than 1024 bytes"),
        ("text=a\n" + String(repeating: "page=a\n", count: 65), "line 66: pages: has 65 elements, more than 64"),
    ]

    @Test(arguments: failures.indices) func aWrongValueSaysItsLine(place: Int) {
        let (output, reason) = Self.failures[place]
        #expect(throws: OutputError(reason)) { try reading(output) }
    }

    /// What a script passes on from elsewhere fails no update.
    @Test(arguments: [
        ("text=a\u{7}b", "ab", "line 1: text=: contains the control character U+0007"),
        ("text=\u{1b}[31mb", "b", "line 1: text=: contains a terminal escape sequence"),
        ("text=a\u{202e}b", "ab", "line 1: text=: contains the text direction override U+202E"),
    ])
    func whatNoTextMayHaveIsLeftOut(output: String, text: String, note: String) throws {
        let read = try reading(output)
        #expect(read.content.text == text && read.lines == [note])
    }

    @Test func buttonsStandSideBySide() throws {
        let read = try reading("text=a\nbutton.x=X\nbutton.y=Y\ndetail=d\nbutton.z=Z")
        guard case .stack(let stack)? = read.content.compact else { throw OutputError("no stack") }
        #expect(stack.children.count == 4)
        #expect(read.content.actions == ["x", "y", "z"])
        guard case .stack(let row) = stack.children[1], case .text(let detail) = stack.children[2] else {
            throw OutputError("no row")
        }
        #expect(row.axis == .horizontal && row.children.count == 2)
        #expect(stack.children[3] == .button(.init(title: "Z", action: "z")), "one alone is no row")
        #expect(detail.text == "d" && detail.color == .meaning(.secondary))
    }

    @Test func aRowHasEightButtons() throws {
        let read = try reading("text=a\n" + (1...9).map { "button.b\($0)=B\n" }.joined())
        guard case .stack(let stack)? = read.content.compact, case .stack(let row)? = stack.children.dropFirst().first
        else {
            throw OutputError("no row")
        }
        #expect(row.children.count == 8 && stack.children.count == 3)
    }

    @Test func bytesThatAreNoTextSayTheirLine() {
        #expect(throws: OutputError("output is not UTF-8: byte 0xff at line 2")) {
            try reading(Array("text=a\nshort=".utf8) + [0xff])
        }
    }

    @Test func manyLinesAreBounded() throws {
        let read = try reading("text=a\n" + String(repeating: "line=b\n", count: 1_000))
        #expect(read.content.compact?.leaves.count == 202)
        #expect(read.content.compact?.leaves.last == "… 800 more lines")
    }
}
