// SPDX-License-Identifier: MIT
import Platform
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
