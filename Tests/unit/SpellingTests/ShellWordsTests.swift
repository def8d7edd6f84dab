// SPDX-License-Identifier: MIT
import Spelling
import Testing

@Suite struct ShellWordsTests {
    @Test func wordsAreQuotedForAShell() {
        #expect(
            ShellWords.text(of: ["a", "", "b c", "it's", "$x", "é", "-o=1"]) == #"a '' 'b c' 'it'\''s' '$x' é -o=1"#)
        #expect(ShellWords.quoted("plain") == "'plain'")
    }

    @Test func elementsAreTrimmedOfBothEnds() {
        #expect([0, 1, 0, 2, 0, 0].trimming { $0 == 0 } == [1, 0, 2])
        #expect([0, 0].trimming { $0 == 0 }.isEmpty)
    }

    @Test(arguments: [("", ""), ("  ", ""), (" a b ", "a b"), ("a", "a"), ("\t\na", "a"), ("a ", "a")])
    func bothEndsAreTrimmed(text: String, trimmed: String) {
        #expect(Substring(text).trimmed == trimmed)
    }

    @Test(
        arguments: [
            ("yes", true), ("ON", true), ("1", true), ("t", true), ("No", false), ("off", false), ("0", false),
            ("", nil),
            ("yes ", nil), ("2", nil), ("enabled", nil),
        ] as [(String, Bool?)])
    func booleansAreThoseOfSystemd(text: String, value: Bool?) { #expect(text.boolean == value) }
}
