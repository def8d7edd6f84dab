// SPDX-License-Identifier: MIT

import TodayModel

/// Numbers for axes and percentages, with few digits and without a locale.
enum NumberText {
    /// At most four digits, and a suffix for thousands: `0.25`, `42.1`, `1234`, `67.2k`, `1.5M`.
    static func short(_ value: Double) -> String {
        guard value.isFinite else { return "-" }
        let size = abs(value)
        switch size {
        case ..<10: return decimal(value, digits: 2)
        case ..<100: return decimal(value, digits: 1)
        case ..<10_000: return decimal(value, digits: 0)
        default: break
        }
        var scaled = value / 1_000
        for suffix in ["k", "M", "G", "T"] {
            if abs(scaled) < 999.5 { return decimal(scaled, digits: abs(scaled) < 99.95 ? 1 : 0) + suffix }
            scaled /= 1_000
        }
        return "\(value)"
    }

    /// 0 to 1 as `0%` to `100%`. Only 1 itself is `100%`, and only 0 itself is `0%`.
    static func percentage(_ fraction: Double) -> String {
        guard fraction.isFinite else { return "-" }
        let percent = min(max(fraction, 0), 1) * 100
        let rounded = Int(percent.rounded())
        if rounded == 100 && percent < 100 { return "99%" }
        if rounded == 0 && percent > 0 { return "1%" }
        return "\(rounded)%"
    }

    /// Rounded to `digits` decimals, without trailing zeros.
    private static func decimal(_ value: Double, digits: Int) -> String {
        var factor = 1
        for _ in 0..<digits { factor *= 10 }
        let scaled = Int((abs(value) * Double(factor)).rounded())
        var text = "\(scaled / factor)"
        if scaled % factor != 0 {
            var fraction = "\(scaled % factor + factor)".dropFirst()
            while fraction.last == "0" { fraction.removeLast() }
            text += ".\(fraction)"
        }
        return value < 0 && scaled != 0 ? "-\(text)" : text
    }
}

extension TimeSpan {
    /// An age in one unit, rounded down: `now`, `3 min`, `2 h`, `5 d`.
    package var age: String {
        switch microseconds {
        case ..<(-60_000_000): "in the future"  // the clock was set back; such content is not fresh
        case ..<60_000_000: "now"
        case ..<3_600_000_000: "\(microseconds / 60_000_000) min"
        case ..<86_400_000_000: "\(microseconds / 3_600_000_000) h"
        default: "\(microseconds / 86_400_000_000) d"
        }
    }

    /// A duration: `28 ms`, `1.2 s`, `59 s`, `1 min 30 s`.
    package var duration: String {
        let milliseconds = max(microseconds, 0) / 1_000
        switch milliseconds {
        case ..<1_000: return "\(milliseconds) ms"
        case ..<10_000: return "\(milliseconds / 1_000).\(milliseconds % 1_000 / 100) s"
        case ..<60_000: return "\(milliseconds / 1_000) s"
        default:
            let seconds = milliseconds / 1_000 % 60
            return "\(milliseconds / 60_000) min" + (seconds == 0 ? "" : " \(seconds) s")
        }
    }

    /// The time that is left, in one unit: `now`, `40 s`, `3 min`.
    package var countdown: String {
        switch microseconds {
        case ..<1_000_000: "now"
        case ..<60_000_000: "\(microseconds / 1_000_000) s"
        default: age
        }
    }
}
