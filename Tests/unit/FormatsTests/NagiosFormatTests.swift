// SPDX-License-Identifier: MIT
import JSON
import Testing
import TodayModel

@testable import Formats

@Suite struct NagiosFormatTests {
    private let reading = DialectReading(dialect: .nagios)

    @Test(arguments: [(0, Severity.normal), (1, .warning), (2, .critical), (3, .info)] as [(Int32, Severity)])
    func theStatusIsTheSeverity(status: Int32, severity: Severity) throws {
        #expect(ContentProtocol.nagios.isContent(withStatus: status))
        #expect(try reading("DISK UNKNOWN - x", status: status).content.severity == severity)
    }

    @Test func otherStatusesAreFailures() {
        for status in [-1, 4, 127] as [Int32] { #expect(!ContentProtocol.nagios.isContent(withStatus: status)) }
    }

    static let summaries: [(output: String, status: Int32, text: String)] = [
        ("DISK OK - free", 0, "DISK OK - free"), ("DISK OK - free | a=1", 0, "DISK OK - free"),
        ("could not ask", 3, "UNKNOWN: could not ask"), ("it is unknown", 3, "it is unknown"), ("| a=1", 0, "OK"),
        ("|a=1", 1, "WARNING"), (" | a=1", 2, "CRITICAL"), ("|a=1", 3, "UNKNOWN"), ("\n\r\n OK \r\n", 0, "OK"),
        ("<A HREF=\"http://x/\">HTTP OK</A> &lt;", 0, "HTTP OK <"), ("a<br>b", 0, "a b"), ("rta <5 ms", 0, "rta <5 ms"),
        ("either a | b", 0, "either a | b"), ("a |", 0, "a"),
    ]

    @Test(arguments: summaries) func theFirstLineIsTheSummary(_ output: String, _ status: Int32, _ text: String) throws
    {
        let read = try reading(output, status: status)
        #expect(read.content.text == text)
        #expect(read.lines.isEmpty)
    }

    /// An update of a stream, whose program runs on, so that only its first line says how it is.
    static let updates: [(output: String, severity: Severity, text: String)] = [
        ("DISK OK - free", .normal, "DISK OK - free"), ("DISK WARNING - 5 %", .warning, "DISK WARNING - 5 %"),
        ("CRITICAL: full | a=1", .critical, "CRITICAL: full"), ("DISK UNKNOWN", .info, "DISK UNKNOWN"),
        // The first word counts, and only a whole one.
        ("CRITICAL - was OK", .critical, "CRITICAL - was OK"), ("OK: 0 CRITICAL", .normal, "OK: 0 CRITICAL"),
        ("<b>WARNING</b> x", .warning, "WARNING x"), ("no warning", .normal, "no warning"),
        ("OKAY", .normal, "OKAY"), ("SMOKE WARNINGS", .normal, "SMOKE WARNINGS"), ("CRITICAL_X", .normal, "CRITICAL_X"),
        ("up | a=1", .normal, "up"), ("| a=1", .info, "UNKNOWN"),
    ]

    @Test(arguments: updates) func anUpdateOfAStreamHasItsWord(_ output: String, _ severity: Severity, _ text: String)
        throws
    {
        let content = try reading(output, status: nil).content
        #expect(content.severity == severity)
        #expect(content.text == text)
    }

    /// Where nothing judges the values as a whole, their thresholds do.
    @Test(arguments: [
        ("OK", "/ [95] 95 % -"), ("WARNING", "/ [95] 95 % warning"), ("CRITICAL", "/ [95] 95 % critical"),
        ("disk", "/ [95] 95 % critical"),
    ]) func theWordBoundsTheColoursOfValues(word: String, row: String) throws {
        let content = try reading("\(word)|/=95%;70;90", status: nil).content
        #expect(content.expanded?.leaves.last == row)
    }

    @Test(arguments: ["", "\n", " \r\n\t\n", "\u{0}"]) func nothingIsAMistake(output: String) {
        #expect(throws: OutputError.empty) { try reading(output) }
    }

    @Test func longTextAndMoreValuesFollow() throws {
        let read = try reading(
            "DISK WARNING|/=80%;70;90\r\nroot:\n\n  80 %\nhome: 10 % | /home=10%\n/var=5%\n", status: 1)
        let content = read.content
        #expect(content.text == "DISK WARNING")
        #expect(content.tooltip == "root:\n\n  80 %\nhome: 10 %")
        #expect(content.metrics.map(\.name) == ["/", "/home", "/var"])
        #expect(content.percentage == 80)
        #expect(content.compact == nil)
        #expect(
            content.expanded?.leaves == [
                "DISK WARNING", "root:", "", "  80 %", "home: 10 %", "/ [80] 80 % warning", "/home [10] 10 % -",
                "/var [5] 5 % -",
            ])
        #expect(read.lines.isEmpty)
    }

