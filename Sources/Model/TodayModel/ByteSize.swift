// SPDX-License-Identifier: MIT

/// A number of bytes, written as systemd writes sizes: `64M`, `1G`, `1048576`; the suffixes are powers of 1024.
package struct ByteSize: Hashable, Sendable, Comparable {
    package let bytes: UInt64

    package init(bytes: UInt64) { self.bytes = bytes }

    package init?(_ text: String) {
        let number = text.prefix { $0.isASCII && $0.isNumber }
        guard let value = UInt64(number) else { return nil }
        let factor: UInt64
        switch text.dropFirst(number.count) {
        case "", "B": factor = 1
        case "K": factor = 1 << 10
        case "M": factor = 1 << 20
        case "G": factor = 1 << 30
        case "T": factor = 1 << 40
        default: return nil
        }
        let (product, overflow) = value.multipliedReportingOverflow(by: factor)
        guard !overflow, product <= UInt64(Int64.max) else { return nil }
        bytes = product
    }

    /// The shortest exact form: `64M`, `1536K`, `1000`.
    package var text: String {
        for (shift, suffix) in [(40, "T"), (30, "G"), (20, "M"), (10, "K")] where bytes != 0 {
            if bytes & ((1 << UInt64(shift)) - 1) == 0 { return "\(bytes >> UInt64(shift))\(suffix)" }
        }
        return "\(bytes)"
    }

    package static func < (left: ByteSize, right: ByteSize) -> Bool { left.bytes < right.bytes }
}
