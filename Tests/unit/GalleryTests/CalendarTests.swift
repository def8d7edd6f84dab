// SPDX-License-Identifier: MIT
import Glibc
import Testing
import TodayKit

@testable import calendar_widget

/// Calendars as Nextcloud, Google, Outlook and vdirsyncer write them.
@Suite(.serialized) final class CalendarTests {
    private let zoneBefore = getenv("TZ").map { String(cString: $0) }

    /// Each test is in Berlin, where the clocks change.
    init() {
        setenv("TZ", "Europe/Berlin", 1)
        tzset()
    }

    deinit {
        if let zoneBefore { setenv("TZ", zoneBefore, 1) } else { unsetenv("TZ") }
        tzset()
    }

    private func events(_ body: String) throws -> [ICSEvent] {
        try #require(ICSEvent.events(in: Array("BEGIN:VCALENDAR\r\n\(body)\r\nEND:VCALENDAR\r\n".utf8)))
    }

    private func event(_ lines: String) throws -> ICSEvent {
        try #require(try events("BEGIN:VEVENT\n\(lines)\nEND:VEVENT").first)
    }

    private func moment(_ text: String, _ zone: Zone = .named("Europe/Berlin")) throws -> Int {
        try #require(ICSDate(text[...], zone: zone)).moment
    }

    /// The starts of what happens in a year, as the clock of Berlin shows them.
    private func starts(_ body: String, from: String = "20260101T000000", to: String = "20270101T000000") throws
        -> [String]
    {
        let found = Agenda.occurrences(of: try events(body), from: try moment(from), to: try moment(to))
        return found.map { occurrence in
            let time = Zone.local.time(at: occurrence.start)
            let (_, month, day) = time.day.parts
            return "\(day).\(month)." + (occurrence.isAllDay ? "" : " \(TimeWords.clock(time.seconds))")
        }
    }

    private func recurring(_ rule: String, start: String = "DTSTART;TZID=Europe/Berlin:20260105T090000") -> String {
        "BEGIN:VEVENT\nUID:1\nSUMMARY:x\n\(start)\nDURATION:PT1H\n\(rule)\nEND:VEVENT"
    }

    // MARK: Days and clocks

