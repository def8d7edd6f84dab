// SPDX-License-Identifier: MIT

/// One time that an event happens.
struct Occurrence: Hashable {
    let title: String
    let place: String?
    let url: String?
    /// In seconds since 1970.
    let start: Int
    let end: Int
    let isAllDay: Bool
}

/// The occurrences of all events of some calendars within a span of time.
enum Agenda {
    private static let most = 200

    static func occurrences(of events: [ICSEvent], from earliest: Int, to latest: Int) -> [Occurrence] {
        // The occurrences that another VEVENT replaces, by their event.
        var replaced: [String: [ICSDate]] = [:]
        for event in events {
            if let date = event.replaces { replaced[event.identifier, default: []].append(date) }
        }
        var found = Set<Occurrence>()
        for event in events where !event.isCancelled {
            let hidden = event.replaces == nil ? replaced[event.identifier] ?? [] : []
            let all = starts(of: event, from: earliest - event.length - 7_200, to: latest)
            for start in starts(all, without: hidden + event.exceptions, of: event) {
                let end = end(of: event, from: start)
                guard end > earliest || event.length == 0 && start >= earliest, start < latest else { continue }
                found.insert(
                    Occurrence(
                        title: event.title.isEmpty ? "(no title)" : event.title, place: event.place, url: event.url,
                        start: start, end: end, isAllDay: event.start.isDay))
            }
        }
        let order = found.sorted {
            ($0.start, $0.isAllDay ? 0 : 1, $0.title) < ($1.start, $1.isAllDay ? 0 : 1, $1.title)
        }
        return Array(order.prefix(most))
    }

    /// Days have 23 or 25 hours where clocks change.
    private static func end(of event: ICSEvent, from start: Int) -> Int {
        guard event.start.isDay else { return start + event.length }
        let day = event.start.zone.time(at: start).day.advanced(by: max(1, (event.length + 43_200) / 86_400))
        return event.start.zone.moment(of: CivilTime(day: day, seconds: 0))
    }

    private static func starts(of event: ICSEvent, from earliest: Int, to latest: Int) -> Set<Int> {
        let zone = event.start.zone
        var starts: Set<Int> = []
        if let rule = event.rule, event.replaces == nil {
            starts.formUnion(
                rule.times(from: event.start, from: earliest, to: latest).map { zone.moment(of: $0) })
            // The first occurrence counts even if the rule does not name it.
            if event.start.moment >= earliest { starts.insert(event.start.moment) }
        } else {
            starts.insert(event.start.moment)
        }
        starts.formUnion(event.additional.map(\.moment))
        return starts
    }

    /// Some programs write a day when they mean the time on that day, and Exchange writes midnight when it means a day.
    private static func starts(_ starts: Set<Int>, without dates: [ICSDate], of event: ICSEvent) -> Set<Int> {
        let others = dates.filter { $0.isDay != event.start.isDay }
        let rest = starts.subtracting(dates.filter { $0.isDay == event.start.isDay }.map(\.moment))
        if others.isEmpty { return rest }
        let days = Set(
            others.map { date in
                // Midnight of UTC is meant as a day, too.
                let isElsewhere = date.zone == .utc && date.time.seconds != 0
                return isElsewhere ? Zone.local.time(at: date.moment).day : date.time.day
            })
        return rest.filter { !days.contains(event.start.zone.time(at: $0).day) }
    }
}

/// Times in words, as people say them.
struct TimeWords {
    let now: Int

    /// `now`, `in 10 min`, `14:30`, `tomorrow 9:00`, `Friday 9:00`, `3 December`.
    func words(for occurrence: Occurrence) -> String {
        let minutes = (occurrence.start - now + 59) / 60
        if !occurrence.isAllDay {
            if occurrence.start <= now { return "now" }
            if minutes <= 60 { return "in \(minutes) min" }
        }
        let today = Zone.local.time(at: now).day
        let (time, days) = (
            Zone.local.time(at: occurrence.start), today.distance(to: Zone.local.time(at: occurrence.start).day)
        )
        let clock = occurrence.isAllDay ? "" : " \(Self.clock(time.seconds))"
        switch days {
        case ...0: return occurrence.isAllDay ? "today" : String(clock.dropFirst())
        case 1: return "tomorrow\(clock)"
        case 2..<7: return "\(Self.days[time.day.weekday])\(clock)"
        default: return "\(time.day.parts.day) \(Self.months[time.day.parts.month - 1])"
        }
    }

    private static let days = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]

    static func clock(_ seconds: Int) -> String {
        let minutes = seconds / 60 % 60
        return "\(seconds / 3_600):\(minutes < 10 ? "0" : "")\(minutes)"
    }

    /// When the words change: every five minutes in the last hour before a start, at starts, at ends, and at midnights.
    static func changes(of occurrences: [Occurrence], after now: Int, within span: Int) -> [Int] {
        var dates = Set<Int>()
        for occurrence in occurrences.prefix(20) {
            dates.insert(occurrence.end)
            if occurrence.isAllDay { continue }
            for minutes in stride(from: 0, through: 60, by: 5) { dates.insert(occurrence.start - minutes * 60) }
        }
        var day = Zone.local.time(at: now).day
        while dates.count < 400 {
            day = day.advanced(by: 1)
            let midnight = Zone.local.moment(of: CivilTime(day: day, seconds: 0))
            if midnight > now + span { break }
            dates.insert(midnight)
        }
        return dates.filter { $0 > now && $0 <= now + span }.sorted()
    }
}
