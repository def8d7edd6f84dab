// SPDX-License-Identifier: MIT

import Rendering
import TodayModel

/// What a key or the mouse does to a widget: a command of todayctl.
enum WatchDeed: Hashable {
    /// Presses or opens what a word means, or executes its command.
    case perform(WidgetID, String)
    /// The same, where the command wants a terminal: it gets this one.
    case performHere(WidgetID, String)
    case open(WidgetID, url: String)
    /// nil: all widgets.
    case update(WidgetID?)
    case mode(WidgetID, DisplayMode)
    case edit(WidgetID, EditStep)
    case disable(WidgetID)
    /// Shows a widget again that a choice hides.
    case show(WidgetID, by: Cure)
    case move(WidgetID, place: Place, other: WidgetID)

    enum Place: String {
        case before, after
    }

    var words: [String] { words(isLocked: false) }

    /// The words after `todayctl` and its options.
    ///
    /// - Parameter isLocked: whether the view is that of a locker.
    func words(isLocked: Bool) -> [String] {
        let locked = isLocked ? ["--locked"] : []
        return switch self {
        case .perform(let id, let word), .performHere(let id, let word): ["perform"] + locked + ["--", id.text, word]
        case .open(let id, let url): ["open"] + locked + ["--", id.text, url]
        case .update(let id): ["update"] + (id.map { ["--", $0.text] } ?? [])
        case .mode(let id, let mode): [mode == .expanded ? "expand" : "collapse", "--", id.text]
        case .edit(let id, let step): ["edit"] + (step == .begin ? [] : ["--\(step.rawValue)"]) + ["--", id.text]
        case .disable(let id): ["disable", "--", id.text]
        case .show(let id, let cure): cure.command(for: id.text)
        case .move(let id, let place, let other): ["move", "--", id.text, place.rawValue, other.text]
        }
    }

    /// Whether only errors are wanted of it: it prints what the screen shows anyway.
    var isQuiet: Bool {
        switch self {
        case .perform, .update: false
        case .performHere, .open, .mode, .edit, .disable, .show, .move: true
        }
    }

    var isMove: Bool { if case .move = self { true } else { false } }

    /// While it is done. A display mode and a move are done before anyone could read that.
    var progress: String? {
        switch self {
        case .perform(let id, _), .performHere(let id, _): "pressing in \(id)"
        case .open(_, let url): "opening \(url)"
        case .update(let id): id.map { "updating \($0)" } ?? "updating all widgets"
        case .edit(let id, let step): step == .begin ? "beginning to edit \(id)" : "ending the editing of \(id)"
        case .mode, .disable, .show, .move: nil
        }
    }

    /// After it is done, where todayctl has said nothing and the screen shows nothing.
    var result: String? {
        switch self {
        case .open(_, let url): "opened \(url)"
        case .disable(let id): "\(id) is hidden: e shows hidden widgets, and h shows one again"
        case .show(let id, _): "\(id) is shown again"
        case .perform, .performHere, .update, .mode, .edit, .move: nil
        }
    }
}

/// What the loop does for the state.
enum WatchEffect: Hashable {
    case start(WatchDeed)
    case redraw, suspend, quit

    /// Whether a command gets the terminal.
    var lendsTerminal: Bool { if case .start(.performHere) = self { true } else { false } }
}
