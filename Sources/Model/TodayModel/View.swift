// SPDX-License-Identifier: MIT
import Spelling

/// A tree of views. Every host decides how to draw it.
package indirect enum View: Hashable, Sendable {
    case text(Text)
    case progress(Progress)
    case chart(Chart)
    case image(Image)
    case button(Button)
    case link(Link)
    case stack(Stack)
    case grid(Grid)
    case spacer
    case divider
    case item(Item)

    package struct Text: Hashable, Sendable {
        package enum Style: String, WireWord { case title, headline, body, caption, monospace }
        package enum Weight: String, WireWord { case regular, bold }
        package enum Alignment: String, WireWord { case leading, center, trailing }

        package var text: String
        package var style: Style = .body
        package var weight: Weight = .regular
        package var alignment: Alignment = .leading
        package var color: Color?
        /// The most lines; nil means no limit.
        package var lines: Int?

        package init(_ text: String) { self.text = text }
    }

    package struct Progress: Hashable, Sendable {
        /// 0 to 1.
        package var value: Double
        package var label: String?
        package var tint: Color?
        /// The colour of the rest of the bar.
        package var track: Color?
        /// The text in place of the percentage.
        package var text: String?

        package init(value: Double) { self.value = value }
    }

    package struct Chart: Hashable, Sendable {
        package var points: [Double]
        /// The date of each point; none, or as many as points.
        package var dates: [WallTime] = []
        /// The value of each point in words, such as a price with its currency; none, or as many as points.
        package var texts: [String] = []
        /// The name of a number, whose history supplies the points. The daemon fills them in before hosts get the content.
        package var history: String?
        /// The most values of the history, the newest; nil means all.
        package var last: Int?
        package var label: String?
        package var color: Color?
        /// The range of the vertical axis; nil means the range of the points.
        package var minimum: Double?
        package var maximum: Double?
        package var baseline: Double?
        /// The index of the point that is marked.
        package var mark: Int?

        package init(points: [Double]) { self.points = points }

        package init(history: String, last: Int? = nil) {
            points = []
            self.history = history
            self.last = last
        }
    }

    package struct Image: Hashable, Sendable {
        package enum Source: Hashable, Sendable {
            /// A name of the freedesktop Icon Naming Specification, or an emoji.
            case symbol(String)
            case png(PNG)
        }
        package var source: Source
        package var alternative: String?

        package init(_ source: Source) { self.source = source }
    }

    package struct Button: Hashable, Sendable {
        package var title: String
        /// The action that the widget gets (TODAY_ACTION) when the user presses the button.
        package var action: String

        package init(title: String, action: String) {
            self.title = title
            self.action = action
        }
    }

    package struct Link: Hashable, Sendable {
        package var title: String
        package var url: String

        package init(title: String, url: String) {
            self.title = title
            self.url = url
        }
    }

    package struct Stack: Hashable, Sendable {
        package enum Axis: String, WireWord { case horizontal = "hstack", vertical = "vstack" }
        package var axis: Axis
        package var children: [View]
        /// The action that the widget gets (TODAY_ACTION) when the user taps the area.
        package var action: String?
        /// The margins around the children.
        package var insets: Insets?

        package init(_ axis: Axis, _ children: [View]) {
            self.axis = axis
            self.children = children
        }
    }

    /// Children fill the rows from left to right. A column is as wide as its widest cell.
    package struct Grid: Hashable, Sendable {
        package var columns: Int
        package var children: [View]

        package init(columns: Int, _ children: [View]) {
            self.columns = columns
            self.children = children
        }
    }

    /// A line with details below it, as in a menu: an outline in a terminal, a submenu elsewhere.
    package struct Item: Hashable, Sendable {
        package var title: String
        package var color: Color?
        /// A name of the freedesktop Icon Naming Specification, or an emoji.
        package var symbol: String?
        /// A picture before the title, instead of the symbol in hosts that show pictures.
        package var picture: PNG?
        /// A short text at the end of the line.
        package var badge: String?
        package var tooltip: String?
        package var isChecked = false
        package var isDisabled = false
        /// Whether the item replaces the one before it while the user holds a key that asks for alternatives.
        package var isAlternate = false
        /// Whether it has a monospaced font, which columns of text need.
        package var isMonospaced = false
        package var action: String?
        package var url: String?
        package var command: Command?
        /// Whether the host requests an update after it has opened the URL and executed the command.
        package var updates = false
        package var children: [View]

        package init(title: String, children: [View] = []) {
            self.title = title
            self.children = children
        }
    }

    /// A program that a host executes as the user who asked. The daemon never executes it.
    package struct Command: Hashable, Sendable {
        package static let mostArguments = 64

        /// The program, and its arguments.
        package var arguments: [String]
        /// Whether the user wants to see the program in a terminal.
        package var isInTerminal: Bool

        package init(_ arguments: [String], isInTerminal: Bool = false) {
            self.arguments = arguments
            self.isInTerminal = isInTerminal
        }
    }
}

/// A colour by meaning, which suits dark and light hosts, or an exact colour.
package enum Color: Hashable, Sendable {
    package enum Meaning: String, CaseIterable, Sendable { case primary, secondary, accent, good, warning, critical }
    case meaning(Meaning)
    case rgb(red: UInt8, green: UInt8, blue: UInt8)

    /// `good` or `#42a1d3`.
    package init?(_ text: String) {
        if let meaning = Meaning(rawValue: text) {
            self = .meaning(meaning)
        } else if text.utf8.count == 7, text.hasPrefix("#"),
            text.dropFirst().allSatisfy({ $0.isHexDigit && $0.isASCII }),
            let value = UInt32(text.dropFirst(), radix: 16)
        {
            self = .rgb(
                red: UInt8(value >> 16), green: UInt8(value >> 8 & 0xff), blue: UInt8(value & 0xff))
        } else {
            return nil
        }
    }

    package var text: String {
        switch self {
        case .meaning(let meaning):
            return meaning.rawValue
        case .rgb(let red, let green, let blue):
            return "#" + [red, green, blue].map { $0.digits(2, radix: 16) }.joined()
        }
    }
}

extension Content {
    /// The actions of its buttons and items, each once. The daemon performs no other action of the widget.
    package var actions: [String] {
        var seen: Set<SpelledText> = []
        let clicks = takesClicks ? Click.all.map(\.action) : []
        let all = clicks + (compact?.actions ?? []) + (expanded?.actions ?? [])
        return all.filter { seen.insert(SpelledText($0)).inserted }
    }
}

extension View {
    package var children: [View] {
        switch self {
        case .stack(let stack): stack.children
        case .grid(let grid): grid.children
        case .item(let item): item.children
        case .text, .progress, .chart, .image, .button, .link, .spacer, .divider: []
        }
    }

    /// The view with another one in place of each child.
    func mapChildren(_ other: (View) -> View) -> View {
        switch self {
        case .stack(var stack):
            stack.children = stack.children.map(other)
            return .stack(stack)
        case .grid(var grid):
            grid.children = grid.children.map(other)
            return .grid(grid)
        case .item(var item):
            item.children = item.children.map(other)
            return .item(item)
        case .text, .progress, .chart, .image, .button, .link, .spacer, .divider: return self
        }
    }

    fileprivate var actions: [String] {
        let own: String? =
            switch self {
            case .button(let button): button.action
            case .item(let item): item.action
            case .stack(let stack): stack.action
            default: nil
            }
        return (own.map { [$0] } ?? []) + children.flatMap(\.actions)
    }
}
