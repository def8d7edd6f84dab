// SPDX-License-Identifier: MIT
import Glibc

/// A page of docs/man.
public struct ManualPage {
    /// The options that it names, in their long form, also those of other programs.
    public let options: Set<String>

    /// - Parameter name: the name of its file, such as `todayd.8`.
    public init(_ name: String) throws {
        let root = "\(#filePath)".split(separator: "/").dropLast(3).map { "/\($0)" }.joined()
        guard let file = fopen("\(root)/docs/man/\(name)", "r") else { throw Missing(name: name) }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = fread(&bytes, 1, bytes.count, file)
        // Without the fonts of roff, and without the backslash before each hyphen.
        let plain = String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\\fR").joined(separator: " ")
        let names = plain.split(separator: "\\").joined().split(separator: "--").dropFirst()
        options = Set(names.map { String($0.prefix { $0.isLetter || $0 == "-" }) })
    }

    /// There is no such page.
    public struct Missing: Error { let name: String }
}
