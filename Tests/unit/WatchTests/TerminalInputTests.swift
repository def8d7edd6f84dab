// SPDX-License-Identifier: MIT

import TestSupport
import Testing
import TodayModel

@testable import Watch

/// What a terminal sends, as keys.
@Suite struct TerminalInputTests {
    private static let cases: [(bytes: String, events: [TerminalEvent])] = [
        ("jK/", [.key(.text("j")), .key(.text("K")), .key(.text("/"))]),
        ("\u{1B}[A\u{1B}[B\u{1B}[C\u{1B}[D", [.key(.up), .key(.down), .key(.right), .key(.left)]),
        ("\u{1B}OA\u{1B}OH\u{1B}OF\u{1B}OM", [.key(.up), .key(.home), .key(.end), .key(.enter)]),
        ("\u{1B}[5~\u{1B}[6~\u{1B}[3~", [.key(.pageUp), .key(.pageDown), .key(.delete)]),
        ("\u{1B}[H\u{1B}[F\u{1B}[1~\u{1B}[4~", [.key(.home), .key(.end), .key(.home), .key(.end)]),
        ("\u{1B}[7~\u{1B}[8~", [.key(.home), .key(.end)]),
        ("\r\n", [.key(.enter), .key(.enter)]),
        ("\u{7F}\u{8}\t", [.key(.backspace), .key(.backspace), .key(.tab)]),
        ("\u{3}\u{1A}\u{C}", [.key(.control("c")), .key(.control("z")), .key(.control("l"))]),
        ("é€🙂", [.key(.text("é")), .key(.text("€")), .key(.text("🙂"))]),
        // Keys that mean nothing here, whole: F5, Alt-j, Ctrl-Up, Shift-F1, a report of the colour, F1 of the Linux console.
        ("\u{1B}[15~a", [.key(.text("a"))]),
        ("\u{1B}ja", [.key(.text("a"))]),
        ("\u{1B}[1;5Aa", [.key(.text("a"))]),
        ("\u{1B}[5;~a", [.key(.text("a"))]),
        ("\u{1B}[3;5~a", [.key(.text("a"))]),
        ("\u{1B}O1a", [.key(.text("a"))]),
        ("\u{1B}]11;rgb:0/0/0\u{7}a", [.ground(.dark), .key(.text("a"))]),
        ("\u{1B}]11;rgb:ffff/fdfd/e0e0\u{1B}\\a", [.ground(.light), .key(.text("a"))]),
        ("\u{1B}]10;rgb:0/0/0\u{7}a", [.key(.text("a"))]),
        ("\u{1B}[[Aa", [.key(.text("a"))]),
        ("\u{1B}[M !!a", [.key(.text("a"))]),
        ("\u{1B}[?64;1;2ca", [.key(.text("a"))]),
        // Two Esc are one, and the beginning of a sequence; Ctrl-C is obeyed within one.
        ("\u{1B}\u{1B}[A", [.key(.escape), .key(.up)]),
        ("\u{1B}[1\u{3}", [.key(.control("c"))]),
        ("\u{1B}\u{3}", [.key(.control("c"))]),
        ("\u{1B}[1\u{1B}[A", [.key(.up)]),
        // The mouse.
        ("\u{1B}[<0;6;8M", [.mouse(MouseEvent(button: .left, column: 5, row: 7))]),
        ("\u{1B}[<0;6;8m", []),
        ("\u{1B}[<1;1;1M", [.mouse(MouseEvent(button: .middle, column: 0, row: 0))]),
        ("\u{1B}[<2;500;200M", [.mouse(MouseEvent(button: .right, column: 499, row: 199))]),
        ("\u{1B}[<64;2;2M", [.mouse(MouseEvent(button: .wheelUp, column: 1, row: 1))]),
        ("\u{1B}[<65;2;2M", [.mouse(MouseEvent(button: .wheelDown, column: 1, row: 1))]),
        ("\u{1B}[<4;2;2M", [.mouse(MouseEvent(button: .left, column: 1, row: 1))]),
        ("\u{1B}[<32;2;2M\u{1B}[<35;2;2M\u{1B}[<66;2;2M", []),
        ("\u{1B}[<0;0;1M\u{1B}[<0;1M\u{1B}[<0;1;1;1M\u{1B}[<;;M\u{1B}[<0;99999999999999999999;1M", []),
        // Pasted text is no keys, whatever it has.
        ("\u{1B}[200~q\u{1B}[Aj\r\u{1B}[201~k", [.paste("q [Aj "), .key(.text("k"))]),
        ("\u{1B}[200~\u{1B}[201~", [.paste("")]),
        ("\u{1B}[200~a~\u{1B}[20~\u{1B}[201~", [.paste("a~ [20~")]),
    ]

