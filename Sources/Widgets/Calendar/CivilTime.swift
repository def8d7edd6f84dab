// SPDX-License-Identifier: MIT
import Glibc

/// A day by its number since 1970-01-01, and back: the proleptic Gregorian calendar.
struct CivilDay: Hashable, Comparable, Strideable {
    let number: Int

    init(number: Int) { self.number = number }

    /// - Parameter month: 1 to 12.
    init(_ year: Int, _ month: Int, _ day: Int) {
        // The year begins in March, so that a leap day is its last one.
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        number = era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    var parts: (year: Int, month: Int, day: Int) {
        let shifted = number + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let year = yearOfEra + era * 400 + (month >= 10 ? 1 : 0)
        return (year, month < 10 ? month + 3 : month - 9, dayOfYear - (153 * month + 2) / 5 + 1)
    }

    /// 0 is Monday.
    var weekday: Int { ((number + 3) % 7 + 7) % 7 }

    static func daysInMonth(_ year: Int, _ month: Int) -> Int {
        let next = month == 12 ? CivilDay(year + 1, 1, 1) : CivilDay(year, month + 1, 1)
        return next.number - CivilDay(year, month, 1).number
    }

    func advanced(by days: Int) -> CivilDay { CivilDay(number: number + days) }
    func distance(to other: CivilDay) -> Int { other.number - number }
    static func < (left: CivilDay, right: CivilDay) -> Bool { left.number < right.number }
}

/// A time of day on a day of some clock.
struct CivilTime: Hashable, Comparable {
    var day: CivilDay
    /// Since midnight.
    var seconds: Int

    static func < (left: CivilTime, right: CivilTime) -> Bool { (left.day, left.seconds) < (right.day, right.seconds) }
}

/// A clock: UTC, one of the zones that the machine knows, or the machine's own.
enum Zone: Hashable {
    case utc, local
    case named(String)

    private static let directory = "/usr/share/zoneinfo"
    /// What Outlook and Exchange call zones.
    private static let windows = [
        "W. Europe Standard Time": "Europe/Berlin", "Romance Standard Time": "Europe/Paris",
        "Central Europe Standard Time": "Europe/Budapest", "GMT Standard Time": "Europe/London",
        "Eastern Standard Time": "America/New_York", "Central Standard Time": "America/Chicago",
        "Mountain Standard Time": "America/Denver", "Pacific Standard Time": "America/Los_Angeles",
        "Tokyo Standard Time": "Asia/Tokyo", "India Standard Time": "Asia/Kolkata",
        "China Standard Time": "Asia/Shanghai",
        "AUS Eastern Standard Time": "Australia/Sydney", "UTC": "UTC",
    ]

    /// A TZID: also with a prefix, as libical writes it. A zone that the machine does not know is its own.
    init(_ identifier: String) {
        let name = Self.windows[identifier] ?? identifier
        let parts = name.split(separator: "/")
        let candidates = [parts.suffix(3), parts.suffix(2), parts.suffix(1)].map { $0.joined(separator: "/") }
        let known = candidates.first { candidate in
            !candidate.isEmpty && !candidate.contains("..") && access("\(Self.directory)/\(candidate)", R_OK) == 0
        }
        self = known.map { $0 == "UTC" ? .utc : .named($0) } ?? .local
    }

    /// The moment at which this clock shows a time, in seconds since 1970. Of one that it shows twice, the first; of one that it
    /// leaves out, as much later.
    func moment(of time: CivilTime) -> Int {
        let asUTC = time.day.number * 86_400 + time.seconds
        return switch self {
        case .utc: asUTC
        case .local, .named:
            within {
                var parts = tm()
                let (year, month, day) = time.day.parts
                (parts.tm_year, parts.tm_mon, parts.tm_mday) = (
                    Int32(clamping: year - 1_900), Int32(month - 1), Int32(day)
                )
                (parts.tm_hour, parts.tm_min) = (Int32(time.seconds / 3_600), Int32(time.seconds / 60 % 60))
                parts.tm_sec = Int32(time.seconds % 60)
                parts.tm_isdst = -1
                return mktime(&parts)
            }
        }
    }

    /// What this clock shows at a moment.
    func time(at moment: Int) -> CivilTime {
        if self == .utc {
            let day = moment >= 0 ? moment / 86_400 : (moment - 86_399) / 86_400
            return CivilTime(day: CivilDay(number: day), seconds: moment - day * 86_400)
        }
        return within {
            var (seconds, parts) = (time_t(moment), tm())
            localtime_r(&seconds, &parts)
            let day = CivilDay(Int(parts.tm_year) + 1_900, Int(parts.tm_mon) + 1, Int(parts.tm_mday))
            return CivilTime(day: day, seconds: Int(parts.tm_hour) * 3_600 + Int(parts.tm_min) * 60 + Int(parts.tm_sec))
        }
    }

    /// The C library knows one zone at a time, by a variable. The widget has one thread.
    private func within<Value>(_ body: () -> Value) -> Value {
        guard case .named(let name) = self else { return body() }
        let before = getenv("TZ").map { String(cString: $0) }
        setenv("TZ", ":\(name)", 1)
        tzset()
        defer {
            if let before { setenv("TZ", before, 1) } else { unsetenv("TZ") }
            tzset()
        }
        return body()
    }
}
