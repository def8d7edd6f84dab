// SPDX-License-Identifier: MIT
import TodayKit

/// The clocks of a file. Outlook and Exchange give zones names of their own, and describe them in VTIMEZONE (RFC 5545, section
/// 3.6.5).
struct ICSZones {
    private var described: [String: Zone] = [:]

    init(_ lines: [ICSLine]) {
        var (name, standard, daylight): (String?, Observance?, Observance?)
        var current: Observance?
        for line in lines {
            switch (line.name, line.value.uppercased()) {
            case ("BEGIN", "VTIMEZONE"): (name, standard, daylight) = (nil, nil, nil)
            case ("END", "VTIMEZONE"):
                if let name, let zone = Self.zone(standard, daylight) { described[name] = zone }
            case ("BEGIN", "STANDARD"), ("BEGIN", "DAYLIGHT"): current = Observance()
            case ("END", "STANDARD"): (standard, current) = (Observance.later(standard, current), nil)
            case ("END", "DAYLIGHT"): (daylight, current) = (Observance.later(daylight, current), nil)
            case ("TZID", _): name = line.value
            default: current?.read(line)
            }
        }
    }

    /// A zone that neither the machine nor the file knows counts as the machine's own.
    func zone(of line: ICSLine) -> Zone {
        line.parameters["TZID"].map { Zone($0) ?? described[$0] ?? .local } ?? .local
    }

    /// The rules that began last, in the form of `TZ` in tzset(3), which has no others.
    private static func zone(_ standard: Observance?, _ daylight: Observance?) -> Zone? {
        guard let standard, let usual = standard.offset else { return nil }
        let name = "STD\(usual)"
        guard let daylight, let offset = daylight.offset, let begin = daylight.change, let end = standard.change else {
            return .rules(name)
        }
        return .rules("\(name)DST\(offset),\(begin),\(end)")
    }
}

/// When a clock changes, and to what.
private struct Observance {
    private var start: ICSDate?
    private var rule: RecurrenceRule?
    /// How much has to be added to reach UTC, as `TZ` has it: `-01:00:00` in Berlin.
    private(set) var offset: String?

    mutating func read(_ line: ICSLine) {
        switch line.name {
        case "DTSTART": start = ICSDate(line.value[...], zone: .utc)
        case "RRULE": rule = RecurrenceRule(line.value, .utc)
        case "TZOFFSETTO":
            let digits = line.value.filter(\.isNumber).utf8.map { $0 - 0x30 }
            guard digits.count == 4 || digits.count == 6 else { return }
            offset = (line.value.hasPrefix("-") ? "" : "-") + Self.clock(digits)
        default: break
        }
    }

    private static func clock(_ digits: [UInt8]) -> String {
        "\(digits[0])\(digits[1]):\(digits[2])\(digits[3]):" + (digits.count == 6 ? "\(digits[4])\(digits[5])" : "00")
    }

    /// `M3.5.0/02:00`, the last Sunday of March; nil if the clock no longer changes.
    var change: String? {
        guard let start, let rule, rule.frequency == .yearly, rule.until == nil, rule.count == nil,
            let month = rule.months.first, (1...12).contains(month), let day = rule.weekdays.first,
            day.ordinal == -1 || (1...5).contains(day.ordinal)
        else { return nil }
        let week = day.ordinal == -1 ? 5 : day.ordinal
        return "M\(month).\(week).\((day.day + 1) % 7)/\(TimeWords.clock(start.time.seconds))"
    }

    static func later(_ left: Observance?, _ right: Observance?) -> Observance? {
        guard let left, let right else { return left ?? right }
        guard let leftStart = left.start, let rightStart = right.start else { return right }
        return leftStart.time > rightStart.time ? left : right
    }
}