    @Test func aMonthHasItsDays() {
        #expect(
            CivilDay.daysInMonth(2024, 2) == 29 && CivilDay.daysInMonth(2100, 2) == 28
                && CivilDay.daysInMonth(2026, 12) == 31)
    }

    @Test func aClockIsOfItsZone() throws {
        #expect(try moment("20260701T120000") == 1_782_900_000)
        #expect(try moment("20260701T120000Z") == 1_782_907_200)
        #expect(try moment("20260701T120000", .named("America/New_York")) == 1_782_921_600)
        #expect(
            Zone("Europe/Berlin") == .named("Europe/Berlin")
                && Zone("W. Europe Standard Time") == .named("Europe/Berlin"))
        #expect(Zone("/freeassociation.sourceforge.net/Europe/Berlin") == .named("Europe/Berlin"))
        #expect(Zone("Nowhere") == nil && Zone("../../../etc/passwd") == nil && Zone("UTC") == .utc)
        let zone = Zone.named("Asia/Tokyo")
        #expect(
            zone.time(at: 1_782_900_000) == CivilTime(day: CivilDay(year: 2026, month: 7, day: 1), seconds: 19 * 3_600))
        #expect(getenv("TZ").map { String(cString: $0) } == "Europe/Berlin", "the machine's zone is as before")
    }

    /// A VTIMEZONE with a winter and a summer time, the starts of both, and what a clock there shows at noon of Berlin's winter
    /// and summer.
    private static let zones: [(winter: String, summer: String, starts: [String])] = [
        // Outlook's for Berlin, with the year 1601.
        (
            "TZOFFSETTO:+0100\nDTSTART:16010101T030000\nRRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10",
            "TZOFFSETTO:+0200\nDTSTART:16010101T020000\nRRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3", ["12:00", "12:00"]
        ),
        (
            "TZOFFSETTO:-0500\nDTSTART:20071104T020000\nRRULE:FREQ=YEARLY;BYDAY=1SU;BYMONTH=11",
            "TZOFFSETTO:-0400\nDTSTART:20070311T020000\nRRULE:FREQ=YEARLY;BYDAY=2SU;BYMONTH=3", ["18:00", "18:00"]
        ),
        // Adelaide, where it is summer in January.
        (
            "TZOFFSETTO:+0930\nDTSTART:20080406T030000\nRRULE:FREQ=YEARLY;BYDAY=1SU;BYMONTH=4",
            "TZOFFSETTO:+1030\nDTSTART:20081005T020000\nRRULE:FREQ=YEARLY;BYDAY=1SU;BYMONTH=10", ["2:30", "4:30"]
        ),
        // Without a rule, or after its end, a clock no longer changes.
        ("TZOFFSETTO:+053000\nDTSTART:19700101T000000", "", ["7:30", "8:30"]),
        (
            "TZOFFSETTO:+0300\nDTSTART:20160907T000000",
            "TZOFFSETTO:+0400\nDTSTART:20160327T030000\nRRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3;UNTIL=20160328T000000Z",
            ["10:00", "11:00"]
        ),
        // What is not understood counts as the machine's own.
        ("TZOFFSETTO:1\nDTSTART:19700101T000000", "", ["12:00", "12:00"]), ("", "", ["12:00", "12:00"]),
    ]

    @Test(arguments: zones.indices) func aFileDescribesItsClocks(index: Int) throws {
        let (winter, summer, expected) = Self.zones[index]
        // An earlier rule of winter does not count.
        let zone = """
            BEGIN:VTIMEZONE
            TZID:Customized Time Zone
            BEGIN:STANDARD
            \(winter)
            END:STANDARD
            \(winter.isEmpty ? "" : "BEGIN:STANDARD\nDTSTART:16000101T000000\nTZOFFSETTO:-0900\nEND:STANDARD")
            BEGIN:DAYLIGHT
            \(summer)
            END:DAYLIGHT
            END:VTIMEZONE

            """
        let events = ["20260115T120000", "20260715T120000"].map {
            "BEGIN:VEVENT\nSUMMARY:x\nDTSTART;TZID=Customized Time Zone:\($0)\nEND:VEVENT"
        }
        let found = try starts(zone + events.joined(separator: "\n")).map { String($0.split(separator: " ")[1]) }
        #expect(found == expected)
    }

    /// Clocks change on a Sunday, in the night.
    @Test func aDescribedClockChangesOnItsDay() throws {
        let zones = """
            BEGIN:VTIMEZONE
            TZID:A
            BEGIN:STANDARD
            TZOFFSETTO:+0100
            DTSTART:16010101T030000
            RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10
            END:STANDARD
            BEGIN:DAYLIGHT
            TZOFFSETTO:+0200
            DTSTART:16010101T020000
            RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3
            END:DAYLIGHT
            END:VTIMEZONE
            BEGIN:VTIMEZONE
            TZID:B
            BEGIN:STANDARD
            TZOFFSETTO:+0000
            DTSTART:16000101T000000
            RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10
            END:STANDARD
            BEGIN:DAYLIGHT
            TZOFFSETTO:+0300
            DTSTART:15000101T000000
            RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3;UNTIL=20200101T000000Z
            END:DAYLIGHT
            END:VTIMEZONE

            """
        func clocks(_ zone: String, _ dates: [String]) throws -> [String] {
            let events = dates.map { "BEGIN:VEVENT\nSUMMARY:x\nDTSTART;TZID=\(zone):\($0)\nEND:VEVENT" }
            return try starts(zones + events.joined(separator: "\n"))
        }
        let spring = ["20260328T120000", "20260329T010000", "20260329T120000"]
        #expect(try clocks("A", spring) == ["28.3. 12:00", "29.3. 1:00", "29.3. 12:00"])
        let autumn = ["20261024T120000", "20261025T010000", "20261025T120000"]
        #expect(try clocks("A", autumn) == ["24.10. 12:00", "25.10. 1:00", "25.10. 12:00"])
        #expect(try clocks("B", spring) == ["28.3. 13:00", "29.3. 3:00", "29.3. 14:00"])
    }

    // MARK: Events

    @Test func anEventIsRead() throws {
        let event = try event(
            """
            UID:a@b
            SUMMARY;LANGUAGE=en:Design\\, review\\nof a very
              long title
            LOCATION:Room 1\\; left
            DTSTART;TZID="Europe/Berlin":20261126T090000
            DTEND;TZID=Europe/Berlin:20261126T101500
            URL:https://a.b/c?d;e
            BEGIN:VALARM
            SUMMARY:an alarm
            TRIGGER:-PT15M
            END:VALARM
            """)
        #expect(event.title == "Design, review of a very long title" && event.place == "Room 1; left")
        #expect(event.url == "https://a.b/c?d;e" && event.length == 4_500 && event.identifier == "a@b")
        #expect(ICSEvent.events(in: Array("<html>".utf8)) == nil)
        #expect(try events("BEGIN:VEVENT\nSUMMARY:no start\nEND:VEVENT").isEmpty)
        #expect(try self.event("DTSTART;VALUE=DATE:20261126").length == 86_400)
        #expect(try self.event("DTSTART:20261126T090000Z\nDTEND:20261126T100000Z\nDURATION:PT0S").length == 3_600)
        #expect(try self.event("DTSTART:20261126T090000\nURL:javascript:alert(1)").url == nil)
    }

    @Test(
        arguments: [
            ("PT15M", 900), ("P1D", 86_400), ("P1W", 604_800), ("P1DT2H30M5S", 95_405), ("-PT5M", nil), ("x", nil),
        ] as [(String, Int?)])
    func lengths(text: String, seconds: Int?) { #expect(ICSEvent.duration(text) == seconds) }

    // MARK: Recurrence

    /// Rules of RFC 5545, section 3.8.5.3, and of real calendars; the start is Monday, 5 January 2026, 9:00.
    private static let rules: [(rule: String, starts: [String])] = [
        ("RRULE:FREQ=DAILY;COUNT=3", ["5.1. 9:00", "6.1. 9:00", "7.1. 9:00"]),
        ("RRULE:FREQ=DAILY;INTERVAL=10;UNTIL=20260125T080000Z", ["5.1. 9:00", "15.1. 9:00", "25.1. 9:00"]),
        ("RRULE:FREQ=DAILY;UNTIL=20260106", ["5.1. 9:00", "6.1. 9:00"]),
        ("RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=-1,1", ["5.1. 9:00", "1.2. 9:00", "28.2. 9:00"]),
        ("RRULE:FREQ=WEEKLY;COUNT=3", ["5.1. 9:00", "12.1. 9:00", "19.1. 9:00"]),
        ("RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR;COUNT=4", ["5.1. 9:00", "9.1. 9:00", "19.1. 9:00", "23.1. 9:00"]),
        ("RRULE:FREQ=WEEKLY;INTERVAL=2;WKST=SU;BYDAY=SU,MO;COUNT=3", ["5.1. 9:00", "18.1. 9:00", "19.1. 9:00"]),
        ("RRULE:FREQ=MONTHLY;COUNT=3", ["5.1. 9:00", "5.2. 9:00", "5.3. 9:00"]),
        ("RRULE:FREQ=MONTHLY;BYDAY=2TU;COUNT=3", ["5.1. 9:00", "13.1. 9:00", "10.2. 9:00", "10.3. 9:00"]),
        ("RRULE:FREQ=MONTHLY;BYDAY=-1FR;COUNT=2", ["5.1. 9:00", "30.1. 9:00", "27.2. 9:00"]),
        ("RRULE:FREQ=MONTHLY;BYMONTHDAY=31;COUNT=3", ["5.1. 9:00", "31.1. 9:00", "31.3. 9:00", "31.5. 9:00"]),
        ("RRULE:FREQ=MONTHLY;BYMONTHDAY=13;BYDAY=FR;COUNT=2", ["5.1. 9:00", "13.2. 9:00", "13.3. 9:00"]),
        ("RRULE:FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;COUNT=2", ["5.1. 9:00", "30.1. 9:00", "27.2. 9:00"]),
        ("RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU", ["5.1. 9:00", "29.3. 9:00"]),
        ("RRULE:FREQ=YEARLY;BYDAY=20MO", ["5.1. 9:00", "18.5. 9:00"]),
        ("RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;COUNT=1", ["5.1. 9:00"]),
        ("RRULE:FREQ=YEARLY;BYMONTHDAY=31;COUNT=2", ["5.1. 9:00", "31.1. 9:00", "31.3. 9:00"]),
        ("RRULE:FREQ=HOURLY;COUNT=9", ["5.1. 9:00"]),
        (
            "RRULE:FREQ=DAILY;COUNT=4\nEXDATE;TZID=Europe/Berlin:20260106T090000,20260108T090000",
            ["5.1. 9:00", "7.1. 9:00"]
        ),
        ("RRULE:FREQ=DAILY;COUNT=3\nEXDATE:20260106T080000Z\nEXDATE;VALUE=DATE:20260107", ["5.1. 9:00"]),
        ("RRULE:FREQ=WEEKLY;COUNT=-1;UNTIL=20260112T080000Z", ["5.1. 9:00", "12.1. 9:00"]),
        ("RDATE;TZID=Europe/Berlin:20260301T110000,20260401T120000", ["5.1. 9:00", "1.3. 11:00", "1.4. 12:00"]),
    ]

    @Test(arguments: rules.indices) func aRuleNamesTimes(index: Int) throws {
        #expect(try starts(recurring(Self.rules[index].rule)) == Self.rules[index].starts)
    }

    /// The clock shows the same time before and after it changes.
    @Test func summerTimeMovesNothing() throws {
        let rule = recurring("RRULE:FREQ=WEEKLY;COUNT=60")
        #expect(Set(try starts(rule).map { $0.split(separator: " ")[1] }) == ["9:00"])
        let newYork = recurring("RRULE:FREQ=WEEKLY;COUNT=60", start: "DTSTART;TZID=America/New_York:20260105T090000")
        // Two weeks in spring and one in autumn the difference is five hours.
        let clocks = try starts(newYork).map { $0.split(separator: " ")[1] }
        #expect(clocks.filter { $0 == "14:00" }.count == 4 && clocks.filter { $0 == "15:00" }.count == 48)
    }

    @Test func anOccurrenceMayBeMovedOrCancelled() throws {
        let moved = """
            BEGIN:VEVENT
            UID:1
            RECURRENCE-ID;TZID=Europe/Berlin:20260106T090000
            DTSTART;TZID=Europe/Berlin:20260106T150000
            SUMMARY:moved
            END:VEVENT
            BEGIN:VEVENT
            UID:1
            RECURRENCE-ID:20260107T080000Z
            DTSTART:20260107T080000Z
            STATUS:CANCELLED
            END:VEVENT
            """
        #expect(try starts(recurring("RRULE:FREQ=DAILY;COUNT=3") + "\n" + moved) == ["5.1. 9:00", "6.1. 15:00"])
    }

    /// Exchange names a day by its midnight.
    @Test(arguments: [
        "RECURRENCE-ID;TZID=Europe/Berlin:20260106T000000", "RECURRENCE-ID:20260105T230000Z",
        "RECURRENCE-ID:20260106T000000Z", "RECURRENCE-ID;VALUE=DATE:20260106",
        "RECURRENCE-ID;TZID=America/New_York:20260106T000000",
    ])
    func aDayMayBeMovedOrLeftOut(line: String) throws {
        let days = recurring("RRULE:FREQ=DAILY;COUNT=3", start: "DTSTART;VALUE=DATE:20260105")
            .replacing("DURATION:PT1H\n", with: "")
        let moved = "BEGIN:VEVENT\nUID:1\n\(line)\nDTSTART;VALUE=DATE:20260109\nSUMMARY:moved\nEND:VEVENT"
        #expect(try starts(days + "\n" + moved) == ["5.1.", "7.1.", "9.1."])
        let left = days.replacing("RRULE", with: line.replacing("RECURRENCE-ID", with: "EXDATE") + "\nRRULE")
        #expect(try starts(left) == ["5.1.", "7.1."])
    }

    @Test func midnightOfUTCMeansADayInTheWest() throws {
        setenv("TZ", "America/New_York", 1)
        tzset()
        let day = recurring("EXDATE:20260106T000000Z\nRRULE:FREQ=DAILY;COUNT=3", start: "DTSTART;VALUE=DATE:20260105")
        #expect(try starts(day.replacing("DURATION:PT1H\n", with: "")) == ["5.1.", "7.1."])
    }

    @Test func birthdaysAreOfTheDay() throws {
        let birthday = recurring("RRULE:FREQ=YEARLY", start: "DTSTART;VALUE=DATE:19900329")
            .replacing("DURATION:PT1H\n", with: "")
        #expect(try starts(birthday).first == "29.3.")
        #expect(try starts(birthday, from: "20260330T000000").isEmpty)
        #expect(try starts(birthday, from: "20260329T200000") == ["29.3."], "it lasts the whole day")
    }

    /// A rule that names no day that exists, and one of centuries, cost little.
    @Test(arguments: [
        "RRULE:FREQ=MONTHLY;BYMONTHDAY=32", "RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30",
        "RRULE:FREQ=DAILY;COUNT=999999999",
        "RRULE:FREQ=YEARLY;BYMONTH=13", "RRULE:FREQ=DAILY;INTERVAL=999999999",
    ])
    func wrongRulesEnd(rule: String) throws {
        _ = try starts(recurring(rule, start: "DTSTART:00010101T000000"))
    }

    // MARK: Words

    @Test func timesAreSaidAsPeopleDo() throws {
        let now = try moment("20261126T100000")
        func words(_ start: String, isAllDay: Bool = false) throws -> String {
            let moment = try moment(start)
            return TimeWords(now: now).words(
                for: Occurrence(title: "", place: nil, url: nil, start: moment, end: moment, isAllDay: isAllDay))
        }
        let table = [
            ("20261126T095900", "now"), ("20261126T100000", "now"), ("20261126T100001", "in 1 min"),
            ("20261126T101000", "in 10 min"),
            ("20261126T110000", "in 60 min"), ("20261126T110100", "11:01"), ("20261127T090500", "tomorrow 9:05"),
            ("20261128T090000", "Saturday 9:00"), ("20261202T090000", "Wednesday 9:00"),
            ("20261203T090000", "3 December"),
        ]
        for (start, expected) in table { #expect(try words(start) == expected, "\(start)") }
        #expect(try words("20261126", isAllDay: true) == "today" && words("20261127", isAllDay: true) == "tomorrow")
    }

    @Test func theTimelineTurnsOverWhereTheWordsDo() throws {
        let now = try moment("20261126T220000")
        let start = try moment("20261126T230000")
        let occurrence = Occurrence(title: "", place: nil, url: nil, start: start, end: start + 5_400, isAllDay: false)
        let dates = TimeWords.changes(of: [occurrence], after: now, within: 86_400)
        #expect(
            dates == dates.sorted() && dates.first == now + 300 && dates.contains(start)
                && dates.contains(start + 5_400))
        #expect(dates.contains(try moment("20261127")) && dates.allSatisfy { $0 > now && $0 <= now + 86_400 })
    }
}
