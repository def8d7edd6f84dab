// SPDX-License-Identifier: MIT
import JSON
import Testing
import TodayModel

private func decode(_ text: String) throws -> Content {
    try Content(JSONField(root: try JSON.parse(Array(text.utf8))))
}

@Suite struct TimelineTests {
    private static let entry = #"{"date":1700000000000000,"content":{"text":"b"}}"#

    static let written = [
        #"{"text":"a","timeline":[\#(entry)],"policy":"end"}"#,
        #"{"text":"a","timeline":[\#(entry)],"policy":"never"}"#,
        #"{"text":"a","timeline":[\#(entry)],"policy":"after","after":1800000000000000}"#,
        #"{"text":"a","compactRows":2,"expandedRows":7,"relevance":{"score":0.25,"until":1700000000000000}}"#,
    ]

    @Test func thereMayBeSoManyEntries() { #expect(ContentLimits.timelineEntries == 64) }

    @Test(arguments: written) func encodesToWhatItWasDecodedFrom(_ text: String) throws {
        #expect(try decode(text).json.text == text)
    }

    @Test func datesMayBeText() throws {
        let content = try decode(
            #"{"text":"a","timeline":[{"date":"2023-11-14T22:13:20Z","content":{"empty":true}}],"after":"2023-11-15T00:00:00+01:00"}"#
        )
        #expect(content.timeline?.entries.first?.date == WallTime(microseconds: 1_700_000_000_000_000))
        #expect(content.timeline?.policy == .after(WallTime(microseconds: 1_700_002_800_000_000)))
    }

    static let refused: [(text: String, reason: String)] = [
        (
            #"{"text":"a","timeline":[{"date":"1971-01-01T00:00:00Z","content":{"text":"b"}}]}"#,
            "timeline[0].date: \"1971-01-01T00:00:00Z\" is not between 1973 and 9999"
        ),
        (
            #"{"text":"a","relevance":{"score":0.5,"until":"9999-12-31T23:59:59-12:00"}}"#,
            "relevance.until: \"9999-12-31T23:59:59-12:00\" is not between 1973 and 9999"
        ),
        (#"{"text":"a","timeline":[]}"#, "timeline: has no entries"),
        (#"{"text":"a","policy":"end"}"#, "policy: goes with a timeline only"),
        (#"{"text":"a","after":1700000000000000}"#, "after: goes with a timeline only"),
        (
            #"{"text":"a","timeline":[\#(entry)],"policy":"end","after":1700000000000000}"#,
            "after: goes with the policy after only"
        ),
        (#"{"text":"a","timeline":[\#(entry)],"policy":"after"}"#, "has the policy after, but no date named after"),
        (
            #"{"text":"a","timeline":[\#(entry)],"nextUpdate":"5min"}"#,
            "nextUpdate: does not go with a timeline: its policy says when to ask next"
        ),
        (
            #"{"text":"a","timeline":[{"date":1700000000,"content":{"text":"b"}}]}"#,
            "timeline[0].date: 1700000000 is not a date in microseconds since 1970; seconds times 1000000 are"
        ),
        (
            #"{"text":"a","timeline":[{"date":"tomorrow","content":{"text":"b"}}]}"#,
            "timeline[0].date: \"tomorrow\" is not a date with a time zone, such as 2026-11-30T08:00:00+01:00"
        ),
        (
            #"{"text":"a","timeline":[{"date":1700000000000000,"content":{"text":"b","nextUpdate":"5min"}}]}"#,
            "timeline[0].content.nextUpdate: is not for an entry of a timeline"
        ),
        (
            #"{"text":"a","timeline":[{"date":1700000000000000,"content":{"text":"b","timeline":[]}}]}"#,
            "timeline[0].content.timeline: is not for an entry of a timeline"
        ),
        (#"{"text":"a","timeline":[{"date":1700000000000000}]}"#, "timeline[0].content: is missing"),
        (#"{"text":"a","relevance":{"score":1.5}}"#, "relevance.score: 1.5 is not within 0 to 1"),
        (#"{"text":"a","compactRows":0}"#, "compactRows: expected a whole number from 1 to 200, found 0"),
    ]

    @Test(arguments: refused) func aMistakeIsToldWithItsPlace(_ row: (text: String, reason: String)) throws {
        do {
            Issue.record("\(try decode(row.text)) was read")
        } catch let error as JSONMismatch {
            #expect("\(error)".contains(row.reason))
        }
    }

    @Test func thereAreAtMost64Entries() throws {
        func content(_ count: Int) -> String {
            #"{"text":"a","timeline":["# + Array(repeating: Self.entry, count: count).joined(separator: ",") + "]}"
        }
        #expect(try decode(content(64)).timeline?.entries.count == 64)
        #expect(throws: JSONMismatch.self) { try decode(content(65)) }
    }

    /// When the widget runs next, counted from second 1,700,000,000.
    static let asks: [(text: String, ask: NextAsk?)] = [
        (#"{"text":"a"}"#, nil),
        (#"{"text":"a","nextUpdate":"5min"}"#, .wait(.minutes(5))),
        (written[0], .date(WallTime(microseconds: 1_700_000_000_000_000))),
        (written[1], .never),
        (written[2], .date(WallTime(microseconds: 1_800_000_000_000_000))),
        (
            #"{"text":"a","timeline":[{"date":1700000060000000,"content":{"text":"c"}},\#(entry)]}"#,
            .date(WallTime(microseconds: 1_700_000_060_000_000))
        ),
    ]

    @Test(arguments: asks) func thePolicySaysWhenToAsk(_ row: (text: String, ask: NextAsk?)) throws {
        #expect(try decode(row.text).nextAsk == row.ask)
    }

    static let dates: [(text: String, seconds: Int64?)] = [
        ("1970-01-01T00:00:00Z", 0), ("2000-02-29T12:30:15Z", 951_827_415), ("2001-02-29T00:00:00Z", nil),
        ("2023-11-14t22:13:20z", 1_700_000_000), ("2023-11-14 23:13:20+01:00", 1_700_000_000),
        ("2023-11-14T23:13:20+0100", 1_700_000_000), ("2023-11-14T16:43:20-05:30", 1_700_000_000),
        ("2023-11-14T22:13:20", nil), ("2023-11-14", nil), ("2023-13-14T22:13:20Z", nil),
        ("2023-11-14T24:00:00Z", nil), ("2023-11-14T22:60:00Z", nil), ("2023-11-31T22:13:20Z", nil),
        ("2023-11-14T22:13:20+25:00", nil), ("2023-11-14T22:13:20Z ", nil), ("", nil), ("2023-11-14T22:13:20.Z", nil),
        ("1969-12-31T23:59:59Z", nil), ("2016-12-31T23:59:60Z", 1_483_228_800), ("2016-12-31T23:59:61Z", nil),
    ]

    @Test(arguments: dates) func aDateHasATimeZone(_ row: (text: String, seconds: Int64?)) {
        #expect(WallTime(rfc3339: row.text)?.microseconds == row.seconds.map { $0 * 1_000_000 })
    }

    @Test func aDateMayHaveAFraction() {
        let times: [Int64] = [0, 1, 951_782_400, 1_700_000_060, 253_402_214_400]
        for seconds in times {
            let time = WallTime(microseconds: seconds * 1_000_000)
            #expect(WallTime(rfc3339: time.rfc3339) == time && time.rfc3339.utf8.count == 25)
        }
        // What the form cannot have.
        #expect(WallTime(microseconds: -1).rfc3339 == "-1")
        #expect(WallTime(microseconds: .max).rfc3339 == "\(Int64.max)")
        #expect(WallTime(rfc3339: "1970-01-01T00:00:01.25Z")?.microseconds == 1_250_000)
        #expect(WallTime(rfc3339: "1970-01-01T00:00:01.1234567Z")?.microseconds == 1_123_456)
    }
}

@Suite struct UpdateInputsTests {
    private static func inputs(_ change: (inout UpdateInputs) -> Void = { _ in }) throws -> UpdateInputs {
        var inputs = UpdateInputs()
        inputs.groups[try #require(AppGroup("group.org.example"))] = 3
        inputs.mode = .compact
        inputs.size = Size(columns: 60, rows: 4)
        inputs.program = 0xabc
        change(&inputs)
        return inputs
    }

    @Test func theSameIsNoDifference() throws {
        #expect(try Self.inputs().difference(to: Self.inputs()) == nil)
        #expect(try UpdateInputs(JSONField(root: Self.inputs().json)) == Self.inputs())
        #expect(try UpdateInputs(JSONField(root: UpdateInputs().json)) == UpdateInputs())
    }

    @Test func theGravestDifferenceCounts() throws {
        let old = try Self.inputs()
        let group = try #require(AppGroup("group.org.example"))
        let other = try #require(AppGroup("group.org.other"))
        #expect(old.difference(to: try Self.inputs { $0.mode = .expanded }) == .room)
        #expect(old.difference(to: try Self.inputs { $0.size = Size(columns: 61, rows: 4) }) == .room)
        #expect(old.difference(to: try Self.inputs { $0.groups[group] = 4 }) == .defaults)
        #expect(old.difference(to: try Self.inputs { $0.groups[other] = 1 }) == .defaults)
        #expect(old.difference(to: try Self.inputs { ($0.program, $0.groups[group]) = (1, 9) }) == .program)
        // After a database was set aside, revisions count from 0 again.
        #expect(old.difference(to: try Self.inputs { $0.groups[group] = 1 }) == .defaults)
    }

    /// What the user has set always counts. The defaults of a widget that has not yet run with settings do not.
    @Test func settingsAreADifferenceButNotTheirFirstDefaults() throws {
        let old = try Self.inputs()
        #expect(old.difference(to: try Self.inputs { $0.settings = 1 }) == .settings)
        var configured = old
        (configured.settings, configured.settingDefaults) = (1, 2)
        #expect(configured.difference(to: old) == .settings)
        #expect(old.difference(to: try Self.inputs { $0.settingDefaults = 2 }) == nil)
        #expect(
            configured.difference(to: try Self.inputs { ($0.settings, $0.settingDefaults) = (1, 3) }) == .settings)
        #expect(try UpdateInputs(JSONField(root: configured.json)) == configured)
    }

    @Test func whatIsNotKnownIsNoDifferenceButDefaults() throws {
        let now = try Self.inputs()
        #expect(UpdateInputs().difference(to: now) == .defaults)
        #expect(UpdateInputs().difference(to: try Self.inputs { $0.groups = [:] }) == nil)
        // The defaults of a group that the widget has left do not matter.
        #expect(now.difference(to: try Self.inputs { $0.groups = [:] }) == nil)
    }

    @Test func theProgramIsWhatIsRunAndHow() throws {
        var manifest = Manifest(
            id: try #require(WidgetID("a.b")), displayName: "A",
            update: UpdatePlan(command: ["/bin/echo", "a"], contentProtocol: .text))
        manifest.identifyProgram()
        let changes: [(inout Manifest) throws -> Void] = [
            { $0.update.command = ["/bin/echo a"] }, { $0.update.command = ["/bin/echo", "b"] },
            { $0.update.workingDirectory = "/" },
            { $0.update.contentProtocol = .json }, { $0.update.isStream = true },
            { $0.update.environment = ["A": "b"] }, { $0.update.timeout = .hours(1) },
            { $0.limits.memory = ByteSize(bytes: 1) }, { $0.limits.output = ByteSize(bytes: 1) },
            { $0.limits.tasks = nil }, { $0.limits.processor = 10 },
            { $0.sandbox.level = .network }, { $0.sandbox.level = .strict }, { $0.sandbox.network = false },
            { $0.sandbox.bus = true }, { $0.sandbox.readable = [.init("/a")] },
            { $0.sandbox.readable = [.init("/a", isOptional: true)] }, { $0.sandbox.writable = [.init("/a")] },
            { $0.sandbox.devices = [.init("/a")] },
            { $0.appGroups = [try #require(AppGroup("group.a"))] },
        ]
        let others = try changes.map { change in
            var other = manifest
            try change(&other)
            other.identifyProgram()
            return other
        }
        var saved = manifest
        saved.identifyProgram(version: 1)
        #expect(Set((others + [manifest, saved]).map(\.programHash)).count == changes.count + 2)
        var slower = manifest
        (slower.update.interval, slower.update.updateOnAppear) = (.hours(5), .seconds(1))
        (slower.displayName, slower.largestDisplayMode) = ("B", .expanded)
        slower.identifyProgram()
        #expect(slower.programHash == manifest.programHash)
        #expect(manifest.programHash == 0xd545_7515_76a0_2daa)
    }
}
