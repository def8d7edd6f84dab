// SPDX-License-Identifier: MIT

import Rendering
import Spelling
import TodayModel

/// What a user does at a terminal.
enum TerminalEvent: Hashable {
    case key(Key)
    case mouse(MouseEvent)
    /// Pasted text, without control characters.
    case paste(String)
    /// The terminal has reported its background.
    case ground(Ground)
}

enum Key: Hashable {
    case up, down, left, right, pageUp, pageDown, home, end, enter, escape, backspace, delete, tab
    /// A typed character, or a part of one: a letter, or a mark on the letter before it.
    case text(Unicode.Scalar)
    /// A letter with Ctrl, in lower case.
    case control(Unicode.Scalar)
}

/// A mouse button that goes down, or a step of the wheel. Cells count from 0.
struct MouseEvent: Hashable {
    enum Button: Hashable {
        case left, middle, right, wheelUp, wheelDown
    }

    let button: Button
    let column: Int
    let row: Int
}

/// Reads what a terminal sends for keys (console_codes(4), xterm's control sequences), for the mouse (SGR, mode 1006) and around
/// what is pasted (mode 2004). Bytes come in pieces of any length. A sequence that means nothing here is skipped whole.
struct TerminalInput {
    /// Longer sequences are skipped up to their end, and so is the rest of longer pasted text.
    static let mostBytes = 64
    static let mostPasted = 4_096
    /// How long the rest of a key may take after ESC: longer than terminals need, and too short to be noticed after Esc. Once a
    /// sequence has certainly begun, its rest may take any time: it never counts as text.
    static let escapePause = TimeSpan.milliseconds(50)

    private enum State {
        case ground, escape
        /// A control sequence: parameters up to a final byte.
        case control
        /// This many bytes belong to the sequence, whatever they are.
        case skip(Int)
        /// ESC O and one byte.
        case shift
        /// The answer to the query for the background, up to BEL or ESC \.
        case answer
        /// ESC within it.
        case answerEnd
        case pasted
    }

    private var state = State.ground
    private var parameters: [UInt8] = []
    /// The bytes of a character that has begun, and how many are missing.
    private var character: (value: UInt32, missing: Int, least: UInt32) = (0, 0, 0)
    private var pasted: [UInt8] = []
    private var events: [TerminalEvent] = []

    /// When `timeOut` is due: Esc alone is the beginning of many sequences.
    private(set) var deadline: AwakeTime?

    mutating func read(_ bytes: some Sequence<UInt8>, at now: AwakeTime) -> [TerminalEvent] {
        for byte in bytes { take(byte) }
        deadline =
            switch state {
            case .escape, .answerEnd: now + Self.escapePause
            default: nil
            }
        defer { events = [] }
        return events
    }

    /// Takes Esc for a key, if it is time to.
    mutating func timeOut(at now: AwakeTime) -> [TerminalEvent] {
        guard let deadline, deadline <= now else { return [] }
        self.deadline = nil
        state = .ground
        return [.key(.escape)]
    }

    private mutating func take(_ byte: UInt8) {
        switch state {
        case .ground: takeText(byte)
        case .escape: takeAfterEscape(byte)
        case .control: takeParameter(byte)
        // A control character, such as Ctrl-C, counts by itself.
        case .skip where byte < 0x20, .shift where byte < 0x20:
            state = .ground
            takeText(byte)
        case .skip(let count): state = count > 1 ? .skip(count - 1) : .ground
        case .shift:
            state = .ground
            if let key = Self.cursorKeys[byte] { events.append(.key(key)) }
        case .answer: takeAnswer(byte)
        case .answerEnd: if byte == UInt8(ascii: "\\") { endAnswer() } else { takeAfterEscape(byte) }
        case .pasted: takePasted(byte)
        }
    }

    // MARK: Characters

    private mutating func takeText(_ byte: UInt8) {
        if byte & 0xC0 == 0x80, character.missing > 0 {
            character.value = character.value << 6 | UInt32(byte & 0x3F)
            character.missing -= 1
            if character.missing > 0 { return }
            // Overlong encodings and control characters of 8 bits are not text.
            if character.value >= max(character.least, 0xA0), let scalar = Unicode.Scalar(character.value) {
                events.append(.key(.text(scalar)))
            }
            return
        }
        character.missing = 0
        switch byte {
        case 0x1B: state = .escape
        case 0x0A, 0x0D: events.append(.key(.enter))
        case 0x08, 0x7F: events.append(.key(.backspace))
        case 0x09: events.append(.key(.tab))
        case 0x01...0x1A: events.append(.key(.control(Unicode.Scalar(byte + 0x60))))
        case 0x20..<0x7F: events.append(.key(.text(Unicode.Scalar(byte))))
        case 0xC2...0xDF: character = (UInt32(byte & 0x1F), 1, 0x80)
        case 0xE0...0xEF: character = (UInt32(byte & 0x0F), 2, 0x800)
        case 0xF0...0xF4: character = (UInt32(byte & 0x07), 3, 0x1_0000)
        default: break
        }
    }

    // MARK: Sequences

