// SPDX-License-Identifier: MIT

import JSON
import TodayModel

/// Reads the clicks that i3bar and swaybar write: an array without an end, of one object for each click (the i3bar protocol,
/// swaybar-protocol(7)). What is no such object is skipped.
struct ClickStream {
    struct Click: Equatable {
        let widget: WidgetID
        let button: Int
    }

    /// The most bytes of one click.
    static let mostBytes = 16 << 10

    /// The object that has begun, and what is open in it.
    private var object: [UInt8] = []
    private var depth = 0
    private var isInString = false
    private var isEscaped = false

    /// The clicks that end in these bytes.
    mutating func read(_ bytes: some Sequence<UInt8>) -> [Click] {
        var clicks: [Click] = []
        for byte in bytes where isPart(byte) {
            if object.count < Self.mostBytes { object.append(byte) }
            guard depth == 0 else { continue }
            if let click = Self.click(object) { clicks.append(click) }
            object.removeAll(keepingCapacity: true)
        }
        return clicks
    }

    /// Whether a byte belongs to an object; `depth` is 0 after the last one. A line feed ends a string that is not closed, so
    /// that one broken click does not swallow all that follow.
    private mutating func isPart(_ byte: UInt8) -> Bool {
        if isInString {
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isInString = false
            } else if byte == UInt8(ascii: "\n") {
                (isInString, depth, object) = (false, 0, [])
                return false
            }
            return true
        }
        switch byte {
        case UInt8(ascii: "{"): depth += 1
        case UInt8(ascii: "}") where depth > 0: depth -= 1
        case UInt8(ascii: "\"") where depth > 0: isInString = true
        default: return depth > 0
        }
        return true
    }

    private static func click(_ object: [UInt8]) -> Click? {
        guard object.count < mostBytes, let json = try? JSON.parse(object, maxDepth: 8, maxValues: 100),
            let button = json["button"]?.intValue, let instance = json["instance"]?.stringValue,
            json["name"]?.stringValue == "todayd", let widget = WidgetID(instance)
        else { return nil }
        return Click(widget: widget, button: Int(clamping: button))
    }
}
