// SPDX-License-Identifier: MIT

/// Text that is equal to other text only when both are spelt alike, byte by byte, as files, SQLite and JSON compare
/// names. For String's own `==`, é is the same as e with an acute accent after it.
package struct SpelledText: Hashable, Sendable, Comparable {
    package let text: String

    package init(_ text: String) { self.text = text }

    package static func == (left: SpelledText, right: SpelledText) -> Bool { left.text.isSpelled(as: right.text) }

    package static func < (left: SpelledText, right: SpelledText) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }

    package func hash(into hasher: inout Hasher) {
        let isHashed: Void? = text.utf8.withContiguousStorageIfAvailable {
            hasher.combine(bytes: UnsafeRawBufferPointer($0))
        }
        if isHashed == nil { for byte in text.utf8 { hasher.combine(byte) } }
        // String does the same: it separates this text from the next value that is hashed.
        hasher.combine(0xFF as UInt8)
    }
}

extension String {
    /// Whether two texts are the same bytes.
    package func isSpelled(as other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        let inStorage = utf8.withContiguousStorageIfAvailable { bytes in
            other.utf8.withContiguousStorageIfAvailable { bytes.elementsEqual($0) }
        }
        return inStorage.flatMap { $0 } ?? utf8.elementsEqual(other.utf8)
    }

    /// The first bytes, at most as many as given, with an ellipsis if text is left out. It counts bytes, because a
    /// character may have any number of them.
    package func shortened(to bytes: Int) -> String {
        guard utf8.count > bytes else { return self }
        var end = utf8.index(utf8.startIndex, offsetBy: bytes)
        while end > utf8.startIndex, UTF8.isContinuation(utf8[end]) { end = utf8.index(before: end) }
        return String(self[..<end]) + "…"
    }
}

extension String {
    /// The texts before and after the first `=`. A mark after it is a part of the value: for Swift both are one character.
    package var assignment: (name: String, value: String)? {
        guard let equals = utf8.firstIndex(of: UInt8(ascii: "=")) else { return nil }
        return (String(self[..<equals]), String(self[utf8.index(after: equals)...]))
    }
}

/// Counts combining marks in a row, scalar by scalar.
///
/// Comparing or hashing a String normalizes it, which sorts the marks after a letter in quadratic time: some kilobytes
/// of marks on one letter stop a program for seconds. No language needs more than `most`, the limit of the Stream-Safe
/// Text Format (Unicode Standard Annex 15, section 13), so readers refuse text from outside with more.
package struct CombiningMarks {
    package static let most = 30

    private var inARow = 0

    package init() {}

    /// Whether this scalar is one mark too many.
    package mutating func exceed(with scalar: Unicode.Scalar) -> Bool {
        guard Self.isMark(scalar) else {
            inARow = 0
            return false
        }
        inARow += 1
        return inARow > Self.most
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        // The first block of marks begins at U+0300.
        case ..<0x300: false
        // These are not marks, but they decompose into marks.
        case 0xf73, 0xf75, 0xf81: true
        default: scalar.properties.canonicalCombiningClass != .notReordered
        }
    }
}

extension StringProtocol {
    /// Whether a letter carries more marks than any language writes.
    package var hasTooManyMarks: Bool {
        var marks = CombiningMarks()
        return unicodeScalars.contains { marks.exceed(with: $0) }
    }
}

extension BidirectionalCollection {
    /// Without the elements at both ends that are blank.
    package func trimming(_ isBlank: (Element) -> Bool) -> SubSequence {
        guard let last = lastIndex(where: { !isBlank($0) }) else { return self[endIndex...] }
        return self[...last].drop(while: isBlank)
    }
}

extension StringProtocol {
    /// Without white space at both ends.
    package var trimmed: String { String(trimming(\.isWhitespace)) }

    /// The boolean that the text means in any letter case; nil for any other text.
    package var boolean: Bool? {
        let word = lowercased()
        return BooleanWords.yes.contains(word) ? true : BooleanWords.no.contains(word) ? false : nil
    }
}

/// What systemd.syntax(7) reads as a boolean.
package enum BooleanWords {
    package static let yes = ["yes", "y", "true", "t", "on", "1"]
    package static let no = ["no", "n", "false", "f", "off", "0"]
}

/// `; did you mean disk?` after a misspelt name, empty if none is near.
///
/// - Parameter spelled: how a name is quoted.
package func hint(for name: String, among names: [String], _ spelled: (String) -> String = { $0 }) -> String {
    likelyName(for: name, among: names).map { "; did you mean \(spelled($0))?" } ?? ""
}

/// The name that is nearest to a misspelt one, or the only one that begins or ends with it, as `BarWidth` with `width`.
package func likelyName(for name: String, among names: [String]) -> String? {
    if let nearest = nearestName(to: name, among: names) { return nearest }
    let part = name.lowercased()
    let whole = names.filter { $0.lowercased().hasPrefix(part) || $0.lowercased().hasSuffix(part) }
    return name.count >= 3 && whole.count == 1 ? whole[0] : nil
}

/// The name that is nearest to a misspelt one; nil when none is near.
///
/// Near means that at most one letter in three was changed, left out, added or swapped with its neighbour. Letter case
/// does not count.
package func nearestName(to name: String, among names: [String]) -> String? {
    // Longer text is not a mistyped name, and the distance takes time in proportion to the product of the lengths.
    guard !name.isEmpty, name.utf8.count <= 64 else { return nil }
    let letters = Array(name.lowercased().utf8)
    var nearest: (name: String, distance: Int)?
    for candidate in names where candidate.utf8.count <= 64 {
        let candidateLetters = Array(candidate.lowercased().utf8)
        let distance = editDistance(letters, candidateLetters)
        guard distance <= max(1, max(letters.count, candidateLetters.count) / 3) else { continue }
        guard min(letters.count, candidateLetters.count) > distance else { continue }
        if distance < nearest?.distance ?? .max { nearest = (candidate, distance) }
    }
    return nearest?.name
}

/// The distance of Damerau and Levenshtein in its simple form, row by row.
func editDistance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var beforePrevious: [Int] = []
    var previous = Array(0...right.count)
    for (row, letter) in left.enumerated() {
        var current = [row + 1]
        for (column, other) in right.enumerated() {
            var best = min(previous[column + 1] + 1, current[column] + 1, previous[column] + (letter == other ? 0 : 1))
            if row > 0, column > 0, letter == right[column - 1], left[row - 1] == other {
                best = min(best, beforePrevious[column - 1] + 1)
            }
            current.append(best)
        }
        (beforePrevious, previous) = (previous, current)
    }
    return previous[right.count]
}
