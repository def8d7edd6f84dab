// SPDX-License-Identifier: MIT
import TodayModel

/// Colours as bars write them: `#rgb`, `#rgba`, `#rrggbb`, `#rrggbbaa`, and Pango's `#rrrrggggbbbb`. Transparency is left
/// out.
enum HexColor {
    static func color(_ text: String) -> Color? {
        let bytes = Array(text.utf8.prefix(14))
        guard bytes.first == UInt8(ascii: "#") else { return nil }
        var digits: [UInt8] = []
        for byte in bytes.dropFirst() {
            guard let digit = digit(byte) else { return nil }
            digits.append(digit)
        }
        let width: Int
        switch digits.count {
        case 3, 4: width = 1
        case 6, 8: width = 2
        case 12: width = 4
        default: return nil
        }
        let parts = (0..<3).map { (place: Int) -> UInt8 in
            if width == 1 { return digits[place] * 17 }
            let high = digits[place * width] * 16
            return high + digits[place * width + 1]
        }
        return .rgb(red: parts[0], green: parts[1], blue: parts[2])
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
