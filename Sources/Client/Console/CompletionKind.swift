// SPDX-License-Identifier: MIT

import Arguments

/// What a shell asks todayctl for, to complete a word.
package enum CompletionKind: String, CaseIterable {
    /// All widgets.
    case widgets
    /// The widgets that can be edited now.
    case editable
    /// The widgets that show a button, a link or an item.
    case pressable
    /// The actions of the widget that the previous word names.
    case actions
    /// Of that widget: the settings that are set, its secrets, and `NAME=VALUE` for the others.
    case settings, secrets, assignments
    /// What may be added, and the settings of what the previous word names.
    case offers, offeredAssignments = "offered-assignments"
    /// The values that the widget has now, the histories of its numbers, and its pictures.
    case facts

    package var completion: ValueCompletion { .answers(of: "todayctl complete \(rawValue)") }
}
