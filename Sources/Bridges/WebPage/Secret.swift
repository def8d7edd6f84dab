// SPDX-License-Identifier: MIT
import Spelling

/// A text that a client has to know.
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
        return Secret((0..<2).map { _ in numbers.next().digits(16, radix: 16) }.joined())
    }

    /// The time depends only on the length of the given text, so it reveals nothing about the secret.
    package func isShown(by given: String) -> Bool {
        guard !bytes.isEmpty else { return false }
        let given = Array(given.utf8)
        var difference = UInt(bitPattern: given.count ^ bytes.count)
        for index in given.indices { difference |= UInt(given[index] ^ bytes[index % bytes.count]) }
        return difference == 0
    }
}

/// The text of a token file that a person has written.
package struct TokenText {
    package struct Fault: Error, Equatable {
        package let reason: String
    }

    package static let longest = 256
    static let bits = 128

    /// - Parameter bytes: the file; spaces and line ends around the token are not part of it.
    package static func secret(_ bytes: [UInt8]) throws(Fault) -> Secret {
        let text = Array(bytes.trimming(\.isSpace))
        guard text.count <= longest else { throw Fault(reason: "is longer than \(longest) characters") }
        guard text.allSatisfy(isPlain) else {
            throw Fault(reason: "has other characters than letters, digits and - . _ ~")
        }
        // A word repeated is long, but easy to guess.
        guard text.count * tenths(text) >= bits * 10, Set(text).count >= 8 else {
            throw Fault(reason: "has less than \(bits) bits; 'openssl rand -hex 32' makes a token")
        }
        return Secret(String(decoding: text, as: UTF8.self))
    }

    /// A character that needs no escaping in a header, a cookie and a query.
    private static func isPlain(_ byte: UInt8) -> Bool { byte.isAlphanumeric || "-._~".utf8.contains(byte) }

    /// The most that one character can contribute, in tenths of a bit: the logarithm of the number of characters of its kind.
    private static func tenths(_ text: [UInt8]) -> Int {
        if text.allSatisfy(\.isDigit) { return 33 }
        if text.allSatisfy({ $0.isDigit || 0x61...0x66 ~= $0 | 0x20 }) { return 40 }
        let letters = text.filter(\.isLetter)
        let isOneCase = letters.allSatisfy { $0 & 0x20 != 0 } || letters.allSatisfy { $0 & 0x20 == 0 }
        return isOneCase ? 51 : 59
    }
}

/// How many wrong tokens a client may try: ten at once, and then one every six seconds. Repeating a token is not a new attempt.
/// The right token always passes: 128 bits are not found by trying, and all clients of a proxy share its address.
package struct TokenAttempts: Sendable {
    package enum Judgement: Equatable, Sendable {
        case right, wrong
        case tooOften
    }

    private struct Client {
        var tried: [String] = []
        /// When all its attempts are available again.
        var free: Int64 = 0
    }

    private static let most: Int64 = 10
    private static let interval: Int64 = 6_000_000
    static let mostClients = 256

    private var clients: [[UInt8]: Client] = [:]

    package init() {}

    var count: Int { clients.count }

    /// - Parameters:
    ///   - holder: whose attempt it is.
    ///   - now: microseconds of a clock that only goes on.
    package mutating func judge(
        _ given: String, _ token: Secret, from holder: [UInt8], at now: Int64
    ) -> Judgement {
        if token.isShown(by: given) { return .right }
        // No token is this long, and tried ones are stored.
        if given.isEmpty || given.utf8.count > TokenText.longest { return .wrong }
        var client = clients[holder] ?? Client()
        if client.tried.contains(given) { return .wrong }
        client.free = max(client.free, now)
        if client.free > now + Self.interval * (Self.most - 1) { return .tooOften }
        client.free += Self.interval
        client.tried.append(given)
        if client.tried.count > Self.most { client.tried.removeFirst() }
        clients[holder] = client
        makeRoom()
        return .wrong
    }

    /// The holders whose last attempt is the oldest go first.
    private mutating func makeRoom() {
        guard clients.count > Self.mostClients else { return }
        if let least = clients.min(by: { $0.value.free < $1.value.free }) { clients[least.key] = nil }
    }
}
