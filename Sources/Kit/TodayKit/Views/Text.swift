// SPDX-License-Identifier: MIT
import TodayModel

/// Text, in several lines if it has line feeds. Plain text only: no markup and no terminal escape sequences.
public struct Text: View {
    let text: String

    /// Makes a text of a string.
    public init(_ text: some StringProtocol) { self.text = String(text) }
}

/// What a text is to the reader. How large that is, or how bold, is the host's affair and the user's text size.
public enum Font: Hashable, Sendable {
    /// The one thing to see.
    case title
    /// The first line of several.
    case headline
    /// Anything.
    case body
    /// A small note.
    case caption
    /// Columns that are aligned by spaces.
    case monospace

    /// How strong text is.
    public enum Weight: Hashable, Sendable {
        /// As the font is.
        case regular
        /// Stronger.
        case bold
    }
}

/// Where the lines of a text begin.
public enum TextAlignment: Hashable, Sendable {
    /// At the left.
    case leading
    /// In the middle.
    case center
    /// At the right.
    case trailing
}

extension Text: PrimitiveView {
    package func lower(_ inherited: Inherited) -> [TodayModel.View] {
        var text = TodayModel.View.Text(text)
        text.style = inherited.font.model
        text.weight = inherited.weight == .bold ? .bold : .regular
        text.alignment = inherited.alignment.model
        text.color = inherited.color?.model
        text.lines = inherited.lineLimit
        return [.text(text)]
    }
}

extension Font {
    fileprivate var model: TodayModel.View.Text.Style {
        switch self {
        case .title: .title
        case .headline: .headline
        case .body: .body
        case .caption: .caption
        case .monospace: .monospace
        }
    }
}

extension TextAlignment {
    fileprivate var model: TodayModel.View.Text.Alignment {
        switch self {
        case .leading: .leading
        case .center: .center
        case .trailing: .trailing
        }
    }
}

/// A colour. One with a meaning fits dark and light hosts, as vibrancy does on iOS: each host takes it from its own theme.
/// An exact one is shown as it is, so it must be readable on both.
public struct Color: Hashable, Sendable {
    let model: TodayModel.Color

    /// The colour of text.
    public static let primary = Color(model: .meaning(.primary))
    /// Text that matters less: a label, a unit, an explanation.
    public static let secondary = Color(model: .meaning(.secondary))
    /// What stands out or can be touched.
    public static let accent = Color(model: .meaning(.accent))
    /// All is well; a price has risen.
    public static let good = Color(model: .meaning(.good))
    /// Look at it when you have time.
    public static let warning = Color(model: .meaning(.warning))
    /// Look at it now.
    public static let critical = Color(model: .meaning(.critical))

    /// An exact colour.
    ///
    /// - Parameters:
    ///   - red: 0 to 1, as on iOS. What is beyond counts as the nearer end.
    ///   - green: 0 to 1.
    ///   - blue: 0 to 1.
    public init(red: Double, green: Double, blue: Double) {
        model = .rgb(red: Self.byte(red), green: Self.byte(green), blue: Self.byte(blue))
    }

    init(model: TodayModel.Color) { self.model = model }

    private static func byte(_ part: Double) -> UInt8 {
        part.isNaN ? 0 : UInt8((min(max(part, 0), 1) * 255).rounded())
    }
}
