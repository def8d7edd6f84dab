// SPDX-License-Identifier: MIT
import Testing
import TodayModel

@testable import Runner

@Suite struct ErrorTailTests {
    private func text(_ parts: [UInt8]...) -> String {
        var tail = ErrorTail()
        for part in parts { tail.append(part[...]) }
        return tail.text
    }

    @Test(arguments: [
        ("", ""), ("one\ntwo\n\n", "one\ntwo"), ("tab\there", "tab\there"), ("dos\r\nlines\r\n", "dos\nlines"),
        ("\u{1b}[1;31merror\u{1b}[0m: x", "error: x"),
        ("\u{1b}]0;title\u{7}text", "text"), ("\u{1b}]8;;http://x\u{1b}\\link\u{1b}]8;;\u{1b}\\", "link"),
        ("\u{1b}(Bplain\u{1b}c", "plain"), ("\u{1b}]0;never ended\nnext", "\nnext"),
        ("bell\u{7} nul\u{0} c1\u{9b}x bidi\u{202e}", "bell nul c1 bidi"),
        ("cut \u{1b}[1", "cut "), ("größer 東京", "größer 東京"),
    ])
    func itIsHarmlessText(input: String, expected: String) {
        let text = text(Array(input.utf8))
        #expect(text == expected)
        #expect(PlainText.complaint(about: text, allowingLines: true) == nil)
    }

    @Test func bytesThatAreNotUTF8AreRepaired() {
        #expect(text([0x61, 0xff, 0x62]) == "a\u{fffd}b")
    }

    /// A long trace follows it.
    @Test(arguments: [10, 5_000, 9_000, 50_000]) func theReasonOfACrashOfSwiftIsKept(trace: Int) {
        let reason = "A.swift:1: Fatal error: boom"
        var tail = ErrorTail()
        tail.append(Array("before\n\(reason)\n".utf8)[...])
        for _ in 0..<(trace / 10) { tail.append(Array("a frame..\n".utf8)[...]) }
        let lines = tail.text.split(separator: "\n")
        #expect(lines.filter { $0 == reason }.count == 1 && lines.last == "a frame..")
        #expect(tail.text.utf8.count < 5_000)
    }

    @Test func aCharacterInTwoPartsIsOne() {
        #expect(text([0xc3], [0xb6]) == "ö")
    }

    @Test func onlyTheEndIsKeptFromAWholeLineOn() {
        let lines = (1...2_000).map { "line \($0)\n" }
        var tail = ErrorTail()
        for line in lines { tail.append(Array(line.utf8)[...]) }
        let kept = tail.text.split(separator: "\n")
        #expect(kept.last == "line 2000")
        #expect(kept.first?.hasPrefix("line 1") == true && kept.first?.count == 9)
        #expect(tail.text.utf8.count <= RunRecord.errorOutputBytes)
    }

    @Test(arguments: [1, 7, 4_096, 65_536])
    func howItArrivesDoesNotMatter(chunk: Int) {
        let bytes = Array((1...20_000).map { "line \($0)\n" }.joined().utf8)
        var tail = ErrorTail()
        for start in stride(from: 0, to: bytes.count, by: chunk) {
            tail.append(bytes[start..<min(start + chunk, bytes.count)])
        }
        #expect(tail.text.hasSuffix("line 19999\nline 20000"))
        #expect(tail.text.utf8.count > 4_000)
        #expect(tail.text.hasPrefix("line 19"))
    }

    /// A program may print for as long as it runs.
    @Test(arguments: [1, 1_000, 20_000]) func itHoldsTwiceItsLimitAtMost(piece: Int) {
        var tail = ErrorTail()
        for _ in 0..<(200_000 / piece) {
            tail.append([UInt8](repeating: UInt8(ascii: "x"), count: piece)[...])
            if tail.bytes.count > 2 * RunRecord.errorOutputBytes { Issue.record("it holds \(tail.bytes.count) bytes") }
        }
    }

    @Test func oneLongLineIsCutBetweenCharacters() {
        let text = text(Array(String(repeating: "ö", count: 5_001).utf8))
        #expect(text.allSatisfy { $0 == "ö" } && text.utf8.count == 4_096)
    }
}
