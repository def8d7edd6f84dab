// SPDX-License-Identifier: MIT

/// A range of the monitoring plugins' guidelines, which says of which values to warn:
///
/// | written as | warns of a value |
/// | --- | --- |
/// | `10` | below 0 or above 10 |
/// | `10:` | below 10 |
/// | `~:10` | above 10 |
/// | `10:20` | below 10 or above 20 |
/// | `@10:20` | from 10 to 20 |
struct Threshold: Equatable {
    /// Nil is without end.
    let low: Double?
    let high: Double?
    let warnsInside: Bool

    /// Nil for a text that is not a range. Some programs write the unit after a number, which is left out.
    init?(_ text: String) {
        warnsInside = text.utf8.first == UInt8(ascii: "@")
        let range = Array(text.utf8.dropFirst(warnsInside ? 1 : 0))
        guard let colon = range.firstIndex(of: UInt8(ascii: ":")) else {
            guard let high = Self.bound(range[...]) else { return nil }
            low = 0
            self.high = high
            return
        }
        let (before, after) = (range[..<colon], range[(colon + 1)...])
        guard !before.isEmpty || !after.isEmpty else { return nil }
        if before.elementsEqual("~".utf8) {
            low = nil
        } else if before.isEmpty {
            low = 0
        } else if let bound = Self.bound(before) {
            low = bound
        } else {
            return nil
        }
        if after.isEmpty {
            high = nil
        } else if let bound = Self.bound(after) {
            high = bound
        } else {
            return nil
        }
        if let low, let high, low > high { return nil }
    }

    private static func bound(_ text: ArraySlice<UInt8>) -> Double? {
        guard let number = LeadingNumber(text.text) else { return nil }
        let isUnit = number.rest.utf8.allSatisfy { $0 == UInt8(ascii: "%") || $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7a }
        return isUnit ? number.value : nil
    }

    func isBreached(by value: Double) -> Bool {
        let isInside = value >= low ?? -.infinity && value <= high ?? .infinity
        return isInside == warnsInside
    }

    /// The largest value of which it does not warn, where larger ones exist.
    var end: Double? { warnsInside ? nil : high }
}
