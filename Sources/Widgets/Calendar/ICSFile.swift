// SPDX-License-Identifier: MIT
import TodayKit

/// A line of iCalendar (RFC 5545): `DTSTART;TZID=Europe/Berlin:20261126T090000`.
struct ICSLine: Equatable {
    let name: String
    let parameters: [String: String]
    let value: String

    /// Nil if it is not a line of iCalendar.
    init?(_ text: Substring) {
        var parameters: [String: String] = [:]
        var isQuoted = false
        var parts: [Substring] = []
        var start = text.startIndex
        for place in text.indices {
            switch text[place] {
            case "\"": isQuoted.toggle()
            case ";" where !isQuoted, ":" where !isQuoted:
                parts.append(text[start..<place])
                start = text.index(after: place)
                guard text[place] == ":" else { continue }
                for part in parts.dropFirst() {
                    let pair = part.split(separator: "=", maxSplits: 1)
                    if pair.count == 2 { parameters[pair[0].uppercased()] = pair[1].filter { $0 != "\"" } }
                }
                name = parts[0].uppercased()
                self.parameters = parameters
                value = String(text[start...])
                return
            default: break
            }
        }
        return nil
    }

    /// Text without its escapes, in one line.
    var text: String {
        var text = ""
        var isEscaped = false
        for letter in value {
            if isEscaped {
                text.append(letter == "n" || letter == "N" ? " " : letter)
                isEscaped = false
            } else if letter == "\\" {
                isEscaped = true
            } else {
                text.append(letter)
            }
        }
        return Text.line(of: text)
    }

    /// The lines of a file. A line that begins with a space continues the previous one.
    static func lines(of bytes: [UInt8]) -> [ICSLine] {
        var unfolded: [[UInt8]] = []
        for line in bytes.split(whereSeparator: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }) {
            if let first = line.first, first == UInt8(ascii: " ") || first == UInt8(ascii: "\t"), !unfolded.isEmpty {
                unfolded[unfolded.count - 1] += line.dropFirst()
            } else {
                unfolded.append(Array(line))
            }
        }
        return unfolded.compactMap { ICSLine(String(decoding: $0, as: UTF8.self)[...]) }
    }
}

/// A date of iCalendar: a day, or a time on some clock.
struct ICSDate: Equatable {
    var time: CivilTime
    var zone: Zone
    var isDay: Bool

    var moment: Int { zone.moment(of: time) }

    /// - Parameter text: `20261126`, `20261126T090000` or `20261126T080000Z`.
    init?(_ text: Substring, zone: Zone) {
        let digits = text.utf8.prefix(8).compactMap { (0x30...0x39).contains($0) ? Int($0) - 0x30 : nil }
        guard digits.count == 8 else { return nil }
        func number(_ digits: some Sequence<Int>) -> Int { digits.reduce(0) { $0 * 10 + $1 } }
        let (month, day) = (number(digits[4..<6]), number(digits[6..<8]))
        guard (1...12).contains(month), (1...31).contains(day) else { return nil }
        let rest = text.utf8.dropFirst(8)
        let clock = rest.dropFirst().prefix(6).compactMap { (0x30...0x39).contains($0) ? Int($0) - 0x30 : nil }
        isDay = rest.first != UInt8(ascii: "T")
        guard isDay || clock.count == 6 else { return nil }
        let seconds = isDay ? 0 : number(clock[0..<2]) * 3_600 + number(clock[2..<4]) * 60 + number(clock[4..<6])
        time = CivilTime(
            day: CivilDay(year: number(digits[0..<4]), month: month, day: day), seconds: min(seconds, 86_399))
        self.zone = isDay ? .local : rest.last == UInt8(ascii: "Z") ? .utc : zone
    }

    init?(_ line: ICSLine, _ zones: ICSZones) { self.init(line.value[...], zone: zones.zone(of: line)) }

