// SPDX-License-Identifier: MIT
import TodayModel

/// Makes identifiers of the names in configurations, each once.
struct WidgetNames {
    let prefix: String
    private var used: Set<String> = []
    /// The next number for a name that is taken, so that a thousand equal names take linear time.
    private var numbers: [String: Int] = [:]
    /// Leaves room for a number.
    private static let longest = 150

    /// The identifiers still available for names of each label.
    private var choices: EarlierManifests.Choices

    init(prefix: String, _ choices: EarlierManifests.Choices = [:]) {
        self.prefix = prefix
        self.choices = choices.mapValues { $0.reversed() }
    }

    /// A later name with the same label gets a number after it, or the identifier chosen for it.
    mutating func identifier(for label: String) -> WidgetID? {
        if let chosen = choices[label]?.popLast(),
            used.insert(String(chosen.text.dropFirst(prefix.utf8.count))).inserted
        {
            return chosen
        }
        var candidate = label
        var number = numbers[label] ?? 1
        while !used.insert(candidate).inserted {
            number += 1
            candidate = "\(label)-\(number)"
        }
        numbers[label] = number
        return WidgetID(prefix + candidate)
    }

    /// Labels of letters, digits, `_` and `-`, joined by dots; each other letter becomes a hyphen.
    static func label(_ name: String) -> String {
        var labels: [String] = []
        for part in name.unicodeScalars.prefix(longest).split(separator: ".") {
            let label = part.map { isAllowed($0) ? Character($0) : "-" }
            let trimmed = label.drop { $0 == "-" }.reversed().drop { $0 == "-" }.reversed()
            if !trimmed.isEmpty { labels.append(String(trimmed)) }
        }
        return labels.isEmpty ? spelledOut(name) : labels.joined(separator: ".")
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "_", "-": true
        default: false
        }
    }

    /// A name without an allowed letter, by the numbers of its characters: `🍄` is `u1f344`.
    private static func spelledOut(_ name: String) -> String {
        let scalars = name.unicodeScalars.filter { !$0.isASCII }.prefix(8)
        return scalars.isEmpty ? "unnamed" : "u" + scalars.map { String($0.value, radix: 16) }.joined(separator: "-")
    }
}
