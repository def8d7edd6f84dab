// SPDX-License-Identifier: MIT
import Testing

@testable import Registry

@Suite struct UnitFileTests {
    private func file(_ bytes: [UInt8]) -> UnitFile {
        UnitFile(path: "f", bytes: bytes, sections: ["A", "B"])
    }

    /// `section.key[locale]=value@line` of each assignment, and then the complaints.
    private func summary(_ text: String) -> [String] {
        let file = file(Array(text.utf8))
        return file.assignments.map { assignment in
            let locale = assignment.locale.map { "[\($0)]" } ?? ""
            return "\(assignment.section).\(assignment.key)\(locale)=\(assignment.value)@\(assignment.line)"
        } + file.complaints.map(\.description)
    }

    @Test(
        arguments: [
            ("", []),
            ("[A]\nKey=value\n", ["A.Key=value@2"]),
            ("[A]\nKey=value", ["A.Key=value@2"]),
            ("[A]\r\nKey=value\r\n", ["A.Key=value@2"]),
            ("\u{feff}[A]\nKey=value", ["A.Key=value@2"]),
            ("  [A]  \n\tKey \t=\t two words  \n", ["A.Key=two words@2"]),
            ("[A]\n# one\n; two\n\n  # three\nKey=v # no comment\n", ["A.Key=v # no comment@6"]),
            ("[A]\nKey=\nKey==\nKey=a=b\n", ["A.Key=@2", "A.Key==@3", "A.Key=a=b@4"]),
            ("[A]\nKey=1\n[B]\nKey=2\n[A]\nKey=3", ["A.Key=1@2", "B.Key=2@4", "A.Key=3@6"]),
            ("[A]\nName[de_AT]=Wien\nName=x", ["A.Name[de_AT]=Wien@2", "A.Name=x@3"]),
            ("[A]\nKey=one \\\n  two\\\nthree\nNext=4", ["A.Key=one  two three@2", "A.Next=4@5"]),
            ("[A]\nKey=one\\\n# in between\n;and this\ntwo", ["A.Key=one two@2"]),
            ("[A]\nKey=one\\\n\nNext=2", ["A.Key=one@2", "A.Next=2@4"]),
            ("[A]\nKey=one\\\\\nNext=2", ["A.Key=one\\\\@2", "A.Next=2@3"]),
            ("[A]\nKey=one\\", ["A.Key=one@2"]),
            ("[X-Mine]\nKey=1\n[A]\nKey=2", ["A.Key=2@4"]),
            ("[C]\nKey=1", ["f:1: unknown section [C]; known are [A] [B]"]),
            ("Key=1\n[A]\nKey=2", ["A.Key=2@3", "f:1: an assignment before the first [Section]"]),
            (
                "[A\nKey=1",
                ["f:1: the section's name has no closing ]", "f:2: an assignment before the first [Section]"]
            ),
            ("[A]\nKey", ["f:2: neither a [Section] nor Key=Value"]),
        ] as [(String, [String])])
    func readsTheSyntaxOfSystemd(text: String, expected: [String]) {
        #expect(summary(text) == expected)
    }

    @Test(
        arguments: [
            ([0x5b, 0x41, 0x5d, 0x0a, 0xff], "f:2: is not UTF-8, at offset 4"),
            ([0xc3], "f:1: is not UTF-8, at offset 0"),
            ([0x61, 0x0a, 0x62, 0xe2, 0x82], "f:2: is not UTF-8, at offset 3"),
            ([0xc3, 0xa4, 0xc3, 0x28], "f:1: is not UTF-8, at offset 2"),
            ([0x61, 0xef, 0xbf, 0x41], "f:1: is not UTF-8, at offset 1"),
            ([0x61, 0x80], "f:1: is not UTF-8, at offset 1"),
            ([0x41, 0x0a, 0x0a, 0x00], "f:3: contains a NUL byte, at offset 3"),
        ] as [([UInt8], String)])
    func whatIsNoTextIsNotRead(bytes: [UInt8], complaint: String) {
        let file = file(bytes)
        #expect(file.assignments.isEmpty)
        #expect(file.complaints.map(\.description) == [complaint])
        #expect(file.complaints.allSatisfy { $0.severity == .error })
    }

    @Test func anyBytesAreReadWithoutCrash() {
        var random = SystemRandomNumberGenerator()
        let letters = Array("[]=\\#;\n\r \tAKey%\"'".utf8) + [0xc3, 0xa4, 0xff]
        for _ in 0..<2_000 {
            let bytes = (0..<Int.random(in: 0..<40, using: &random)).map { _ in letters.randomElement() ?? 0 }
            let file = file(bytes)
            #expect(file.assignments.allSatisfy { $0.line >= 1 && $0.line <= bytes.count + 1 })
        }
    }

    /// The columns of the key and of the value of each assignment, and of each complaint.
    @Test(
        arguments: [
            ("[A]\nKey=value", ["1 5"]), ("\u{feff}[A]\n  Key = value", ["3 9"]), ("[A]\nKey=", ["1 -"]),
            ("[A]\nName[de]=Öl\nName=x", ["1 10", "1 6"]), ("[A]\nÄ=x", ["1 3"]),
            ("[A]\n\tKey=one\\\n two", ["2 6"]), ("[A]\nKey=\\\n two", ["1 -"]), ("[A]\nKey \\\n= two", ["1 -"]),
            ("  [C]\n", ["3"]), (" Key=1\n", ["2"]), ("[A]\n  [B\n", ["3"]), ("[A]\n   x\n", ["4"]),
            ("[A]\nK=ä\0", ["4"]),
        ]
    )
    func columnsAreThoseOfTheFile(_ text: String, _ expected: [String]) {
        let file = file(Array(text.utf8))
        let columns = file.assignments.map { "\($0.column) \($0.valueColumn.map(String.init) ?? "-")" }
        #expect(columns + file.complaints.map { $0.column.map(String.init) ?? "-" } == expected)
    }
}
