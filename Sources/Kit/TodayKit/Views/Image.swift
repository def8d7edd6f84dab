// SPDX-License-Identifier: MIT
import TodayModel

/// A picture: a symbol that every host draws in its own style, or a PNG file.
public struct Image: View {
    let source: TodayModel.View.Image.Source
    let label: String?

    /// Makes a symbol.
    ///
    /// - Parameters:
    ///   - symbol: a name of the freedesktop.org icon naming specification, such as `weather-clear`, or an emoji.
    ///   - label: the text for hosts that cannot show the symbol.
    public init(symbol: String, label: String? = nil) {
        source = .symbol(symbol)
        self.label = label
    }

    /// Makes a picture from the bytes of a PNG file, 192 KiB at most.
    ///
    /// - Parameters:
    ///   - png: the bytes of the file.
    ///   - label: the text for hosts that cannot show pictures, such as a terminal.
    public init(png: some Sequence<UInt8>, label: String? = nil) {
        source = .png(.data(Base64.encode(Array(png))))
        self.label = label
    }
}

extension Image: PrimitiveView {
    package func lower(_ inherited: Inherited) -> [TodayModel.View] {
        var image = TodayModel.View.Image(source)
        image.alternative = label
        return [.image(image)]
    }
}

/// Encodes bytes as text: RFC 4648, section 4.
enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(0) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - group.count))
            for place in 0..<4 {
                let sixth = Int(bits >> UInt32(18 - 6 * place) & 0x3f)
                text.append(place <= group.count ? alphabet[sixth] : UInt8(ascii: "="))
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
