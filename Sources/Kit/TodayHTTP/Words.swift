// SPDX-License-Identifier: MIT

/// Numbers and foreign text as the messages of this module say them.
enum Words {
    /// `1 MiB`, `64 KiB`, `1500 bytes`: exact, as limits are compared with them.
    static func size(_ bytes: Int) -> String {
        if bytes >= 1 << 20, bytes % (1 << 20) == 0 { return "\(bytes >> 20) MiB" }
        if bytes >= 1 << 10, bytes % (1 << 10) == 0 { return "\(bytes >> 10) KiB" }
        return bytes == 1 ? "1 byte" : "\(bytes) bytes"
    }

    /// `10 s`, `300 ms`, `1.5 s`.
    static func time(_ duration: Duration) -> String {
        let milliseconds = duration.milliseconds
        guard milliseconds >= 1000 else { return "\(milliseconds) ms" }
        var fraction = String(1000 + milliseconds % 1000).dropFirst()
        while fraction.last == "0" { fraction.removeLast() }
        return "\(milliseconds / 1000)\(fraction.isEmpty ? "" : ".\(fraction)") s"
    }

    /// A URL without its query and without a user's name and password, which are secrets, and at most 120 bytes of it: it may
    /// have come from a server. Byte by byte, as characters of hostile text may be endless.
    static func url(_ text: String) -> String {
        let bytes = Array(text.utf8)
        let end = bytes.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? bytes.count
        let host = bytes[..<end].firstRange(of: "://".utf8)?.upperBound ?? 0
        let path = bytes[host..<end].firstIndex(of: UInt8(ascii: "/")) ?? end
        guard let at = bytes[host..<path].lastIndex(of: UInt8(ascii: "@")) else {
            return printable(bytes[..<end], limit: 120)
        }
        return printable(bytes[..<host] + bytes[(at + 1)..<end], limit: 120)
    }

    /// Visible ASCII and single spaces in place of everything else.
    static func printable(_ bytes: some Collection<UInt8>, limit: Int) -> String {
        var kept: [UInt8] = []
        for byte in bytes {
            guard kept.count < limit else { return String(decoding: kept, as: UTF8.self) + "…" }
            let isVisible = byte > 0x20 && byte < 0x7f
            if isVisible || kept.last != 0x20 { kept.append(isVisible ? byte : 0x20) }
        }
        return String(decoding: kept, as: UTF8.self)
    }
}

extension Duration {
    /// Rounded up, so that what waits for it does not wake up a little early; within what libcurl and poll(2) take.
    var milliseconds: Int {
        let (seconds, attoseconds) = components
        guard seconds < 1_000_000 else { return 1_000_000_000 }
        guard seconds > -1_000_000 else { return -1_000_000_000 }
        return Int(seconds) * 1000
            + Int((attoseconds + (attoseconds > 0 ? 999_999_999_999_999 : 0)) / 1_000_000_000_000_000)
    }

    /// Rounded up.
    var wholeSeconds: Int { Int(components.seconds) + (components.attoseconds > 0 ? 1 : 0) }
}