    @Test(arguments: cases.indices) func bytesAreEvents(index: Int) {
        let (text, events) = Self.cases[index]
        var input = TerminalInput()
        let read = input.read(Array(text.utf8), at: Self.start)
        #expect(read == events)
        #expect(input.deadline == nil)
    }

    @Test(arguments: cases.indices) func thePiecesDoNotMatter(index: Int) {
        let (text, events) = Self.cases[index]
        var input = TerminalInput()
        var read: [TerminalEvent] = []
        for byte in text.utf8 { read += input.read([byte], at: Self.start) }
        #expect(read == events)
    }

    @Test(
        arguments: [
            [0x80, 0x61], [0xC3, 0x61], [0xC0, 0x80, 0x61], [0xE0, 0x80, 0x80, 0x61], [0xE0, 0x9F, 0xBF, 0x61],
            [0xED, 0xA0, 0x80, 0x61],
            [0xF5, 0x80, 0x80, 0x80, 0x61], [0xFF, 0x61], [0xC2, 0x9B, 0x61], [0xF0, 0x9F, 0x99, 0x61], [0x00, 0x61],
            [0xF4, 0x90, 0x80, 0x80, 0x61],
        ] as [[UInt8]])
    func whatIsNoTextIsLeftOut(bytes: [UInt8]) {
        var input = TerminalInput()
        let read = input.read(bytes, at: Self.start)
        #expect(read == [.key(.text("a"))])
    }

    private static let broken: [(beginning: String, rest: String, events: [TerminalEvent])] = [
        // The digit and the end of PgUp, and of a report of the mouse.
        ("\u{1B}[", "5~a", [.key(.pageUp), .key(.text("a"))]), ("\u{1B}[1;", "5Aa", [.key(.text("a"))]),
        ("\u{1B}[<0;1", "2;3Ma", [.mouse(MouseEvent(button: .left, column: 11, row: 2)), .key(.text("a"))]),
        ("\u{1B}O", "Ba", [.key(.down), .key(.text("a"))]), ("\u{1B}[M !", "!a", [.key(.text("a"))]),
        ("\u{1B}[", "[Aa", [.key(.text("a"))]), ("\u{1B}]11;rgb:", "1/q/3\u{7}a", [.key(.text("a"))]),
        // What is pasted is no keys, however late.
        ("\u{1B}[20", "0~q\u{1B}[201~a", [.paste("q"), .key(.text("a"))]),
        // Ctrl-C is obeyed, and the next sequence is another one.
        ("\u{1B}[", "\u{3}", [.key(.control("c"))]), ("\u{1B}O", "\u{3}", [.key(.control("c"))]),
        ("\u{1B}[M", "\u{3}", [.key(.control("c"))]), ("\u{1B}]1", "\u{3}", [.key(.control("c"))]),
        ("\u{1B}[", "\u{1B}[A", [.key(.up)]), ("\u{1B}]1", "1\u{1B}[A", [.key(.up)]),
        // Alt and ], and then the next key.
        ("\u{1B}]", "a", [.key(.text("a"))]), ("\u{1B}]1", "?", [.key(.text("?"))]),
    ]

