// SPDX-License-Identifier: MIT
import TodayModel

/// How a widget stands: what is declared, what the user wants and what its runs gave, weighed into one state.
struct Standing: Equatable {
    enum Declaration: Equatable {
        case valid, invalid, unsupported, masked
    }
    var declaration: Declaration
    var choices: Choices
    /// todayd.conf's EnableNewWidgets=, which counts while the user has not decided.
    var enabledByDefault = true
    var content: Content?
    var failure: String?

    var state: WidgetState {
        switch declaration {
        case .masked: return .masked
        case .invalid: return .invalid
        case .unsupported: return .unsupported
        case .valid: break
        }
        if !isEnabled { return .disabled }
        if !choices.hasContent { return .hidden }
        // A failing widget stays visible even where its last good content was empty: nobody should wonder where it is.
        if failure != nil { return .failing }
        guard let content else { return .waiting }
        return content.isEmpty ? .empty : .ready
    }

    var isEnabled: Bool { choices.enabled ?? enabledByDefault }

    /// Why the widget must not be launched, in words; nil when it may run.
    var obstacle: String? {
        switch declaration {
        case .masked: "masked"
        case .invalid: "its manifest is invalid"
        case .unsupported: "not supported by this version"
        case .valid where !isEnabled: "disabled"
        case .valid where !choices.hasContent: "hidden: its has-content flag is false"
        case .valid: nil
        }
    }
}
