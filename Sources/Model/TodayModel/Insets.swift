// SPDX-License-Identifier: MIT
import JSON

/// Room to leave free around what is drawn, in rows and columns of a terminal.
package struct Insets: Hashable, Sendable {
    /// More of it would be the widget's whole room.
    package static let range = 0...16

    package var top: Int
    package var left: Int
    package var bottom: Int
    package var right: Int

    package init(top: Int = 0, left: Int = 0, bottom: Int = 0, right: Int = 0) {
        self.top = top
        self.left = left
        self.bottom = bottom
        self.right = right
    }

    package var isZero: Bool { self == Insets() }
}

extension Insets {
    private static let keys = ["top", "left", "bottom", "right"]

    init(_ field: JSONField) throws(JSONMismatch) {
        self.init()
        try field.noOtherKeys(than: Self.keys)
        top = try field.optional("top")?.int(in: Self.range) ?? 0
        left = try field.optional("left")?.int(in: Self.range) ?? 0
        bottom = try field.optional("bottom")?.int(in: Self.range) ?? 0
        right = try field.optional("right")?.int(in: Self.range) ?? 0
    }

    /// Sides without any room are left out.
    var json: JSON {
        var object = JSONObject()
        for (key, value) in zip(Self.keys, [top, left, bottom, right]) where value != 0 {
            object[key] = JSON(value)
        }
        return .object(object)
    }
}
