// SPDX-License-Identifier: MIT

/// A place that hosts widgets. The raw value is the protocol's word, `name` the one in manifests and commands.
package enum ExtensionPoint: String, CaseIterable, Sendable, Hashable {
    case today
    case lockScreen = "lock_screen"
    case statusBar = "status_bar"

    package var name: String {
        switch self {
        case .today: "today"
        case .lockScreen: "lock-screen"
        case .statusBar: "status-bar"
        }
    }

    package init?(name: String) {
        guard let point = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = point
    }
}

/// How much of a widget a host shows: a fixed few lines, or as many as it needs up to a maximum.
package enum DisplayMode: String, CaseIterable, Sendable, Comparable {
    case compact
    case expanded

    package static func < (left: DisplayMode, right: DisplayMode) -> Bool { left == .compact && right == .expanded }

    /// The size which is offered to a widget in this mode, in terminal columns and rows (docs/content.md).
    package var maximumSize: Size {
        switch self {
        case .compact: Size(columns: 60, rows: 4)
        case .expanded: Size(columns: 60, rows: 16)
        }
    }
}

/// A size in character cells.
package struct Size: Hashable, Sendable {
    package let columns: Int
    package let rows: Int

    package init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
    }
}
