// SPDX-License-Identifier: MIT

/// Numbers for axes and percentages: few digits, no locale.
enum NumberText {
    /// Four digits at most, and a suffix of thousands where needed: `0.25`, `42.1`, `1234`, `67.2k`, `1.5M`.
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

    /// From 0 to 1 as `0%` to `100%`. 100% is said only of the whole, and 0% only of nothing.
    static func percentage(_ fraction: Double) -> String {
        guard fraction.isFinite else { return "-" }
        let percent = min(max(fraction, 0), 1) * 100
        let rounded = Int(percent.rounded())
        if rounded == 100 && percent < 100 { return "99%" }
        if rounded == 0 && percent > 0 { return "1%" }
        return "\(rounded)%"
    }

    /// Rounded to so many digits behind the point; zeros at the end are left out.
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
