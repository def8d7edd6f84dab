// SPDX-License-Identifier: MIT

/// A text that a client has to show.
package struct Secret: Sendable, Equatable {
    package let text: String
    private let bytes: [UInt8]

    package init(_ text: String) {
        self.text = text
        bytes = Array(text.utf8)
    }

    /// 128 bits of the kernel's random numbers.
    package static func random() -> Secret {
        var numbers = SystemRandomNumberGenerator()
        return Secret(
            (0..<2).map { _ in
                let digits = String(numbers.next(), radix: 16)
                return String(repeating: "0", count: 16 - digits.count) + digits
            }.joined())
    }

    /// Takes a time that depends on the given text's length alone, so that it tells nothing of the secret.
    package func isShown(by given: String) -> Bool {
        guard !bytes.isEmpty else { return false }
        let given = Array(given.utf8)
        var difference = UInt(bitPattern: given.count ^ bytes.count)
        for index in given.indices { difference |= UInt(given[index] ^ bytes[index % bytes.count]) }
        return difference == 0
    }
}

/// The text of a token file, which a person has made.
package struct TokenText {
    package struct Fault: Error, Equatable {
        package let reason: String
    }

    package static let longest = 256
    static let bits = 128

    /// - Parameter bytes: the file; spaces and line ends around the token are not part of it.
    package static func secret(_ bytes: [UInt8]) throws(Fault) -> Secret {
        let text = Array(bytes.drop(while: isSpace).reversed().drop(while: isSpace).reversed())
        guard text.count <= longest else { throw Fault(reason: "is longer than \(longest) characters") }
        guard text.allSatisfy(isPlain) else {
            throw Fault(reason: "has other characters than letters, digits and - . _ ~")
        }
        // A person's word repeated is long, and no secret.
        guard text.count * tenths(text) >= bits * 10, Set(text).count >= 8 else {
            throw Fault(reason: "has less than \(bits) bits; 'openssl rand -hex 32' makes a token")
        }
        return Secret(String(decoding: text, as: UTF8.self))
    }

    private static func isSpace(_ byte: UInt8) -> Bool { " \t\r\n".utf8.contains(byte) }

    /// What stands in a header, a cookie and a query as it is.
    private static func isPlain(_ byte: UInt8) -> Bool { isLetter(byte) || isDigit(byte) || "-._~".utf8.contains(byte) }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    /// Tenths of a bit that a character has at most: the logarithm of how many there are of its kind.
    private static func tenths(_ text: [UInt8]) -> Int {
        if text.allSatisfy(isDigit) { return 33 }
        if text.allSatisfy({ isDigit($0) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0 | 0x20) }) { return 40 }
        let letters = text.filter(isLetter)
        let isOneCase = letters.allSatisfy { $0 & 0x20 != 0 } || letters.allSatisfy { $0 & 0x20 == 0 }
        return isOneCase ? 51 : 59
    }
}
