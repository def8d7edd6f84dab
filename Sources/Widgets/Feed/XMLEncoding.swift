// SPDX-License-Identifier: MIT
import Glibc

/// The encoding of an XML document: that of its byte-order mark, or that of its declaration (XML 1.0, section 4.3.3), or UTF-8.
enum XMLEncoding {
    /// Those of pages on the web. The C library knows 250 more, and a server is not to choose among their decoders. A declaration
    /// that can be read is not in UTF-16, whatever it says.
    private static let known = [
        "iso-8859-", "latin1", "windows-125", "cp125", "koi8-", "shift_jis", "euc-jp", "euc-kr", "gb2312",
        "gbk", "gb18030", "big5", "macintosh",
    ]

    /// The document in UTF-8; as it is if the C library does not know its encoding.
    static func utf8(_ bytes: [UInt8]) -> [UInt8] {
        if bytes.starts(with: [0xef, 0xbb, 0xbf]) { return Array(bytes.dropFirst(3)) }
        // The converter reads the byte-order mark.
        let name =
            bytes.starts(with: [0xff, 0xfe]) || bytes.starts(with: [0xfe, 0xff]) ? "UTF-16" : declared(in: bytes)
        return name.flatMap { converted(bytes, from: $0) } ?? bytes
    }

    /// `ISO-8859-1` of `<?xml version="1.0" encoding="ISO-8859-1"?>`.
    private static func declared(in bytes: [UInt8]) -> String? {
        guard bytes.starts(with: "<?xml".utf8), let end = bytes.firstIndex(of: UInt8(ascii: ">")) else { return nil }
        let words = String(decoding: bytes[..<min(end, 200)], as: UTF8.self)
            .split { $0.isWhitespace || "=\"'?".contains($0) }
        guard let place = words.firstIndex(of: "encoding"), place + 1 < words.count else { return nil }
        let name = words[place + 1].lowercased()
        // To iconv_open(3), what follows a slash is no part of the name.
        return known.contains(where: name.hasPrefix) && !name.contains("/") ? name : nil
    }

    /// Nil for an unknown encoding; what is invalid in it becomes U+FFFD.
    private static func converted(_ bytes: [UInt8], from name: String) -> [UInt8]? {
        guard let converter = iconv_open("UTF-8", name), converter != iconv_t(bitPattern: -1) else { return nil }
        defer { iconv_close(converter) }
        var (result, input) = ([UInt8](), bytes)
        result.reserveCapacity(bytes.count * 2)
        var output = [CChar](repeating: 0, count: 16_384)
        // iconv(3) does not write to its input, which is not const by POSIX alone. Both pointers live for the call only.
        input.withUnsafeMutableBytes { input in
            var (rest, left) = (input.baseAddress?.assumingMemoryBound(to: CChar.self), input.count)
            while left > 0 {
                let (status, code, count) = output.withUnsafeMutableBufferPointer { output in
                    var (end, room) = (output.baseAddress, output.count)
                    let status = iconv(converter, &rest, &left, &end, &room)
                    return (status, errno, output.count - room)
                }
                result += output[..<count].map { UInt8(bitPattern: $0) }
                guard status == -1, code != E2BIG else { continue }
                // A byte that is no character, or the beginning of one that the document cuts off.
                result += [0xef, 0xbf, 0xbd]
                (rest, left) = (rest.map { $0 + 1 }, left - 1)
            }
        }
        return result
    }
}
