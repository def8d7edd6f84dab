// SPDX-License-Identifier: MIT

/// What prices are in, by its code: three to five letters, as `usd`. Whether the API knows it, the API says.
package struct Currency: Hashable, Sendable {
    /// In small letters, as it goes into a URL.
    package let code: String

    package static let usd = Currency(known: "usd")

    private init(known code: String) { self.code = code }

    /// Nil for what is no code. ASCII letters only: nothing of it can change the URL that it becomes a part of.
    package init?(_ text: String) {
        let bytes = text.utf8.map { $0 | 0x20 }
        guard (3...5).contains(bytes.count), text.utf8.allSatisfy({ $0 < 0x80 }),
            bytes.allSatisfy({ (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) })
        else { return nil }
        code = String(decoding: bytes, as: UTF8.self)
    }

    /// `USD`, for people.
    package var name: String { code.uppercased() }
}
