// SPDX-License-Identifier: MIT

import Link
import Rendering
import TodayModel

/// What a key or the mouse does to a widget: a call to todayd, or a program.
enum WatchDeed: Hashable {
    /// Presses a button or an area.
    case press(WidgetID, action: String)
    case open(WidgetID, url: String)
    /// Executes the command of the item that the word means.
    case perform(WidgetID, String)
    /// The same for a command that wants a terminal: it gets this one.
    case performHere(WidgetID, String)
    /// nil: all widgets.
    case update(WidgetID?)
    case mode(WidgetID, DisplayMode)
    case edit(WidgetID, EditStep)
    /// Hides a widget in a place.
    case hide(WidgetID, ExtensionPoint)
    /// Shows a widget again that a choice hides.
    case show(WidgetID, by: Cure)
    case move(WidgetID, place: Place, other: WidgetID)

    enum Place: String {
        case before, after
    }

    /// The call to todayd; nil for a command, which another todayctl executes.
    ///
    /// - Parameter isLocked: whether the view is that of a locker.
    func call(isLocked: Bool = false) -> ServiceCall? {
        switch self {
        case .press(let id, let action): .pressing(action, of: id.text).whileLocked(isLocked)
        case .open(let id, let url): .opening(url, of: id.text).whileLocked(isLocked)
        case .perform, .performHere: nil
        case .update(let id): .updating(id?.text)
        case .mode(let id, let mode): .setting(mode, of: id.text)
        case .edit(let id, let step): .editing(id.text, step)
        case .hide(let id, let point): .enabling(id.text, false, at: point)
        case .show(let id, let cure): .curing(id.text, by: cure)
        case .move(let id, let place, let other): .moving(id.text, place.rawValue, other.text)
        }
    }

    /// The words after `todayctl` and its options, if that is started.
    func words(isLocked: Bool = false) -> [String] {
        switch self {
        case .perform(let id, let word), .performHere(let id, let word):
            ["perform"] + (isLocked ? ["--locked"] : []) + ["--", id.text, word]
        case .press, .open, .update, .mode, .edit, .hide, .show, .move: []
        }
    }

    /// The widget that it concerns; nil means all.
    var widget: WidgetID? {
        switch self {
        case .press(let id, _), .open(let id, _), .perform(let id, _), .performHere(let id, _), .mode(let id, _),
            .edit(let id, _), .hide(let id, _), .show(let id, _), .move(let id, _, _):
            id
        case .update(let id): id
        }
    }

    /// How long it may take: an update may wait for other runs.
    var patience: TimeSpan? { if case .update = self { .minutes(5) } else { nil } }

    /// Whether only its errors matter, because the screen shows the rest.
    var isQuiet: Bool {
        switch self {
        case .press, .perform, .update: false
        case .performHere, .open, .mode, .edit, .hide, .show, .move: true
        }
    }

    /// What takes it back.
    var undo: WatchDeed? {
        switch self {
        case .hide(let id, let point): .show(id, by: Cure(showingAt: point))
        case .show(let id, let cure): cure.place.map { .hide(id, $0) }
        case .move(let id, let place, let other): .move(id, place: place == .after ? .before : .after, other: other)
        case .press, .perform, .performHere, .open, .update, .mode, .edit: nil
        }
    }

    var isMove: Bool { if case .move = self { true } else { false } }

    /// The words while it is done. A display mode and a move are done before they could be read.
    var progress: String? {
        switch self {
        case .press(let id, _), .perform(let id, _), .performHere(let id, _): "pressing in \(id)"
        case .open(_, let url): "opening \(url)"
        case .update(let id): id.map { "updating \($0)" } ?? "updating all widgets"
        case .edit(let id, let step): step == .begin ? "beginning to edit \(id)" : "ending the editing of \(id)"
        case .mode, .hide, .show, .move: nil
        }
    }

    /// The words afterwards, if nothing was said and the screen shows nothing.
    var result: String? {
        switch self {
        case .open(_, let url): "opened \(url)"
        case .hide(let id, _): "\(id) is hidden here: z brings it back"
        case .show(let id, _): "\(id) is shown again"
        case .press, .perform, .performHere, .update, .mode, .edit, .move: nil
        }
    }
}

/// What the loop has to do for the state.
enum WatchEffect: Hashable {
    case start(WatchDeed)
    /// Lets the user add a widget.
    case add
    case redraw, suspend, quit

    /// Whether a command gets the terminal.
    var lendsTerminal: Bool {
        switch self {
        case .start(.performHere), .add: true
        case .start, .redraw, .suspend, .quit: false
        }
    }
}
