// SPDX-License-Identifier: MIT

/// What a key means while no text is typed.
enum WatchAction: Hashable, CaseIterable {
    case next, previous, left, right, pageDown, pageUp, first, last
    case press, toggle, open, update, updateAll, hide, undo, moveDown, moveUp, editView, add, editWidget
    case filter, wholeCards, help, cancel, redraw, suspend, quit
}

/// The keys, in the order of the help page.
struct WatchKeys {
    let keys: [Key]
    let action: WatchAction
    /// The keys as people name them.
    let spelling: String
    let help: String

    /// What it concerns, as a heading of the help page.
    enum Group: String, CaseIterable {
        case move = "Move", widget = "The widget", view = "The view", screen = "The screen"
    }

    var group: Group {
        switch action {
        case .next, .previous, .left, .right, .pageDown, .pageUp, .first, .last: .move
        case .press, .toggle, .open, .update, .hide, .moveDown, .moveUp, .editWidget: .widget
        case .updateAll, .undo, .editView, .add, .filter, .wholeCards, .cancel: .view
        case .help, .redraw, .suspend, .quit: .screen
        }
    }

    init(_ keys: [Key], _ spelling: String, _ action: WatchAction, _ help: String) {
        self.keys = keys
        self.spelling = spelling
        self.action = action
        self.help = help
    }

    static let all: [WatchKeys] = [
        WatchKeys([.down, .text("j")], "Down, j", .next, "the next widget, or further down in a long one"),
        WatchKeys([.up, .text("k")], "Up, k", .previous, "the one before"),
        WatchKeys([.right], "Right", .right, "the column to the right"),
        WatchKeys([.left], "Left", .left, "the column to the left"),
        WatchKeys([.pageDown, .control("f")], "PgDn", .pageDown, "a screen down"),
        WatchKeys([.pageUp, .control("b")], "PgUp", .pageUp, "a screen up"),
        WatchKeys([.home, .text("g")], "Home, g", .first, "the first widget"),
        WatchKeys([.end, .text("G")], "End, G", .last, "the last one"),
        WatchKeys([.enter], "Enter", .press, "press what the widget offers; of several things or none, More or Less"),
        WatchKeys([.text(" "), .text("m")], "Space, m", .toggle, "More or Less of the widget"),
        WatchKeys([.text("o")], "o", .open, "open its link"),
        WatchKeys([.text("u")], "u", .update, "update the widget"),
        WatchKeys([.text("U")], "U", .updateAll, "update all widgets"),
        WatchKeys([.text("h")], "h", .hide, "hide the widget here until you show it again, and show a hidden one"),
        WatchKeys([.text("z")], "z", .undo, "undo hiding, showing or moving, for ten seconds"),
        WatchKeys([.text("J")], "J", .moveDown, "move it down in your order"),
        WatchKeys([.text("K")], "K", .moveUp, "move it up"),
        WatchKeys([.text("e")], "e", .editView, "edit the view: a row for each widget, including hidden ones"),
        WatchKeys([.text("+")], "+", .add, "add one of the installed widgets"),
        WatchKeys([.text("i")], "i", .editWidget, "Info or Done: edit the widget itself, or end that"),
        WatchKeys([.text("/")], "/", .filter, "only the widgets with some text: type it"),
        WatchKeys([.text("a")], "a", .wholeCards, "all lines that the widgets draw, or as many as they are offered"),
        WatchKeys([.escape], "Esc", .cancel, "end what was begun last: help, filter, editing, which is cancelled"),
        WatchKeys([.control("l")], "Ctrl-L", .redraw, "draw the screen again"),
        WatchKeys([.control("z")], "Ctrl-Z", .suspend, "suspend; fg continues"),
        WatchKeys([.text("?")], "?", .help, "these keys"),
        WatchKeys([.text("q"), .control("c")], "q, Ctrl-C", .quit, "quit"),
    ]

    /// Two more rows of the help page, for input other than single keys.
    static let others: [(spelling: String, help: String)] = [
        ("1 to 9", "press what has this number; the selected widget shows numbers if it offers several things"),
        ("Mouse", "left selects, and then presses; middle updates; right is More or Less; the wheel scrolls"),
    ]

    private static let actions: [Key: WatchAction] = all.reduce(into: [:]) { actions, entry in
        for key in entry.keys { actions[key] = entry.action }
    }

    static func action(of key: Key) -> WatchAction? { actions[key] }
}