    /// Several dates in one line.
    static func list(_ line: ICSLine, _ zones: ICSZones) -> [ICSDate] {
        let zone = zones.zone(of: line)
        return line.value.split(separator: ",").compactMap { ICSDate($0, zone: zone) }
    }
}

/// A VEVENT of a file.
struct ICSEvent {
    var identifier = ""
    var title = ""
    var place: String?
    var url: String?
    var start: ICSDate
    /// In seconds.
    var length: Int
    var rule: RecurrenceRule?
    var additional: [ICSDate] = []
    var exceptions: [ICSDate] = []
    /// The occurrence, of the event with the same identifier, that this one replaces.
    var replaces: ICSDate?
    var isCancelled = false

    /// Nil without a start.
    init?(_ lines: [ICSLine], _ zones: ICSZones) {
        guard let line = lines.first(where: { $0.name == "DTSTART" }), let start = ICSDate(line, zones) else {
            return nil
        }
        self.start = start
        length = start.isDay ? 86_400 : 0
        let hasEnd = lines.contains { $0.name == "DTEND" }
        for line in lines {
            switch line.name {
            case "UID": identifier = line.value
            case "SUMMARY": title = line.text
            case "LOCATION": place = line.text.isEmpty ? nil : line.text
            case "URL": url = line.value.hasPrefix("https://") || line.value.hasPrefix("http://") ? line.value : nil
            case "DTEND": if let end = ICSDate(line, zones) { length = max(0, end.moment - start.moment) }
            // Thunderbird writes both, and a duration of nothing.
            case "DURATION" where !hasEnd: if let seconds = Self.duration(line.value) { length = seconds }
            case "RRULE": rule = RecurrenceRule(line.value, start.zone)
            case "RDATE": additional += ICSDate.list(line, zones)
            case "EXDATE": exceptions += ICSDate.list(line, zones)
            case "RECURRENCE-ID": replaces = ICSDate(line, zones)
            case "STATUS": isCancelled = line.value.uppercased() == "CANCELLED"
            default: break
            }
        }
    }

    /// `P1DT2H30M`; nil if it is not a duration, or a negative one.
    static func duration(_ text: String) -> Int? {
        guard text.hasPrefix("P") || text.hasPrefix("+P") else { return nil }
        var (seconds, number) = (0, 0)
        for letter in text.utf8 {
            switch letter {
            case 0x30...0x39: number = min(number * 10 + Int(letter) - 0x30, 1_000_000)
            case UInt8(ascii: "W"): (seconds, number) = (seconds + number * 604_800, 0)
            case UInt8(ascii: "D"): (seconds, number) = (seconds + number * 86_400, 0)
            case UInt8(ascii: "H"): (seconds, number) = (seconds + number * 3_600, 0)
            case UInt8(ascii: "M"): (seconds, number) = (seconds + number * 60, 0)
            case UInt8(ascii: "S"): (seconds, number) = (seconds + number, 0)
            default: break
            }
        }
        return seconds
    }

    /// The events of a file; nil if it is not a calendar.
    static func events(in bytes: [UInt8]) -> [ICSEvent]? {
        var (events, isCalendar): ([ICSEvent], Bool) = ([], false)
        var lines: [ICSLine]?
        /// An alarm within an event has lines of its own.
        var depth = 0
        let all = ICSLine.lines(of: bytes)
        let zones = ICSZones(all)
        for line in all {
            switch (line.name, line.value.uppercased()) {
            case ("BEGIN", "VCALENDAR"): isCalendar = true
            case ("BEGIN", "VEVENT"): (lines, depth) = ([], 0)
            case ("END", "VEVENT"):
                if let event = lines.flatMap({ ICSEvent($0, zones) }) { events.append(event) }
                lines = nil
            case ("BEGIN", _): depth += 1
            case ("END", _): depth -= 1
            default: if depth == 0 { lines?.append(line) }
            }
        }
        return isCalendar ? events : nil
    }
}
