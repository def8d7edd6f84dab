// SPDX-License-Identifier: MIT

/// Sizes and parts as people read them.
package enum SpaceText {
    /// From 0 to 1 as `0.0%` to `100.0%`, rounded to one digit behind the point. 100% is said only of the whole, and 0%
    /// only of nothing.
    package static func percentage(_ rate: Double) -> String {
        guard rate.isFinite else { return "--" }
        let part = min(max(rate, 0), 1)
        var tenths = Int((part * 1_000).rounded())
        if tenths == 1_000 && part < 1 { tenths = 999 }
        if tenths == 0 && part > 0 { tenths = 1 }
        return "\(tenths / 10).\(tenths % 10)%"
    }

    /// Bytes as `df -h` has them: powers of 1024, one digit behind the point below ten, rounded up.
    package static func size(_ bytes: UInt64) -> String {
        var unit: UInt64 = 1
        for suffix in ["", "K", "M", "G", "T", "P", "E"] {
            let (whole, rest) = bytes.quotientAndRemainder(dividingBy: unit)
            if unit == 1 {
                if whole < 1_024 { return "\(whole)" }
            } else {
                // The rest is below 2^60, so ten times as much is still a number of 64 bits.
                let tenths = whole * 10 + (rest * 10 + unit - 1) / unit
                if tenths < 100 { return "\(tenths / 10).\(tenths % 10)\(suffix)" }
                let rounded = whole + (rest > 0 ? 1 : 0)
                if rounded < 1_024 || suffix == "E" { return "\(rounded)\(suffix)" }
            }
            // 1023.5M are 1.0G, not 1024M: the next unit has it.
            unit = suffix == "E" ? unit : unit << 10
        }
        return "\(bytes)"
    }
}
