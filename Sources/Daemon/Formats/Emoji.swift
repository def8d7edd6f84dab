// SPDX-License-Identifier: MIT
import Spelling

/// Replaces `:mushroom:` by 🍄.
enum Emoji {
    /// Each emoji of the table is followed by its names. contrib/emoji-table makes it.
    static let table = String(decoding: PackageResources.emoji_txt, as: UTF8.self)

    private static let byName: [String: String] = {
        var names: [String: String] = [:]
        var emoji = ""
        for word in table.split(whereSeparator: \.isWhitespace) {
            // A keycap begins with an ASCII digit, but is not ASCII as a whole.
            if word.utf8.allSatisfy({ $0 < 0x80 }) { names[String(word)] = emoji } else { emoji = String(word) }
        }
        return names
    }()

    static func named(_ name: String) -> String? { byName[name] ?? byName[name.lowercased()] }

    /// The text with its names replaced; unknown names stay.
    static func replacingNames(in text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: ":")) else { return text }
        var result: [UInt8] = []
        var name: [UInt8]?
        for byte in text.utf8 {
            if byte == UInt8(ascii: ":") {
                if let known = name.flatMap({ named(String(decoding: $0, as: UTF8.self)) }) {
                    result += known.utf8
                    name = nil
                } else {
                    // The colon that ends a word that is not a name may begin a name.
                    flush(&name, into: &result)
                    name = []
                }
            } else if name != nil, isPartOfName(byte) {
                name?.append(byte)
            } else {
                flush(&name, into: &result)
                result.append(byte)
            }
        }
        flush(&name, into: &result)
        return String(decoding: result, as: UTF8.self)
    }

    /// The text since the last colon is not a name.
    private static func flush(_ name: inout [UInt8]?, into result: inout [UInt8]) {
        guard let text = name else { return }
        result.append(UInt8(ascii: ":"))
        result += text
        name = nil
    }

    private static func isPartOfName(_ byte: UInt8) -> Bool {
        byte.isAlphanumeric || "_+-".utf8.contains(byte)
    }
}