    // MARK: Values

    private func values(_ data: String) -> PerformanceData {
        var read = PerformanceData()
        read.read(Array(data.utf8)[...], line: 1)
        return read
    }

    @Test func allPartsOfAValueAreRead() throws {
        let value = try #require(values("'free space'=12,5GB;10:;@~:5;0;1e2").values.first)
        #expect(value.label == "free space")
        #expect(value.value == 12.5)
        #expect(value.unit == "GB")
        #expect(value.warning == Threshold("10:"))
        #expect(value.critical == Threshold("@~:5"))
        #expect(value.minimum == 0)
        #expect(value.maximum == 100)
    }

    static let labels: [(data: String, labels: [String])] = [
        ("a=1 b=2", ["a", "b"]), ("  a=1\tb=2 ", ["a", "b"]), ("'a b'=1 c=2", ["a b", "c"]), ("'it''s'=1", ["it's"]),
        ("'a=b'=1", ["a=b"]), ("''''=1", ["'"]), ("don't=1", ["don't"]), ("a=1;2 b=3;;;;", ["a", "b"]), ("/=1", ["/"]),
        ("a=1;2;3;4;5;6;7", ["a"]), ("ä=1", ["ä"]),
    ]

    @Test(arguments: labels) func labelsAreRead(_ data: String, _ labels: [String]) {
        #expect(values(data).values.map(\.label) == labels)
        #expect(values(data).notes.isEmpty)
    }

    static let units: [(data: String, unit: String)] = [
        ("a=1s", "s"), ("a=1ms", "ms"), ("a=1us", "us"), ("a=1%", "%"), ("a=1B", "B"), ("a=1KB", "KB"), ("a=1TB", "TB"),
        ("a=1c", "c"), ("a=1", ""), ("a=1°C", "°C"), ("a=1e3W", "W"), ("a=1.5e", "e"),
    ]

    @Test(arguments: units) func aUnitFollowsItsNumber(_ data: String, _ unit: String) {
        #expect(values(data).values.first?.unit == unit)
    }

    static let notes: [(data: String, labels: [String], notes: [String])] = [
        ("x a=1", ["a"], ["line 1: \"x\" is not label=value"]),
        ("a=one b=2", ["b"], ["line 1: a: \"one\" is not a number"]),
        ("a= b=2", ["b"], ["line 1: a: \"\" is not a number"]), ("=1 b=2", ["b"], ["line 1: \"\" is not label=value"]),
        ("b=2 'a b=1", ["b"], ["line 1: the quote of a label does not end"]),
        ("'a'1 b=2", ["b"], ["line 1: \"a\" is not label=value"]),
        ("a=1,234,567", [], ["line 1: a: \"1,234,567\" is not a number"]),
        ("a=1e999", [], ["line 1: a: \"1e999\" is not a number"]),
        ("a=nan", [], ["line 1: a: \"nan\" is not a number"]),
        (
            "a=1;x;20:10", ["a"],
            ["line 1: a: warning \"x\" is not a range", "line 1: a: critical \"20:10\" is not a range"]
        ),
        ("' '=1", [], ["line 1: : \"1\" is not a number"]),
    ]

    @Test(arguments: 0..<11) func whatIsNotUnderstoodIsANote(place: Int) {
        let (data, labels, notes) = Self.notes[place]
        #expect(values(data).values.map(\.label) == labels)
        #expect(values(data).notes == notes)
    }

    @Test func anUnknownValueIsShownAsSuch() throws {
        let content = try reading("x | a=U;1;2 b=1").content
        #expect(content.metrics.map(\.name) == ["b"])
        #expect(content.expanded?.leaves == ["x", "a", "unknown", "b", "1"])
    }

