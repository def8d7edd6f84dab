// SPDX-License-Identifier: MIT

/// The beginning of a URL, which says who opens it: RFC 3986, 3.1.
package enum URLScheme {
    package static let longestURL = 4_096
    /// What these URLs hold is run by what opens them, so that they are the business of no widget.
    package static let programs = ["data", "javascript", "vbscript"]

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

    /// Why a URL must not be opened for a widget, which declares these schemes; nil when it may be.
    package static func objection(to url: String, from id: WidgetID, declaring schemes: [String]) -> String? {
        guard let scheme = of(url) else { return "it is no URL of at most \(longestURL) bytes" }
        guard !programs.contains(scheme) else { return "a URL with the scheme \(scheme) is a program" }
        guard !schemes.contains(scheme) else { return nil }
        let declared = schemes.isEmpty ? "there is none" : schemes.joined(separator: " ")
        return "\(id) does not declare the scheme \(scheme): URLSchemes= in its manifest (\(declared))"
    }
}
