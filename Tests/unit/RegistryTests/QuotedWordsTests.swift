// SPDX-License-Identifier: MIT
import Testing

@testable import Registry

@Suite struct QuotedWordsTests {
    @Test(
        arguments: [
            ("", []), ("  \t ", []), ("a", ["a"]), (" a  b\tc ", ["a", "b", "c"]),
            ("\"a b\" c", ["a b", "c"]), ("'a b' c", ["a b", "c"]), ("\"\" ''", ["", ""]),
            ("\"it's\" 'say \"x\"'", ["it's", "say \"x\""]), ("NAME=\"a b\"c", ["NAME=a bc"]),
            (#"a\sb \"q\" \\ \; \$"#, ["a b", "\"q\"", "\\", ";", "$"]),
            (#"\a\b\f\n\r\t\v"#, ["\u{7}\u{8}\u{c}\n\r\t\u{b}"]),
            (#"\x41 \101 \u00e4 \U0001f600 \xc3\xa4"#, ["A", "A", "ä", "😀", "ä"]),
            (#"'a\'b' "c\"d""#, ["a'b", "c\"d"]), ("50%% %%s", ["50%", "%s"]), ("grün 日本", ["grün", "日本"]),
            ("$HOME ; *", ["$HOME", ";", "*"]),
        ] as [(String, [String])])
    func splitsAsSystemdDoes(value: String, words: [String]) throws {
        #expect(try QuotedWords.split(value, Specifiers()) == words)
    }

    @Test(
        arguments: [
            ("\"a", "the quote \" is not closed"), ("'a b", "the quote ' is not closed"),
            ("a\\", "a backslash at the end of the value"), ("\\q", "unknown escape \\q"),
            ("\\x4", "\\x needs 2 hexadecimal digits"), ("\\x+1", "\\x needs 2 hexadecimal digits"),
            ("\\00", "\\0 needs 2 more octal digits"), ("\\x00", "\\x gives a NUL byte"),
            ("\\000", "\\0 gives a NUL byte"), ("\\ud800", "\\u with a number that is not a character"),
            ("\\xff", "the escapes give something that is not UTF-8"),
            ("%n", "%n is not known here; %h, %u, %t and %S are, and a percent sign is written %%"),
            ("5%", "% is not known here; %h, %u, %t and %S are, and a percent sign is written %%"),
            ("%h", "%h has no value here: todayd does not know HOME"),
        ])
    func saysWhatIsWrong(value: String, reason: String) {
        #expect(throws: WrongValue(reason)) { try QuotedWords.split(value, Specifiers()) }
    }

    @Test(
        arguments: [
            ("a|b $x", ["a|b", "$x"]), ("'|' \"$x\" \\; a\\$b", [" ", " ", " ", "a b"]), ("%%a %h", [" a", " "]),
            ("\"\" |", [" ", "|"]),
        ] as [(String, [String])])
    func whatIsQuotedIsToldFromWhatIsBare(value: String, bare: [String]) throws {
        let specifiers = Specifiers(isSystem: false, environment: ["HOME": "/h"], user: nil, home: nil)
        #expect(try QuotedWords.words(of: value, specifiers).map(\.bare) == bare)
    }
}
