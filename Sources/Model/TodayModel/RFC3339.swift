// SPDX-License-Identifier: MIT
import Glibc
import Platform
import Spelling

extension WallTime {
    /// Reads a date and time with its zone in the form of RFC 3339 and of date(1): `2026-11-30T08:00:00+01:00`. The
    /// zone may be `Z` and may lack the colon.
    package init?(rfc3339 text: String) {
        var rest = Array(text.utf8)[...]
        guard let year = Self.number(&rest, digits: 4), Self.skip("-", &rest),
            let month = Self.number(&rest, digits: 2), Self.skip("-", &rest),
            let day = Self.number(&rest, digits: 2), Self.skip("Tt ", &rest),
            let hour = Self.number(&rest, digits: 2), Self.skip(":", &rest),
            let minute = Self.number(&rest, digits: 2), Self.skip(":", &rest),
            let second = Self.number(&rest, digits: 2),
            let fraction = Self.fraction(&rest), let zone = Self.zone(&rest), rest.isEmpty
        else { return nil }
        guard year >= 1970, hour < 24, minute < 60, second <= 60 else { return nil }
        var fields = tm()
        fields.tm_year = Int32(year - 1900)
        fields.tm_mon = Int32(month - 1)
        fields.tm_mday = Int32(day)
        let midnight = timegm(&fields)
        // timegm(3) turns the 30th of February into a day of March, which then differs from the text.
        guard fields.tm_mon == Int32(month - 1), fields.tm_mday == Int32(day), midnight >= 0 else { return nil }
        let seconds = Int64(midnight) + Int64(hour * 3_600 + minute * 60 + second) - Int64(zone)
        self.init(microseconds: seconds * 1_000_000 + Int64(fraction))
    }

    private static func skip(_ characters: StaticString, _ rest: inout ArraySlice<UInt8>) -> Bool {
        guard let byte = rest.first, "\(characters)".utf8.contains(byte) else { return false }
        rest.removeFirst()
        return true
    }

    private static func number(_ rest: inout ArraySlice<UInt8>, digits: Int) -> Int? {
        guard rest.count >= digits else { return nil }
        var value = 0
        for byte in rest.prefix(digits) {
            guard byte.isDigit else { return nil }
            value = value * 10 + Int(byte - UInt8(ascii: "0"))
        }
        rest.removeFirst(digits)
        return value
    }

    /// The fraction in microseconds; 0 if there is none.
    private static func fraction(_ rest: inout ArraySlice<UInt8>) -> Int? {
        guard skip(".", &rest) else { return 0 }
        var value = 0
        var digits = 0
        while let digit = number(&rest, digits: 1) {
            if digits < 6 { value = value * 10 + digit }
            digits += 1
        }
        guard digits > 0 else { return nil }
        for _ in 0..<max(0, 6 - digits) { value *= 10 }
        return value
    }

    /// Seconds east of UTC.
    private static func zone(_ rest: inout ArraySlice<UInt8>) -> Int? {
        if skip("Zz", &rest) { return 0 }
        let sign = rest.first == UInt8(ascii: "-") ? -1 : 1
        guard skip("+-", &rest), let hours = number(&rest, digits: 2) else { return nil }
        _ = skip(":", &rest)
        guard let minutes = number(&rest, digits: 2), hours < 24, minutes < 60 else { return nil }
        return sign * (hours * 3_600 + minutes * 60)
    }
}

extension WallTime {
    /// The date and time in the time zone of this process, to the second, in the form that `init(rfc3339:)` reads: as
    /// `date --iso-8601=seconds` prints it. A date that this form cannot have is a number of microseconds.
    package var rfc3339: String {
        guard microseconds >= 0, let fields = tm(local: Int(microseconds / 1_000_000)), fields.tm_year <= 9999 - 1900
        else { return "\(microseconds)" }
        let date = [(fields.tm_year + 1900).digits(4), (fields.tm_mon + 1).digits(2), fields.tm_mday.digits(2)]
        let time = [fields.tm_hour, fields.tm_min, fields.tm_sec].map { $0.digits(2) }
        let offset = abs(Int32(fields.tm_gmtoff / 60))
        let zone = "\(fields.tm_gmtoff < 0 ? "-" : "+")\((offset / 60).digits(2)):\((offset % 60).digits(2))"
        return "\(date.joined(separator: "-"))T\(time.joined(separator: ":"))\(zone)"
    }
}