    /// The value, the status, and its row.
    static let rows: [(data: String, status: Int32, row: [String])] = [
        ("a=50;60;80;0;200", 0, ["a [25] 50 of 200 good"]), ("a=50;;;0;200", 0, ["a [25] 50 of 200 -"]),
        ("a=70;60;80;0;200", 1, ["a [35] 70 of 200 warning"]), ("a=90;60;80;0;200", 2, ["a [45] 90 of 200 critical"]),
        ("a=90;60;80;0;200", 1, ["a [45] 90 of 200 warning"]), ("a=90;60;80;0;200", 0, ["a [45] 90 of 200 -"]),
        ("a=90;60;80;0;200", 3, ["a [45] 90 of 200 critical"]), ("a=62%", 0, ["a [62] 62 % -"]),
        ("a=130%;;100", 2, ["a [100] 130 % critical"]), ("a=-1%", 0, ["a [0] -1 % -"]),
        ("a=4.37;15;30;0", 0, ["a [15] 4.37, critical at 30 good"]), ("a=4;15", 0, ["a [27] 4, warning at 15 good"]),
        ("a=4;15:;10:", 0, ["a", "4"]), ("a=4", 0, ["a", "4"]), ("a=4c;10;20", 0, ["a", "4"]),
        ("a=5;;;5;5", 0, ["a", "5"]), ("a=5;;;9;3", 0, ["a", "5"]), ("a=0B;0;0;0;0", 2, ["a", "0 B"]),
        ("a=27884781568B;;;0;270552530944", 0, ["a [10] 27.9 GB of 270.6 GB -"]), ("a=999B", 0, ["a", "999 B"]),
        ("a=-1500B", 0, ["a", "-1.5 kB"]), ("a=0.266000ms", 0, ["a", "0.266 ms"]), ("a=0.12345s", 0, ["a", "0.123 s"]),
        ("a=1e-7s", 0, ["a", "1e-07 s"]), ("a=1e300", 0, ["a", "1e+300"]), ("a=15.000", 0, ["a", "15"]),
        ("a=1e308;;;-1e308;1e308", 0, ["a", "1e+308"]), ("a=19.99996", 0, ["a", "20"]),
    ]

    @Test(arguments: rows) func aValueWithAnEndIsABar(_ data: String, _ status: Int32, _ row: [String]) throws {
        let outline = try reading("UNKNOWN|\(data)", status: status).content.expanded?.leaves
        #expect(outline.map { Array($0.dropFirst()) } == row)
    }

    @Test func valuesWithoutABarShareATable() throws {
        guard case .stack(let stack) = try reading("x|a=1 b=2 c=3% d=4").content.expanded else {
            Issue.record("no rows")
            return
        }
        let columns = stack.children.map { if case .grid(let grid) = $0 { grid.children.count } else { 0 } }
        #expect(columns == [0, 4, 0, 2, 0])
    }

    @Test func thePercentageIsOfTheFirstValueThatHasOne() throws {
        #expect(try reading("x|a=1 b=50;;;0;200 c=80%").content.percentage == 25)
        #expect(try reading("x|a=1;;;;200 c=180%").content.percentage == 100)
        #expect(try reading("x|a=1;2;3").content.percentage == nil)
    }

    /// The values, and the chart: its number and its label, the ends of its axis and its baseline.
    static let charts: [(data: String, chart: String)] = [
        ("a=1", "a \"a\" nil nil nil"), ("a=1 b=2", "a \"a\" nil nil nil"),
        // The percentage comes first.
        ("a=1 b=62%;80;90", "b \"b\" 0.0 100.0 80.0"), ("a=1 b=5;;;0;20 c=1%", "b \"b\" 0.0 20.0 nil"),
        ("a=5%;;90", "a \"a\" 0.0 100.0 90.0"), ("a=5;~:8;;2;10", "a \"a\" 2.0 10.0 8.0"),
        // An end that is only a threshold is none of the axis, nor is one that no value reaches.
        ("a=1;15;30;0", "a \"a\" nil nil nil"), ("a=5;;;9;3", "a \"a\" nil nil nil"),
        ("a=1%;;;200;", "a \"a\" nil nil nil"),
        // A counter only rises, and what the plugin could not tell is not a value.
        ("a=1c b=2", "b \"b\" nil nil nil"), ("a=1c b=2c", "nil"), ("a=U b=2", "b \"b\" nil nil nil"), ("a=U", "nil"),
        ("x", "nil"),
        // The first of two with one name is the metric.
        ("a=1c a=5% b=3", "b \"b\" nil nil nil"),
    ]

    @Test(arguments: charts) func oneValueIsAChart(_ data: String, _ expected: String) throws {
        let content = try reading("x|\(data)").content
        var text = "nil"
        if case .chart(let chart)? = content.expanded?.children.last, let name = chart.history {
            func end(_ number: Double?) -> String { number.map { "\($0)" } ?? "nil" }
            text = "\(name) \"\(chart.label ?? "")\" \(end(chart.minimum)) \(end(chart.maximum)) \(end(chart.baseline))"
            #expect(content.metrics.contains { $0.name == name })
        }
        #expect(text == expected)
        let all = content.expanded?.children ?? []
        #expect(all.filter { if case .chart = $0 { true } else { false } }.count == (expected == "nil" ? 0 : 1))
        // What a host may read.
        #expect(try Content(JSONField(root: content.json)) == content)
    }

    /// A label may be longer than the name of a number.
    @Test func theChartOfALongLabelHasItsHistory() throws {
        let label = String(repeating: "é", count: 60)
        var content = try reading("x|'\(label)'=5%").content
        var history = History()
        _ = history.append(content.numbers, at: WallTime(microseconds: 0))
        content.drawHistory(history)
        guard case .chart(let chart)? = content.expanded?.children.last else {
            Issue.record("no chart")
            return
        }
        #expect(chart.points == [5] && chart.label == label)
    }

