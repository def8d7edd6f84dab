// SPDX-License-Identifier: MIT

/// What came of an update.
public enum NCUpdateResult: UInt, Sendable {
    /// There is new content: the body is drawn, and hosts show it.
    case newData
    /// What is shown still holds.
    case noData
    /// It could not be done: what is shown stays, and is marked as old in time. Throw an error to say why.
    case failed
}

/// How much of a widget is shown.
public enum NCWidgetDisplayMode: Int, Sendable, CaseIterable {
    /// A few lines, always the same number.
    case compact
    /// As many as the widget needs, up to a maximum.
    case expanded
}
