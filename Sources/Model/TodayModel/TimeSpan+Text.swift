// SPDX-License-Identifier: MIT

extension TimeSpan {
    /// Units as in systemd.time(7). A number without a unit is in seconds.
    private static let units: [String: Int64] = [
        "usec": 1, "us": 1, "µs": 1, "msec": 1_000, "ms": 1_000,
        "seconds": 1_000_000, "second": 1_000_000, "sec": 1_000_000, "s": 1_000_000, "": 1_000_000,
        "minutes": 60_000_000, "minute": 60_000_000, "min": 60_000_000, "m": 60_000_000,
        "hours": 3_600_000_000, "hour": 3_600_000_000, "hr": 3_600_000_000, "h": 3_600_000_000,
        "days": 86_400_000_000, "day": 86_400_000_000, "d": 86_400_000_000,
        "weeks": 604_800_000_000, "week": 604_800_000_000, "w": 604_800_000_000,
    ]

    /// Reads `1min 30s`, `5m`, `1.5h` or `90` as systemd.time(7) does. Nil for anything else, and beyond a century.
    package init?(_ text: String) {
        var rest = text[...]
        var total = 0.0
        var parts = 0
        while true {
            rest = rest.drop { $0 == " " || $0 == "\t" }
            if rest.isEmpty { break }
            let number = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
            guard let value = Double(number), number.first != ".", number.last != "." else { return nil }
            rest = rest.dropFirst(number.count).drop { $0 == " " }
            let name = rest.prefix { $0.isLetter }
            guard let unit = Self.units[String(name)] else { return nil }
            rest = rest.dropFirst(name.count)
            total += value * Double(unit)
            parts += 1
        }
        guard parts > 0, total <= 3.2e15 else { return nil }
        self.init(microseconds: Int64(total.rounded()))
    }

    /// The two largest units, as systemd writes them: `1min 30s`, `2h`, `250ms`.
    package var text: String {
        if microseconds == 0 { return "0" }
        let names: [(UInt64, String)] = [
            (604_800_000_000, "w"), (86_400_000_000, "d"), (3_600_000_000, "h"), (60_000_000, "min"),
            (1_000_000, "s"), (1_000, "ms"), (1, "us"),
        ]
        var rest = microseconds.magnitude
        var parts: [String] = []
        for (size, name) in names where rest >= size {
            parts.append("\(rest / size)\(name)")
            rest %= size
            if parts.count == 2 { break }
        }
        return (microseconds < 0 ? "-" : "") + parts.joined(separator: " ")
    }
}
