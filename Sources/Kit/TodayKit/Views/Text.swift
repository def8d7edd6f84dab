// SPDX-License-Identifier: MIT
import TodayModel

/// Plain text, without markup or terminal escape sequences. A line feed begins a new line.
public struct Text: View {
    let text: String

    /// Makes a text of a string.
    public init(_ text: some StringProtocol) { self.text = String(text) }

    /// Why todayd would refuse a line of text, such as one that a user has typed: *contains a terminal escape sequence*. Nil
    /// if it may be shown.
    public static func complaint(aboutLine text: some StringProtocol) -> String? {
        PlainText.complaint(about: String(text), allowingLines: false)
    }

    /// Text from outside, such as a title in a feed, as a line that todayd accepts: without escape sequences and control
    /// characters, and with spaces in place of line ends.
    ///
    /// - Parameters:
    ///   - text: any text.
    ///   - bytes: where a longer text is cut; an ellipsis follows.
    public static func line(of text: some StringProtocol, upTo bytes: Int = 300) -> String {
        PlainText.line(String(text), upTo: bytes)
    }
}

/// The role of a text. The host chooses size and weight for each role, and the user sets the text size.
public enum Font: Hashable, Sendable {
    /// The most important text of the widget.
    case title
    /// The first line of several.
    case headline
    /// Usual text.
    case body
    /// A small note.
    case caption
    /// Text in columns that spaces align.
    case monospace

    /// The weight of a text.
    public enum Weight: Hashable, Sendable {
        /// The weight of the font.
        case regular
        /// Bold.
        case bold
    }
}

/// The alignment of the lines of a text.
public enum TextAlignment: Hashable, Sendable {
    /// To the left.
    case leading
    /// To the middle.
    case center
    /// To the right.
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

/// A colour. A named colour has a meaning, and each host takes it from its own theme, dark or light. Hosts show an exact
/// colour unchanged, so it must be readable on both.
public struct Color: Hashable, Sendable {
    let model: TodayModel.Color

    /// The colour of usual text.
    public static let primary = Color(model: .meaning(.primary))
    /// The colour of less important text: a label, a unit, an explanation.
    public static let secondary = Color(model: .meaning(.secondary))
    /// The colour of important parts, and of those that can be pressed.
    public static let accent = Color(model: .meaning(.accent))
    /// The colour of a good state, such as a risen price.
    public static let good = Color(model: .meaning(.good))
    /// The colour of a state that the user should look at soon.
    public static let warning = Color(model: .meaning(.warning))
    /// The colour of a state that the user should look at now.
    public static let critical = Color(model: .meaning(.critical))

    /// Makes an exact colour. A part below 0 counts as 0, one above 1 as 1.
    ///
    /// - Parameters:
    ///   - red: the red part, 0 to 1, as on iOS.
    ///   - green: the green part, 0 to 1.
    ///   - blue: the blue part, 0 to 1.
    public init(red: Double, green: Double, blue: Double) {
        model = .rgb(red: Self.byte(red), green: Self.byte(green), blue: Self.byte(blue))
    }

    init(model: TodayModel.Color) { self.model = model }

    private static func byte(_ part: Double) -> UInt8 {
        part.isNaN ? 0 : UInt8((min(max(part, 0), 1) * 255).rounded())
    }
}
