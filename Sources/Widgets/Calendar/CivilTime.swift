// SPDX-License-Identifier: MIT
import Glibc
import TodayKit

extension CivilDay {
    static func daysInMonth(_ year: Int, _ month: Int) -> Int {
        CivilDay(year: year, month: month, day: 1).distance(to: CivilDay(year: year, month: month + 1, day: 1))
    }
}

/// A time of day on a day of some clock.
struct CivilTime: Hashable, Comparable {
    var day: CivilDay
    /// Since midnight.
    var seconds: Int

    static func < (left: CivilTime, right: CivilTime) -> Bool { (left.day, left.seconds) < (right.day, right.seconds) }
}

/// A clock: UTC, one of the zones that the machine knows, one by rules in the form of `TZ` in tzset(3), or the machine's own.
enum Zone: Hashable {
    case utc, local
    case named(String), rules(String)

    private static let directory = "/usr/share/zoneinfo"
    /// The names of zones in Outlook and Exchange.
    private static let windows = [
        "W. Europe Standard Time": "Europe/Berlin", "Romance Standard Time": "Europe/Paris",
        "Central Europe Standard Time": "Europe/Budapest", "GMT Standard Time": "Europe/London",
        "Eastern Standard Time": "America/New_York", "Central Standard Time": "America/Chicago",
        "Mountain Standard Time": "America/Denver", "Pacific Standard Time": "America/Los_Angeles",
        "Tokyo Standard Time": "Asia/Tokyo", "India Standard Time": "Asia/Kolkata",
        "China Standard Time": "Asia/Shanghai",
        "AUS Eastern Standard Time": "Australia/Sydney", "UTC": "UTC",
    ]

    /// A TZID, which may have a prefix, as libical writes it; nil if the machine does not know the zone.
    init?(_ identifier: String) {
        let name = Self.windows[identifier] ?? identifier
        let parts = name.split(separator: "/")
        let candidates = [parts.suffix(3), parts.suffix(2), parts.suffix(1)].map { $0.joined(separator: "/") }
        let known = candidates.first { candidate in
            !candidate.isEmpty && !parts.contains("..") && access("\(Self.directory)/\(candidate)", R_OK) == 0
        }
        guard let known else { return nil }
        self = known == "UTC" ? .utc : .named(known)
    }

    /// The moment at which this clock shows a time, in seconds since 1970. Of a time that it shows twice, the first moment; for
    /// a time that it skips, as much later.
    func moment(of time: CivilTime) -> Int {
        let asUTC = time.day.number * 86_400 + time.seconds
        return switch self {
        case .utc: asUTC
        case .local, .named, .rules:
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

    /// The time that this clock shows at a moment.
    func time(at moment: Int) -> CivilTime {
        if self == .utc {
            let day = CivilDay(utcAtSecondsSince1970: moment)
            return CivilTime(day: day, seconds: moment - day.number * 86_400)
        }
        return within {
            var (seconds, parts) = (time_t(moment), tm())
            localtime_r(&seconds, &parts)
            let day = CivilDay(year: Int(parts.tm_year) + 1_900, month: Int(parts.tm_mon) + 1, day: Int(parts.tm_mday))
            return CivilTime(day: day, seconds: Int(parts.tm_hour) * 3_600 + Int(parts.tm_min) * 60 + Int(parts.tm_sec))
        }
    }

    /// The C library knows one zone at a time, set by a variable. The widget has one thread.
    private func within<Value>(_ body: () -> Value) -> Value {
        let variable: String
        switch self {
        case .utc, .local: return body()
        case .named(let name): variable = ":\(name)"
        case .rules(let rules): variable = rules
        }
        let before = getenv("TZ").map { String(cString: $0) }
        setenv("TZ", variable, 1)
        tzset()
        defer {
            if let before { setenv("TZ", before, 1) } else { unsetenv("TZ") }
            tzset()
        }
        return body()
    }
}
