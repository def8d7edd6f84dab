// SPDX-License-Identifier: MIT

/// A place that hosts widgets. The raw value is its name in the protocol, `name` its name in manifests and commands.
package enum ExtensionPoint: String, WireWord, Hashable {
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

/// How much of a widget a host shows: a fixed few lines, or as many as the widget needs up to a maximum.
package enum DisplayMode: String, WireWord, Comparable {
    case compact
    case expanded

    package static func < (left: DisplayMode, right: DisplayMode) -> Bool { left == .compact && right == .expanded }

    /// The room in this mode unless todayd.conf sets another.
    package var maximumSize: Size { DisplaySizes.standard[self] }
}

/// The room that hosts offer widgets in each display mode, as todayd.conf sets it.
package struct DisplaySizes: Hashable, Sendable {
    package static let standard = DisplaySizes()
    package static let columnRange = 20...500
    package static let rowRange = 1...200

    package var columns = 60
    package var compactRows = 4
    package var expandedRows = 16

    package init() {}

    /// The room in a mode. The expanded mode offers at least the room of the compact one.
    package subscript(mode: DisplayMode) -> Size {
        Size(columns: columns, rows: mode == .compact ? compactRows : max(compactRows, expandedRows))
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
