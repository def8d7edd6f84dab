// SPDX-License-Identifier: MIT
import TodayModel

/// Colours as bars and web pages write them: the names of CSS Color Module Level 4, `#` with 3, 4, 6 or 8 digits, and Pango's
/// `#rrrrggggbbbb`. Hosts have no transparent text, so the opacity in 4 or 8 digits is dropped.
enum CSSColor {
    /// Longer than the longest name.
    private static let mostBytes = 32

    static func color(_ text: String) -> Color? {
        // The value may be as long as the whole output.
        guard text.utf8.count <= mostBytes else { return nil }
        return text.hasPrefix("#")
            ? hexadecimal(text.utf8.dropFirst()) : byName[text.lowercased()].map(Color.init(hexadecimal:))
    }

    private static func hexadecimal(_ text: Substring.UTF8View) -> Color? {
        var digits: [UInt8] = []
        for byte in text {
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

    private static let byName: [String: UInt32] = {
        var colors: [String: UInt32] = [:]
        for pair in names.split(whereSeparator: \.isWhitespace) {
            let parts = pair.split(separator: "=")
            if let name = parts.first, let value = parts.last.flatMap({ UInt32($0, radix: 16) }) {
                colors[String(name)] = value
            }
        }
        return colors
    }()

    /// How many names there are, with both spellings of gray.
    static var count: Int { byName.count }

    // swift-format-ignore
    private static let names = """
        aliceblue=f0f8ff antiquewhite=faebd7 aqua=00ffff aquamarine=7fffd4 azure=f0ffff beige=f5f5dc bisque=ffe4c4
        black=000000 blanchedalmond=ffebcd blue=0000ff blueviolet=8a2be2 brown=a52a2a burlywood=deb887 cadetblue=5f9ea0
        chartreuse=7fff00 chocolate=d2691e coral=ff7f50 cornflowerblue=6495ed cornsilk=fff8dc crimson=dc143c cyan=00ffff
        darkblue=00008b darkcyan=008b8b darkgoldenrod=b8860b darkgray=a9a9a9 darkgreen=006400 darkgrey=a9a9a9
        darkkhaki=bdb76b darkmagenta=8b008b darkolivegreen=556b2f darkorange=ff8c00 darkorchid=9932cc darkred=8b0000
        darksalmon=e9967a darkseagreen=8fbc8f darkslateblue=483d8b darkslategray=2f4f4f darkslategrey=2f4f4f
        darkturquoise=00ced1 darkviolet=9400d3 deeppink=ff1493 deepskyblue=00bfff dimgray=696969 dimgrey=696969
        dodgerblue=1e90ff firebrick=b22222 floralwhite=fffaf0 forestgreen=228b22 fuchsia=ff00ff gainsboro=dcdcdc
        ghostwhite=f8f8ff gold=ffd700 goldenrod=daa520 gray=808080 green=008000 greenyellow=adff2f grey=808080
        honeydew=f0fff0 hotpink=ff69b4 indianred=cd5c5c indigo=4b0082 ivory=fffff0 khaki=f0e68c lavender=e6e6fa
        lavenderblush=fff0f5 lawngreen=7cfc00 lemonchiffon=fffacd lightblue=add8e6 lightcoral=f08080 lightcyan=e0ffff
        lightgoldenrodyellow=fafad2 lightgray=d3d3d3 lightgreen=90ee90 lightgrey=d3d3d3 lightpink=ffb6c1
        lightsalmon=ffa07a lightseagreen=20b2aa lightskyblue=87cefa lightslategray=778899 lightslategrey=778899
        lightsteelblue=b0c4de lightyellow=ffffe0 lime=00ff00 limegreen=32cd32 linen=faf0e6 magenta=ff00ff maroon=800000
        mediumaquamarine=66cdaa mediumblue=0000cd mediumorchid=ba55d3 mediumpurple=9370db mediumseagreen=3cb371
        mediumslateblue=7b68ee mediumspringgreen=00fa9a mediumturquoise=48d1cc mediumvioletred=c71585
        midnightblue=191970 mintcream=f5fffa mistyrose=ffe4e1 moccasin=ffe4b5 navajowhite=ffdead navy=000080
        oldlace=fdf5e6 olive=808000 olivedrab=6b8e23 orange=ffa500 orangered=ff4500 orchid=da70d6 palegoldenrod=eee8aa
        palegreen=98fb98 paleturquoise=afeeee palevioletred=db7093 papayawhip=ffefd5 peachpuff=ffdab9 peru=cd853f
        pink=ffc0cb plum=dda0dd powderblue=b0e0e6 purple=800080 rebeccapurple=663399 red=ff0000 rosybrown=bc8f8f
        royalblue=4169e1 saddlebrown=8b4513 salmon=fa8072 sandybrown=f4a460 seagreen=2e8b57 seashell=fff5ee
        sienna=a0522d silver=c0c0c0 skyblue=87ceeb slateblue=6a5acd slategray=708090 slategrey=708090 snow=fffafa
        springgreen=00ff7f steelblue=4682b4 tan=d2b48c teal=008080 thistle=d8bfd8 tomato=ff6347 turquoise=40e0d0
        violet=ee82ee wheat=f5deb3 white=ffffff whitesmoke=f5f5f5 yellow=ffff00 yellowgreen=9acd32
        """
}

extension Color {
    /// 0xff8700, of which only the last 24 bits count.
    init(hexadecimal value: UInt32) {
        self = .rgb(
            red: UInt8(value >> 16 & 0xff), green: UInt8(value >> 8 & 0xff), blue: UInt8(value & 0xff))
    }
}
