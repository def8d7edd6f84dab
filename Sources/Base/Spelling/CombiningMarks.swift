// SPDX-License-Identifier: MIT

/// Counts combining marks in a row, scalar by scalar.
///
/// To compare or hash a String is to normalise it, which sorts the marks that follow a letter, at a cost that grows with
/// the square of their number: some kilobytes of marks on one letter would stop a program for seconds. No language needs
/// more than `most`, the bound of the Stream-Safe Text Format (Unicode Standard Annex 15, section 13), so text from
/// outside with more is refused where it comes in.
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
        // Nothing before the first block of marks.
        case ..<0x300: false
        // No marks themselves, but what they decompose into is nothing else.
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
