// SPDX-License-Identifier: MIT

import JSON

/// The standing of a widget: its state, what keeps it from running, why nothing of it is shown, and what shows it again. All of
/// it follows from its manifest, the choices of the user and of its app, its content, and its last run.
package struct Standing: Hashable, Sendable {
    package enum Validity: Hashable, Sendable {
        case valid
        /// Why its manifest does not let it run.
        case invalid(String?)
        case masked(String?)
    }

    package var validity: Validity
    package var choices: Choices
    /// Whether a widget is enabled while the user has not decided: a new one by EnableNewWidgets= of todayd.conf.
    package var enabledByDefault: Bool
    /// Whether the widget has no program, so that clients push its content (Protocol=push).
    package var isPushed = false
    package var shown: Layers.Shown?
    /// Whether a client pushed content that has expired.
    package var pushHasExpired = false
    package var points: [ExtensionPoint] = [.today]
    /// Why its last update has failed.
    package var failure: String?

    package init(_ validity: Validity, _ choices: Choices, enabledByDefault: Bool) {
        self.validity = validity
        self.choices = choices
        self.enabledByDefault = enabledByDefault
    }

    private var isEnabled: Bool { choices.enabled ?? enabledByDefault }

    package var state: WidgetState {
        if case .masked = validity { return .masked }
        // This comes before invalid: a user who disables a broken widget wants it out of the view.
        if choices.enabled == false { return .disabled }
        if case .invalid = validity { return .invalid }
        if !isEnabled { return .disabled }
        if !choices.hasContent { return .hidden }
        // A failing widget stays visible even if its last content was empty, so that it does not vanish without a
        // reason.
        if failure != nil, !isPushed { return .failing }
        // A widget with `Protocol=push` waits for nothing that the daemon starts.
        guard let shown else { return isPushed ? .empty : .waiting }
        if shown.source == .placeholder { return .waiting }
        return shown.content.isEmpty ? .empty : .ready
    }

    /// Why the choice of the user or of a client keeps a widget with a valid manifest from running; nil when it may run.
    package var obstacle: String? {
        if !isEnabled { return "disabled" }
        return choices.hasContent ? nil : "hidden: its has-content flag is false"
    }

    /// Why nothing of the widget is shown; nil if something is, and for a failing widget, whose last run says why.
    package var reason: String? {
        switch state {
        case .masked, .invalid:
            switch validity {
            case .valid: return nil
            case .invalid(let reason), .masked(let reason): return reason
            }
        case .disabled:
            let reason =
                choices.enabled == nil
                ? "new widgets are disabled, by EnableNewWidgets=no in todayd.conf" : "the user has disabled it"
            return choices.hasContent ? reason : reason + ", and its has-content flag is false"
        case .hidden: return "its has-content flag is false"
        case .empty:
            guard let shown else {
                return pushHasExpired ? "what was pushed has expired" : "nothing has been pushed to it"
            }
            let speaker = shown.source == .pushed ? "what was pushed" : "its last answer"
            return "\(speaker) says that there is nothing to show"
        case .waiting where shown?.content.isEmpty ?? true: return "it has not answered yet"
        case .waiting, .failing, .ready:
            guard choices.places(of: points).isEmpty else { return nil }
            return isForLockScreenAlone
                ? "it is for the lock screen alone, and the user has not allowed it there"
                : "the user has hidden it everywhere"
        }
    }

    private var isForLockScreenAlone: Bool { points == [.lockScreen] }

    /// The choice that shows the widget, if another choice hides it.
    package var cure: Cure? {
        switch state {
        case .disabled: .enable
        case .hidden: .setHasContent
        case .ready, .failing:
            choices.places(of: points).isEmpty ? isForLockScreenAlone ? .showOnLockScreen : .showInToday : nil
        case .waiting, .empty, .invalid, .masked: nil
        }
    }
}

/// What shows a widget that a choice hides: a call of the protocol, and a command of todayctl that makes it.
package enum Cure: String, WireWord {
    case enable
    case setHasContent = "set_has_content"
    case showInToday = "show_in_today"
    case showOnLockScreen = "show_on_lock_screen"
    case showInStatusBars = "show_in_status_bars"

    package init(showingAt point: ExtensionPoint) {
        switch point {
        case .today: self = .showInToday
        case .lockScreen: self = .showOnLockScreen
        case .statusBar: self = .showInStatusBars
        }
    }

    /// The place in which it shows the widget; nil for cures of a widget that is hidden everywhere.
    package var place: ExtensionPoint? {
        switch self {
        case .enable, .setHasContent: nil
        case .showInToday: .today
        case .showOnLockScreen: .lockScreen
        case .showInStatusBars: .statusBar
        }
    }

    /// The method of org.todayd.Today, and its parameters.
    package func call(for id: String) -> (method: String, parameters: JSONObject) {
        switch self {
        case .enable: ("Enable", ["id": .string(id)])
        case .setHasContent: ("SetHasContent", ["id": .string(id), "hasContent": true])
        case .showInToday, .showOnLockScreen, .showInStatusBars:
            ("Enable", ["id": .string(id), "point": .string((place ?? .today).rawValue)])
        }
    }

    /// The words after `todayctl`.
    package func command(for id: String) -> [String] {
        switch self {
        case .enable: ["enable", id]
        case .setHasContent: ["set-has-content", id, "true"]
        case .showInToday, .showOnLockScreen, .showInStatusBars:
            ["enable", "--on", (place ?? .today).name, id]
        }
    }

    /// What it does, after the command.
    package var effect: String {
        switch self {
        case .enable: "enables it"
        case .setHasContent, .showInToday, .showOnLockScreen, .showInStatusBars: "shows it"
        }
    }
}

/// The state of a widget in org.todayd.Today.
package enum WidgetState: String, WireWord {
    case waiting, ready, failing, empty, hidden, disabled, invalid, masked

    /// Whether a view includes a widget in this state. It includes an invalid widget, so that its author sees the
    /// complaint.
    package var isVisible: Bool {
        switch self {
        case .waiting, .ready, .failing, .invalid: true
        case .empty, .hidden, .disabled, .masked: false
        }
    }

    /// Whether todayd runs a widget in this state.
    package var runs: Bool {
        switch self {
        case .waiting, .ready, .failing, .empty: true
        case .hidden, .disabled, .invalid, .masked: false
        }
    }

    /// Whether the user or the widget's app has chosen this state, so that a host offers to end it.
    package var isChosen: Bool { self == .hidden || self == .disabled }

    /// Whether something is wrong with the widget.
    package var isTrouble: Bool { self == .failing || self == .invalid }
}