    private static let start = AwakeTime(microseconds: 0)

    /// The rest of a sequence belongs to it whenever it comes: it is never taken for typed text.
    @Test(arguments: broken.indices) func theRestOfASequenceIsNoText(index: Int) {
        let (beginning, rest, events) = Self.broken[index]
        var input = TerminalInput()
        let first = input.read(Array(beginning.utf8), at: Self.start)
        #expect(first.isEmpty && input.deadline == nil)
        let none = input.timeOut(at: Self.start + .seconds(9))
        let read = input.read(Array(rest.utf8), at: Self.start + .seconds(9))
        #expect(none.isEmpty && read == events)
    }

    /// Esc may come in an answer that has no end.
    @Test func escapeEndsAnAnswer() {
        var input = TerminalInput()
        let read = input.read(Array("\u{1B}]11;\u{1B}".utf8), at: Self.start)
        let ended = input.timeOut(at: Self.start + .milliseconds(50))
        let key = input.read(Array("a".utf8), at: Self.start + .seconds(1))
        #expect(read.isEmpty && ended == [.key(.escape)] && key == [.key(.text("a"))])
    }

    @Test func escapeAloneIsAKey() {
        var input = TerminalInput()
        let before = input.read([0x1B], at: Self.start)
        #expect(before.isEmpty && input.deadline == Self.start + .milliseconds(50))
        let early = input.timeOut(at: Self.start + .milliseconds(49))
        #expect(early.isEmpty)
        let late = input.timeOut(at: Self.start + .milliseconds(50))
        #expect(late == [.key(.escape)] && input.deadline == nil)
        let again = input.timeOut(at: Self.start + .seconds(9))
        #expect(again.isEmpty)
    }

    /// Slow pasting is no reason to take its text for keys.
    @Test func pastedTextMayTakeItsTime() {
        var input = TerminalInput()
        let before = input.read(Array("\u{1B}[200~q".utf8), at: Self.start)
        let late = input.timeOut(at: Self.start + .seconds(9))
        let after = input.read(Array("q\u{1B}[201~".utf8), at: Self.start + .seconds(9))
        #expect(before.isEmpty && late.isEmpty && after == [.paste("qq")])
    }

    @Test func longSequencesAndTextsAreBounded() {
        var input = TerminalInput()
        let long = input.read(
            Array("\u{1B}[".utf8) + [UInt8](repeating: UInt8(ascii: "1"), count: 100_000) + Array("Aa".utf8),
            at: Self.start)
        #expect(long == [.key(.text("a"))])
        let text = String(repeating: "x", count: 100_000)
        let pasted = input.read(Array("\u{1B}[200~\(text)\u{1B}[201~a".utf8), at: Self.start)
        #expect(pasted.count == 2 && pasted.last == .key(.text("a")))
        guard case .paste(let kept)? = pasted.first else { return #expect(Bool(false), "nothing was pasted") }
        #expect(kept == String(repeating: "x", count: TerminalInput.mostPasted))
    }

    @Test(arguments: [1, 2, 3] as [UInt64]) func aMegabyteOfAnythingIsRead(seed: UInt64) {
        var numbers = SeededNumbers(seed: seed)
        // Many of the bytes with which sequences begin and end.
        let favoured: [UInt8] = [0x1B, 0x5B, 0x3B, 0x7E, 0x32, 0x30, 0x4D, 0x3C]
        let bytes = (0..<1 << 20).map { _ -> UInt8 in
            let number = numbers.next()
            return number & 0x300 == 0 ? favoured[Int(number & 7)] : UInt8(truncatingIfNeeded: number)
        }
        var input = TerminalInput()
        let started = ContinuousClock.now
        var count = 0
        for start in stride(from: 0, to: bytes.count, by: 4_096) {
            count += input.read(bytes[start..<start + 4_096], at: Self.start).count
        }
        // Far more than a second would be a time that grows with the square.
        #expect(count > 0 && ContinuousClock.now - started < .seconds(20))
    }
}