    @Test func thousandsOfValuesAreBounded() throws {
        let data = (0..<5_000).map { "v\($0)=\($0)%" }.joined(separator: " ")
        let read = try reading("x|\(data)")
        #expect(read.content.metrics.count == ContentLimits.metrics)
        #expect(read.content.expanded?.leaves.count == 1 + PerformanceData.most + 1)
        #expect(read.content.expanded?.leaves.last == "… 4800 more values")
        #expect(read.lines == ["more than 64 values: the first are kept"])
    }

    @Test func aLabelThatIsGivenTwiceIsANote() throws {
        let read = try reading("x|a=1 a=2")
        #expect(read.content.metrics == [Metric("a", 1)].compactMap { $0 })
        #expect(read.lines == ["a: the plugin gives it twice, and the first counts"])
    }

    @Test func longTextIsBounded() throws {
        let read = try reading("x\n" + String(repeating: "line\n", count: 9_200))
        #expect(read.content.expanded?.leaves.last == "… 9000 more lines")
    }

    // MARK: Plugins

    /// What plugins of monitoring-plugins 2.3.3 print: the status, the summary, the values, the notes.
    static let plugins: [(name: String, status: Int32, text: String, rows: [String])] = [
        (
            "disk", 0, "DISK OK - free space: / 68995MiB (71% inode=96%); /dev/shm 24105MiB (99% inode=99%);",
            ["/ [11] 29.1 GB of 270.6 GB good", "/dev/shm [0] 0 B of 25.3 GB good"]
        ),
        (
            "load", 1, "LOAD WARNING - total load average: 2.33, 4.07, 5.30",
            [
                "load1 [8] 2.33, critical at 30 good", "load5 [16] 4.07, critical at 25 good",
                "load15 [27] 5.3, critical at 20 warning",
            ]
        ),
        ("users", 0, "USERS OK - 0 users currently logged in", ["users [0] 0, critical at 10 good"]),
        ("procs", 2, "PROCS CRITICAL: 83 processes", ["procs [100] 83, critical at 5 critical"]),
        (
            "ping", 0, "PING OK - Packet loss = 0%, RTA = 0.06 ms",
            ["rta [0] 0.065 ms, critical at 500 ms good", "pl [0] 0 % good"]
        ),
        (
            "icmp", 0, "OK - 127.0.0.1: rta 0.033ms, lost 0%",
            ["rta [0] 0.033 ms, critical at 500 ms good", "pl [0] 0 % good", "rtmax", "0.051 ms", "rtmin", "0.015 ms"]
        ),
        (
            "swap", 2,
            "SWAP CRITICAL - 0% free (0MB out of 0MB) - Swap is either disabled, not present, or of zero size.",
            ["swap", "0 B"]
        ),
        ("dummy", 3, "UNKNOWN: what is it", []),
        ("http-refused", 2, "connect to address 127.0.0.1 and port 9: Connection refused", []),
        (
            "http-ok", 0, "HTTP OK: HTTP/1.0 200 OK - 190 bytes in 0.026 second response time",
            ["time [0] 0.026 s of 10 s -", "size", "190 B"]
        ),
        (
            "http-link", 0, "HTTP OK: HTTP/1.0 200 OK - 190 bytes in 0.009 second response time",
            ["time [0] 0.009 s of 10 s good", "size", "190 B"]
        ),
        (
            "http-missing", 1, "HTTP WARNING: HTTP/1.0 404 File not found - 520 bytes in 0.002 second response time",
            ["time [0] 0.002 s of 10 s -", "size", "520 B"]
        ),
        ("disk-usage", 3, "UNKNOWN: check_disk: Could not parse arguments", []),
    ]

    @Test(arguments: 0..<13) func pluginsAreRead(place: Int) throws {
        let (name, status, text, rows) = Self.plugins[place]
        let read = try reading(try DialectReading.fixture("MonitoringPlugins/\(name).txt"), status: status)
        #expect(read.content.text == text)
        #expect(read.lines.isEmpty)
        let outline = read.content.expanded?.leaves ?? []
        #expect(Array(outline.suffix(rows.count)) == rows)
        #expect(read.content.metrics.isEmpty == rows.isEmpty)
    }

    /// A usage message has a `|` between alternatives, which separates no values.
    @Test func aUsageMessageIsLongText() throws {
        let read = try reading(try DialectReading.fixture("MonitoringPlugins/disk-usage.txt"), status: 3)
        #expect(read.content.expanded?.leaves.count == 5)
        #expect(read.content.expanded?.leaves.last?.hasPrefix("[-t timeout]") == true)
    }

    @Test func theTablesAreTriedAsAWhole() { #expect(Self.plugins.count == 13 && Self.notes.count == 11) }
}
