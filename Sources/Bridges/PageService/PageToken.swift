// SPDX-License-Identifier: MIT

/// What a page shows with a change, so that only pages of this process can ask for one.
enum PageToken {
    /// 128 bits of the kernel's random numbers.
    static func random() -> String {
        var numbers = SystemRandomNumberGenerator()
        return (0..<2).map { _ in
            let digits = String(numbers.next(), radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }
}
