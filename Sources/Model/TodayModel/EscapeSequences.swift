// SPDX-License-Identifier: MIT

/// Tells the escape sequences of a text from what a terminal would show, scalar by scalar (ECMA-48): CSI up to its final
/// byte; OSC, DCS, SOS, PM and APC up to BEL or ST; and the short ones. A control character of eight bits is the same as
/// the escape character and a letter: U+009B is CSI, also within another sequence, which ends there.
package struct EscapeSequences {
    package enum Part {
        case text
        /// CSI: a control sequence begins.
        case start
        /// A parameter or an intermediate byte of a control sequence.
        case parameter
        /// The byte that ends a control sequence, and says what it does.
        case final
        /// Any other part of a sequence.
        case other
    }

    private enum Place { case text, escape, intermediate, control, string }

    private var place = Place.text

    package init() {}

    package mutating func read(_ scalar: Unicode.Scalar) -> Part {
        switch (place, scalar.value) {
        case (_, 0x1b): return go(to: .escape)
        case (_, 0x80...0x9f): return open(scalar.value - 0x40)
        case (.escape, 0x40...0x5f): return open(scalar.value)
        case (.escape, 0x20...0x2f): return go(to: .intermediate)
        case (.intermediate, 0x20...0x2f): return .other
        case (.escape, 0x30...0x7e), (.intermediate, 0x30...0x7e): return go(to: .text)
        case (.control, 0x20...0x3f): return .parameter
        case (.control, 0x40...0x7e): return go(to: .text, .final)
        case (.string, 0x07): return go(to: .text)
        // A string without an end must not swallow the following lines.
        case (.string, let value) where value != 0x0a: return .other
        // What ends in no final byte is not a sequence.
        default: return go(to: .text, .text)
        }
    }

    /// The letter after an escape character.
    private mutating func open(_ letter: UInt32) -> Part {
        switch letter {
        case 0x5b: go(to: .control, .start)
        case 0x50, 0x58, 0x5d, 0x5e, 0x5f: go(to: .string)
        default: go(to: .text)
        }
    }

    private mutating func go(to place: Place, _ part: Part = .other) -> Part {
        self.place = place
        return part
    }
}
