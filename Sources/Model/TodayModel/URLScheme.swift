// SPDX-License-Identifier: MIT

/// The beginning of a URL, which says who opens it: RFC 3986, 3.1.
package enum URLScheme {
    package static let longestURL = 4_096

    /// In small letters; nil when the text is no URL at all.
    package static func of(_ url: String) -> String? {
        let bytes = url.utf8
        guard bytes.count <= longestURL, PlainText.complaint(about: url, allowingLines: false) == nil,
            !bytes.contains(UInt8(ascii: " ")), let colon = bytes.firstIndex(of: UInt8(ascii: ":"))
        else { return nil }
        let scheme = bytes[..<colon]
        let isScheme = scheme.enumerated().allSatisfy { index, byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
                index > 0
            default: false
            }
        }
        return isScheme && !scheme.isEmpty ? String(decoding: scheme, as: UTF8.self).lowercased() : nil
    }
}
