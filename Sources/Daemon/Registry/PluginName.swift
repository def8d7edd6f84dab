// SPDX-License-Identifier: MIT
import TodayModel

/// What the file name of an xbar-style script says: `010-cpu.5m.sh` is `cpu`, every five minutes.
struct PluginName: Hashable, Sendable {
    let id: WidgetID
    let displayName: String
    /// Nil where the name has none.
    let interval: TimeSpan?

    static let prefix = "plugin."
    /// xbar's interval where the name has none, or a bad one.
    static let defaultInterval = TimeSpan.minutes(1)

    /// Nil for what is no plugin: hidden, switched off by `.off`, or the variables of one.
    init?(fileName: String) {
        guard !fileName.hasPrefix("."), !fileName.hasSuffix(".off"), !fileName.hasSuffix(".vars.json"),
            !fileName.hasSuffix("~")
        else { return nil }
        var parts = fileName.split(separator: ".", omittingEmptySubsequences: false)
        if parts.count > 1 { parts.removeLast() }
        interval = parts.count > 1 ? parts.last.flatMap(Self.interval) : nil
        if interval != nil { parts.removeLast() }
        // The number only orders; a widget keeps its name when it changes.
        let number = parts[0].prefix { $0.isASCII && $0.isNumber }
        if !number.isEmpty, parts[0].dropFirst(number.count).first == "-" {
            parts[0] = parts[0].dropFirst(number.count + 1)
        }
        let labels = parts.map(Self.label).filter { !$0.isEmpty }
        guard !labels.isEmpty, let id = WidgetID(Self.prefix + labels.joined(separator: ".")) else { return nil }
        self.id = id
        displayName = parts.joined(separator: ".")
    }

    /// `<number><unit>` with the units ms, s, m, h, d.
    private static func interval(_ text: Substring) -> TimeSpan? {
        let number = text.prefix { $0.isASCII && $0.isNumber }
        let units: [Substring: Int64] = [
            "ms": 1_000, "s": 1_000_000, "m": 60_000_000, "h": 3_600_000_000, "d": 86_400_000_000,
        ]
        guard let unit = units[text.dropFirst(number.count)], let count = Int64(number), count > 0,
            count <= 3_650_000_000_000_000 / unit
        else { return nil }
        return max(TimeSpan(microseconds: count * unit), UpdatePlan.shortestInterval)
    }

    /// A part of the name as a label of an identifier: anything foreign becomes a hyphen.
    static func label(_ part: Substring) -> String {
        let letters = part.map { letter -> Character in
            letter.isASCII && (letter.isLetter || letter.isNumber || letter == "_" || letter == "-") ? letter : "-"
        }
        return String(letters.drop { $0 == "-" })
    }
}
