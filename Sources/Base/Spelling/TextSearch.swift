// SPDX-License-Identifier: MIT

/// Looks for texts in texts, byte by byte. The standard library's own search compares characters and brings the engine of regular
/// expressions with it, 1.4 MB of each program (Tests/system/linking).
extension StringProtocol {
    /// The first place where the other text stands.
    package func range(of text: String) -> Range<Index>? {
        let sought = Array(text.utf8)
        guard let first = sought.first else { return startIndex..<startIndex }
        var rest = utf8[...]
        while let start = rest.firstIndex(of: first) {
            rest = rest[start...]
            if rest.starts(with: sought) { return start..<rest.index(start, offsetBy: sought.count) }
            rest = rest.dropFirst()
        }
        return nil
    }

    package func includes(_ text: String) -> Bool { range(of: text) != nil }

    /// The parts between separators, empty ones included.
    ///
    /// - Parameter separator: is not empty.
    package func split(at separator: String) -> [SubSequence] {
        var parts: [SubSequence] = []
        var rest = self[...]
        while let range = rest.range(of: separator) {
            parts.append(rest[..<range.lowerBound])
            rest = rest[range.upperBound...]
        }
        return parts + [rest]
    }

    /// - Parameter old: is not empty.
    package func replacing(_ old: String, by new: some StringProtocol) -> String {
        split(at: old).joined(separator: String(new))
    }
}
