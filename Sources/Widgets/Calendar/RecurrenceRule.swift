// SPDX-License-Identifier: MIT
import TodayKit

/// When an event happens again: RRULE of RFC 5545, section 3.3.10, by days, weeks, months and years. Rules by hours or less are
/// not supported.
struct RecurrenceRule: Equatable {
    enum Frequency: String { case daily = "DAILY", weekly = "WEEKLY", monthly = "MONTHLY", yearly = "YEARLY" }

    /// A day of the week, and which one within the period; 0 means each.
    struct Weekday: Equatable {
        let ordinal: Int
        /// 0 is Monday.
        let day: Int
    }

    /// Ends a rule that names only days that do not exist.
    private static let mostPeriods = 20_000
    private static let days = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]

    private(set) var frequency: Frequency
    private(set) var interval = 1
    private(set) var count: Int?
    private(set) var until: ICSDate?
    private(set) var months: [Int] = []
    private(set) var monthDays: [Int] = []
    private(set) var weekdays: [Weekday] = []
    private(set) var positions: [Int] = []
    private var weekStart = 0

    init?(_ text: String, _ zone: Zone) {
        var values: [Substring: Substring] = [:]
        for part in text.uppercased().split(separator: ";") {
            let pair = part.split(separator: "=", maxSplits: 1)
            if pair.count == 2 { values[pair[0]] = pair[1] }
        }
        guard let frequency = values["FREQ"].flatMap({ Frequency(rawValue: String($0)) }) else { return nil }
        self.frequency = frequency
        func numbers(_ name: Substring) -> [Int] {
            (values[name] ?? "").split(separator: ",").compactMap { Int($0) }.filter { $0 != 0 }
        }
        interval = min(max(values["INTERVAL"].flatMap { Int($0) } ?? 1, 1), 10_000)
        // Confluence writes -1 if there is none.
        count = values["COUNT"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
        until = values["UNTIL"].flatMap { ICSDate($0, zone: zone) }
        (months, monthDays, positions) = (numbers("BYMONTH"), numbers("BYMONTHDAY"), numbers("BYSETPOS"))
        weekdays = (values["BYDAY"] ?? "").split(separator: ",").compactMap { word in
            guard let day = Self.days.firstIndex(of: String(word.suffix(2))) else { return nil }
            return Weekday(ordinal: Int(word.dropLast(2)) ?? 0, day: day)
        }
        weekStart = values["WKST"].flatMap { Self.days.firstIndex(of: String($0)) } ?? 0
    }

    /// The times at which an event begins, from its first one up to a moment.
    func times(from start: ICSDate, from earliest: Int, to latest: Int) -> [CivilTime] {
        var times: [CivilTime] = []
        var left = count ?? .max
        // Without a count, periods long ago can be skipped.
        var index = count == nil ? skipped(from: start, to: start.zone.time(at: earliest).day) : 0
        let end = index + Self.mostPeriods
        while index < end, left > 0 {
            let (first, candidates) = period(index, of: start.time.day)
            if start.zone.moment(of: CivilTime(day: first, seconds: 0)) > latest { break }
            for day in chosen(candidates) where day >= start.time.day && left > 0 {
                let time = CivilTime(day: day, seconds: start.time.seconds)
                let moment = start.zone.moment(of: time)
                if moment > latest || isOver(time, moment) { return times }
                left -= 1
                if moment >= earliest { times.append(time) }
            }
            index += 1
        }
        return times
    }

    private func isOver(_ time: CivilTime, _ moment: Int) -> Bool {
        guard let until else { return false }
        return until.isDay ? time.day > until.time.day : moment > until.moment
    }

    /// How many periods from the first one on are certainly before a day.
    private func skipped(from start: ICSDate, to day: CivilDay) -> Int {
        let days = start.time.day.distance(to: day)
        let longest =
            switch frequency {
            case .daily: 1
            case .weekly: 7
            case .monthly: 31
            case .yearly: 366
            }
        return max(0, days / (longest * interval) - 2)
    }

    // MARK: Periods

    /// The first day of a period, and its days that the rule names.
    private func period(_ index: Int, of start: CivilDay) -> (first: CivilDay, days: [CivilDay]) {
        let step = index * interval
        switch frequency {
        case .daily:
            let day = start.advanced(by: step)
            return (day, fits(day) ? [day] : [])
        case .weekly:
            let week = start.advanced(by: step * 7 - (start.weekday - weekStart + 7) % 7)
            let wanted = weekdays.isEmpty ? [start.weekday] : weekdays.map(\.day)
            return (week, (0..<7).map { week.advanced(by: $0) }.filter { wanted.contains($0.weekday) && hasMonth($0) })
        case .monthly:
            let (year, month, day) = start.parts
            let number = year * 12 + month - 1 + step
            return (
                CivilDay(year: number / 12, month: number % 12 + 1, day: 1),
                days(ofMonth: number % 12 + 1, number / 12, usual: day)
            )
        case .yearly:
            let (year, month, day) = start.parts
            let first = CivilDay(year: year + step, month: 1, day: 1)
            // Without a month, a numbered day of the week is counted in the year.
            if months.isEmpty, monthDays.isEmpty, !weekdays.isEmpty {
                return (first, ordinals(first..<CivilDay(year: year + step + 1, month: 1, day: 1)))
            }
            let all = monthDays.isEmpty ? [month] : Array(1...12)
            let wanted = months.isEmpty ? all : months.filter { (1...12).contains($0) }.sorted()
            return (first, wanted.flatMap { days(ofMonth: $0, year + step, usual: day) })
        }
    }

    private func days(ofMonth month: Int, _ year: Int, usual: Int) -> [CivilDay] {
        if !months.isEmpty, !months.contains(month) { return [] }
        let length = CivilDay.daysInMonth(year, month)
        let first = CivilDay(year: year, month: month, day: 1)
        var days = Set<CivilDay>()
        if monthDays.isEmpty, weekdays.isEmpty {
            return usual <= length ? [first.advanced(by: usual - 1)] : []
        }
        for day in monthDays {
            let number = day > 0 ? day : length + day + 1
            if (1...length).contains(number) { days.insert(first.advanced(by: number - 1)) }
        }
        if !weekdays.isEmpty {
            let named = ordinals(first..<first.advanced(by: length))
            days = monthDays.isEmpty ? Set(named) : days.intersection(named)
        }
        return days.sorted()
    }

    /// The days of a range that BYDAY names, such as the second Tuesday or the last Friday.
    private func ordinals(_ range: Range<CivilDay>) -> [CivilDay] {
        var days = Set<CivilDay>()
        for weekday in weekdays {
            let all = range.lowerBound.distance(to: range.upperBound)
            let first = (weekday.day - range.lowerBound.weekday + 7) % 7
            let matching = stride(from: first, to: all, by: 7).map { range.lowerBound.advanced(by: $0) }
            switch weekday.ordinal {
            case 0: days.formUnion(matching)
            case 1...: if weekday.ordinal <= matching.count { days.insert(matching[weekday.ordinal - 1]) }
            default: if -weekday.ordinal <= matching.count { days.insert(matching[matching.count + weekday.ordinal]) }
            }
        }
        return days.sorted()
    }

    /// Whether a daily rule includes a day.
    private func fits(_ day: CivilDay) -> Bool {
        let (year, month, number) = day.parts
        let fromEnd = number - CivilDay.daysInMonth(year, month) - 1
        return hasMonth(day) && (monthDays.isEmpty || monthDays.contains(number) || monthDays.contains(fromEnd))
            && (weekdays.isEmpty || weekdays.contains { $0.day == day.weekday })
    }

    private func hasMonth(_ day: CivilDay) -> Bool { months.isEmpty || months.contains(day.parts.month) }

    private func chosen(_ days: [CivilDay]) -> [CivilDay] {
        if positions.isEmpty { return days }
        let places = positions.map { $0 > 0 ? $0 - 1 : days.count + $0 }
        return Set(places).sorted().filter(days.indices.contains).map { days[$0] }
    }
}
