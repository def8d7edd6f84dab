// SPDX-License-Identifier: MIT
import Files

/// A page of docs/man.
public struct ManualPage {
    /// The options that it names, in their long form, also those of other programs.
    public let options: Set<String>

    /// - Parameter name: the name of its file, such as `todayd.8`.
    public init(_ name: String) throws {
        let root = "\(#filePath)".split(separator: "/").dropLast(3).map { "/\($0)" }.joined()
        guard case .bytes(let bytes) = FileContents(at: "\(root)/docs/man/\(name)", limit: 1 << 20) else {
            throw Missing(name: name)
        }
        // Without the fonts of roff, and without the backslash before each hyphen.
        let plain = String(decoding: bytes, as: UTF8.self).split(separator: "\\fR").joined(separator: " ")
        let names = plain.split(separator: "\\").joined().split(separator: "--").dropFirst()
        options = Set(names.map { String($0.prefix { $0.isLetter || $0 == "-" }) })
    }

    /// There is no such page.
    public struct Missing: Error { let name: String }
}
