// SPDX-License-Identifier: MIT

import JSON
import Rendering
import TodayModel

/// What a click on a widget in a bar does.
enum ClickDeed: String, CaseIterable {
    /// Presses or opens the only target of the widget. If there are several, it shows them as a menu.
    case press
    /// Shows all targets of the widget in a window to choose from.
    case menu
    case update
    /// Expands or collapses the widget.
    case toggle
    /// Another summary of the widget.
    case next, previous
    case none

    /// The usual meanings in hosts of widgets: the primary button presses, the middle one updates, the secondary one expands,
    /// and the wheel turns pages.
    init(standardFor button: Int) {
        switch button {
        case 1: self = .press
        case 2: self = .update
        case 3: self = .toggle
        case 4: self = .previous
        case 5: self = .next
        default: self = .none
        }
    }
}

/// The mouse buttons by name, and what each does. A program that takes clicks itself gets those of the buttons that the user
/// has given no other meaning.
struct ClickChoices: Equatable {
    static let buttons = ["left": 1, "middle": 2, "right": 3, "up": 4, "down": 5]

    static let names = buttons.sorted { $0.value < $1.value }.map(\.key) + Click.buttons.map(String.init)
    static let standard = ClickChoices()

    private var chosen: [Int: ClickDeed] = [:]

    private init() {}

    /// - Parameter words: `BUTTON=DEED`, of which the last one counts.
    /// - Throws: what is wrong with a word, as a phrase that follows it.
    init(_ words: [String]) throws(Mistake) {
        for word in words {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2, let button = Self.button(parts[0]) else {
                throw Mistake(
                    reason: "'\(word)' is not BUTTON=DEED: the buttons are left, middle, right, up, down, 1 to 9")
            }
            guard let deed = ClickDeed(rawValue: parts[1]) else {
                let deeds = ClickDeed.allCases.map(\.rawValue).joined(separator: ", ")
                throw Mistake(reason: "'\(word)': there is no '\(parts[1])', but \(deeds)")
            }
            chosen[button] = deed
        }
    }

    struct Mistake: Error, Equatable {
        let reason: String
    }

    static func button(_ word: String) -> Int? { buttons[word] ?? Int(word).flatMap { Click(button: $0)?.button } }

    /// What the user has chosen for a button.
    func chosenDeed(for button: Int) -> ClickDeed? { chosen[button] }

    /// What a click does; nil if the program is told about it.
    func deed(for button: Int, of item: Item) -> ClickDeed? {
        if let deed = chosen[button] { return deed }
        if button == 1, let deed = item.face.click.flatMap({ ClickDeed(rawValue: $0) }) { return deed }
        return item.content?.takesClicks == true ? nil : ClickDeed(standardFor: button)
    }

    /// The choices as words, for another program.
    var words: [String] { chosen.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value.rawValue)" } }
}

/// What is done with one widget because of a click.
enum ClickEffect: Equatable {
    case action(String)
    case touch(Numbering.Target)
    case update
    case mode(DisplayMode)
    case menu
    case page(PageTurn)
    case nothing

    /// - Parameter deed: nil tells the program about the click.
    init(_ deed: ClickDeed?, button: Int, of item: Item) {
        switch deed {
        case nil: self = Click(button: button).map { .action($0.action) } ?? .nothing
        case .press?: self = Self.press(item)
        case .menu?: self = .menu
        case .update?: self = .update
        case .toggle?: self = Self.toggled(item)
        case .next?: self = .page(PageTurn(item.id, isForward: true))
        case .previous?: self = .page(PageTurn(item.id, isForward: false))
        case ClickDeed.none?: self = .nothing
        }
    }

    /// A click on one word in a bar cannot tell which of several buttons is meant. The targets of the present mode count, or
    /// otherwise those of the other one.
    private static func press(_ item: Item) -> ClickEffect {
        func targets(_ mode: DisplayMode) -> [Numbering.Target] {
            item.content.map { Numbering($0, mode: mode).targets } ?? []
        }
        let present = targets(item.mode)
        let targets = present.isEmpty ? targets(item.largestMode) : present
        guard let first = targets.first else { return toggled(item) }
        return targets.allSatisfy { $0.hasSameEffect(as: first) } ? .touch(first) : .menu
    }

    /// What replaces a menu if no program is installed that shows one.
    static func toggled(_ item: Item) -> ClickEffect {
        switch item.mode {
        case .expanded: .mode(.compact)
        case .compact: item.largestMode == .expanded ? .mode(.expanded) : .nothing
        }
    }
}

/// Reads the clicks that i3bar and swaybar write: an array without an end, with one object on a line for each click (the i3bar
/// protocol, swaybar-protocol(7)). A line that is not a click is skipped.
struct ClickStream {
    struct Received: Equatable {
        let widget: WidgetID
        let button: Int
    }

    /// The most bytes of a line.
    static let mostBytes = 16 << 10

    /// The line that has begun.
    private var line: [UInt8] = []

    /// The clicks whose lines end in these bytes.
    mutating func read(_ bytes: some Sequence<UInt8>) -> [Received] {
        var clicks: [Received] = []
        for byte in bytes {
            if byte != UInt8(ascii: "\n") {
                if line.count <= Self.mostBytes { line.append(byte) }
                continue
            }
            if line.count <= Self.mostBytes, let click = Self.click(line[...]) { clicks.append(click) }
            line.removeAll(keepingCapacity: true)
        }
        return clicks
    }

    /// swaybar writes the comma between two clicks before the second one, i3bar after the first one.
    private static func click(_ line: ArraySlice<UInt8>) -> Received? {
        guard let start = line.firstIndex(of: UInt8(ascii: "{")), let end = line.lastIndex(of: UInt8(ascii: "}")),
            start < end, let json = try? JSON.parse(line[start...end], maxDepth: 8, maxValues: 100),
            let button = json["button"]?.intValue, let instance = json["instance"]?.stringValue,
            json["name"]?.stringValue == "todayd", let widget = WidgetID(instance)
        else { return nil }
        return Received(widget: widget, button: Int(clamping: button))
    }
}
