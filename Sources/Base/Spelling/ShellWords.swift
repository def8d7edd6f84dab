// SPDX-License-Identifier: MIT

/// Words as a shell reads them.
package enum ShellWords {
    package static func text(of words: [String]) -> String {
        words.map { word in
            let isPlain = !word.isEmpty && word.utf8.allSatisfy(Self.isPlain)
            return isPlain ? word : quoted(word)
        }.joined(separator: " ")
    }

    /// One word in single quotes.
    package static func quoted(_ word: String) -> String {
        "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...:
            true
        default: "_./-+@%:,=".utf8.contains(byte)
        }
    }
}