    private mutating func takeAfterEscape(_ byte: UInt8) {
        state = .ground
        switch byte {
        case UInt8(ascii: "["):
            state = .control
            parameters = []
        case UInt8(ascii: "O"): state = .shift
        case UInt8(ascii: "]"):
            state = .answer
            parameters = []
        case 0x1B:
            // The first one was alone.
            state = .escape
            events.append(.key(.escape))
        // A control character, such as Ctrl-C, counts by itself.
        case ..<0x20: takeText(byte)
        // ESC and a letter are that letter with Alt.
        default: break
        }
    }

    /// Alt and ] begin an answer, too: what belongs to none counts by itself.
    private mutating func takeAnswer(_ byte: UInt8) {
        let isPart = byte.isAlphanumeric || ";:/".utf8.contains(byte)
        switch byte {
        case 0x07: endAnswer()
        case 0x1B: state = .answerEnd
        case _ where isPart && (!parameters.isEmpty || byte == UInt8(ascii: "1")):
            if parameters.count <= Self.mostBytes { parameters.append(byte) }
        default:
            state = .ground
            takeText(byte)
        }
    }

    private mutating func endAnswer() {
        state = .ground
        let text = String(decoding: parameters, as: UTF8.self)
        guard text.hasPrefix("11;"), let ground = Ground(answer: text.dropFirst(3)) else { return }
        events.append(.ground(ground))
    }

    private mutating func takeParameter(_ byte: UInt8) {
        switch byte {
        case 0x20..<0x40:
            if parameters.count <= Self.mostBytes { parameters.append(byte) }
        case 0x40..<0x7F:
            state = .ground
            finish(byte)
        case 0x1B: state = .escape
        default:
            state = .ground
            takeText(byte)
        }
    }

    private static let cursorKeys: [UInt8: Key] = [
        UInt8(ascii: "A"): .up, UInt8(ascii: "B"): .down, UInt8(ascii: "C"): .right, UInt8(ascii: "D"): .left,
        UInt8(ascii: "H"): .home, UInt8(ascii: "F"): .end, UInt8(ascii: "M"): .enter,
    ]
    private static let numberedKeys: [Int: Key] = [
        1: .home, 3: .delete, 4: .end, 5: .pageUp, 6: .pageDown, 7: .home, 8: .end,
    ]

    private mutating func finish(_ final: UInt8) {
        switch final {
        // The Linux console: ESC [ [ A is F1.
        case UInt8(ascii: "[") where parameters.isEmpty: state = .skip(1)
        // The mouse in the form of X10: three bytes follow.
        case UInt8(ascii: "M") where parameters.isEmpty: state = .skip(3)
        case UInt8(ascii: "M") where parameters.first == UInt8(ascii: "<"):
            if let event = mouseEvent { events.append(.mouse(event)) }
        case UInt8(ascii: "~"):
            guard let number = numbers.first else { return }
            if number == 200 {
                state = .pasted
                pasted = []
            } else if numbers.count == 1, let key = Self.numberedKeys[number] {
                events.append(.key(key))
            }
        // With a modifier (ESC [ 1 ; 5 A) it is another key.
        default:
            if parameters.isEmpty, let key = Self.cursorKeys[final] { events.append(.key(key)) }
        }
    }

    /// The parameters as numbers; empty if one is not a number.
    private var numbers: [Int] {
        var numbers: [Int] = []
        for field in parameters.drop(while: { $0 == UInt8(ascii: "<") }).split(
            separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
        {
            guard field.count <= 6, let number = Int(String(decoding: field, as: UTF8.self)) else { return [] }
            numbers.append(number)
        }
        return numbers
    }

    private var mouseEvent: MouseEvent? {
        let numbers = numbers
        guard numbers.count == 3, numbers[1] > 0, numbers[2] > 0 else { return nil }
        // Shift, Alt and Ctrl are 4, 8 and 16. A movement has 32.
        let button: MouseEvent.Button? =
            switch numbers[0] & ~0b11100 {
            case 0: .left
            case 1: .middle
            case 2: .right
            case 64: .wheelUp
            case 65: .wheelDown
            default: nil
            }
        return button.map { MouseEvent(button: $0, column: numbers[1] - 1, row: numbers[2] - 1) }
    }

    // MARK: Pasted text

    private static let pastedEnd: [UInt8] = Array("\u{1B}[201~".utf8)

    private mutating func takePasted(_ byte: UInt8) {
        // Of a long text the end is kept, because it may contain the mark.
        if pasted.count > 2 * Self.mostPasted {
            pasted.removeSubrange(Self.mostPasted..<pasted.count - Self.mostPasted / 2)
        }
        pasted.append(byte)
        guard byte == UInt8(ascii: "~"), pasted.suffix(Self.pastedEnd.count).elementsEqual(Self.pastedEnd) else {
            return
        }
        state = .ground
        let text = String(decoding: pasted.dropLast(Self.pastedEnd.count).prefix(Self.mostPasted), as: UTF8.self)
        let scalars = text.unicodeScalars.map { $0.value < 0x20 || (0x7F..<0xA0).contains($0.value) ? " " : $0 }
        var clean = String.UnicodeScalarView()
        clean.append(contentsOf: scalars)
        events.append(.paste(String(clean)))
    }
}
