// SPDX-License-Identifier: MIT
import Spelling
import TodayModel

/// The parameters of a line: the union of all dialects.
struct MenuAttributes {
    var href: String?
    var shell: String?
    private var numbered: [Int: String] = [:]
    var isInTerminal: Bool
    var refreshes = false
    var isInMenu = true
    var trims = true
    var emojizes = true
    var readsANSI: Bool
    var symbolizes: Bool
    var readsMarkup: Bool
    var readsEscapes = true
    var readsMarkdown = false
    var isAlternate = false
    var isDisabled = false
    var isChecked = false
    var isMonospaced = false
    var length: Int?
    var color: Color?
    var symbol: String?
    var hasImage = false
    /// A PNG file in base64, as the plugin prints it.
    var image: String?
    var tooltip: String?
    var badge: String?

    /// The defaults of a dialect.
    init(_ dialect: MenuFormat.Dialect) {
        isInTerminal = dialect != .xbar
        readsANSI = dialect != .swiftbar
        symbolizes = dialect == .swiftbar
        readsMarkup = dialect == .argos
    }

    init(
        _ pairs: [MenuParameters.Pair], of dialect: MenuFormat.Dialect, noting note: (String) -> Void
    ) {
        self.init(dialect)
        for pair in pairs {
            let isArgument = pair.key.hasPrefix("param") && dialect != .argos
            // A script that prints `color=$color` without a value means the default.
            if isArgument || !pair.value.isEmpty {
                set(pair, of: dialect, noting: note)
            } else if pair.key == "bash" || pair.key == "shell" {
                note("\(pair.key)= names no program")
            }
        }
    }

    /// The values of `param1=` and the others, in the order of their numbers.
    var arguments: [String] { numbered.sorted { $0.key < $1.key }.map(\.value) }

    private mutating func set(
        _ pair: MenuParameters.Pair, of dialect: MenuFormat.Dialect, noting note: (String) -> Void
    ) {
        let value = pair.value
        switch pair.key {
        case "href": href = value
        case "shell", "bash": shell = value
        case "terminal": set(\.isInTerminal, pair, note)
        case "refresh": set(\.refreshes, pair, note)
        case "dropdown": set(\.isInMenu, pair, note)
        case "trim": set(\.trims, pair, note)
        case "emojize": set(\.emojizes, pair, note)
        case "ansi": set(\.readsANSI, pair, note)
        case "symbolize": set(\.symbolizes, pair, note)
        case "usemarkup": set(\.readsMarkup, pair, note)
        case "unescape": set(\.readsEscapes, pair, note)
        case "md": set(\.readsMarkdown, pair, note)
        case "alternate": set(\.isAlternate, pair, note)
        case "disabled": set(\.isDisabled, pair, note)
        case "checked": set(\.isChecked, pair, note)
        case "length": setLength(value, note)
        case "color": setColor(value, note)
        case "font": isMonospaced = Self.isMonospaced(value)
        case "sfimage":
            hasImage = true
            symbol = MenuSymbols.emoji(String(value.prefix { $0 != "," })) ?? symbol
        case "iconname":
            hasImage = true
            let name = LenientText.line(value, upTo: ContentLimits.symbolBytes)
            if !name.isEmpty { symbol = name }
        case "image", "templateimage":
            hasImage = true
            image = value
        // todayd does not load it from the network.
        case "imageurl": hasImage = true
        case "tooltip": tooltip = LenientText.line(value)
        case "badge": badge = LenientText.line(value, upTo: ContentLimits.summaryBytes)
        case "eval", "stdin": note("\(pair.key)= is not supported")
        default:
            if pair.key.hasPrefix("param") {
                setArgument(pair, of: dialect, note)
            } else if !Self.looks.contains(pair.key), !pair.key.hasPrefix("sfcolor") {
                note("unknown key \(pair.key)=")
            }
        }
    }

    /// Known keys that concern how a certain host draws the line, or which keys press it.
    private static let looks: Set = [
        "size", "key", "shortcut", "fold", "webview", "webvieww", "webviewh", "zoom", "onclick", "imagewidth",
        "imageheight", "width", "height", "valign", "sfsize", "sfconfig", "sfvalue",
    ]

    /// Parts of the names of monospaced fonts on macOS and Linux.
    private static func isMonospaced(_ font: String) -> Bool {
        let name = font.lowercased()
        return ["mono", "menlo", "monaco", "courier", "consol", "code", "hack", "andale", "terminal", "fixed"]
            .contains(where: name.includes)
    }

    private mutating func set(
        _ field: WritableKeyPath<Self, Bool>, _ pair: MenuParameters.Pair, _ note: (String) -> Void
    ) {
        switch pair.value.lowercased() {
        case "1", "t", "true", "yes": self[keyPath: field] = true
        case "0", "f", "false", "no": self[keyPath: field] = false
        default: note("\(pair.key)=\(pair.value.prefix(64)) is neither true nor false")
        }
    }

    private mutating func setLength(_ value: String, _ note: (String) -> Void) {
        guard let number = Int(value), number >= 0 else { return note("length=\(value.prefix(64)) is not a number") }
        length = number == 0 ? nil : number
    }

    /// SwiftBar accepts pairs of colours, for light and dark menus.
    private mutating func setColor(_ value: String, _ note: (String) -> Void) {
        let first = value.prefix { $0 != "," }
        if let color = CSSColor.color(String(first)) {
            self.color = color
        } else {
            note("color=\(first.prefix(64)) is not a colour")
        }
    }

    /// `param1` is the first argument; SwiftBar has a `param0` before it.
    private mutating func setArgument(
        _ pair: MenuParameters.Pair, of dialect: MenuFormat.Dialect, _ note: (String) -> Void
    ) {
        let digits = pair.key.dropFirst("param".count)
        guard digits.utf8.areDigits, let number = Int(digits),
            number > 0 || dialect == .swiftbar
        else {
            return note("\(pair.key)= is not an argument; the first is param1=")
        }
        numbered[number] = pair.value
    }
}
