// SPDX-License-Identifier: MIT

import JSON
import TodayModel

/// Reads the clicks that i3bar and swaybar write: an array without an end, with one object on a line for each click (the i3bar
/// protocol, swaybar-protocol(7)). A line that is not a click is skipped.
struct ClickStream {
    struct Received: Equatable {
        let widget: WidgetID
        let button: Int
    }

    /// The most bytes of a line.
    static let mostBytes = 16 << 10

    /// The line that has begun.
    private var line: [UInt8] = []

    /// The clicks whose lines end in these bytes.
    mutating func read(_ bytes: some Sequence<UInt8>) -> [Received] {
        var clicks: [Received] = []
        for byte in bytes {
            if byte != UInt8(ascii: "\n") {
                if line.count <= Self.mostBytes { line.append(byte) }
                continue
            }
            if line.count <= Self.mostBytes, let click = Self.click(line[...]) { clicks.append(click) }
            line.removeAll(keepingCapacity: true)
        }
        return clicks
    }

    /// swaybar writes the comma between two clicks before the second one, i3bar after the first one.
    private static func click(_ line: ArraySlice<UInt8>) -> Received? {
        guard let start = line.firstIndex(of: UInt8(ascii: "{")), let end = line.lastIndex(of: UInt8(ascii: "}")),
            start < end, let json = try? JSON.parse(line[start...end], maxDepth: 8, maxValues: 100),
            let button = json["button"]?.intValue, let instance = json["instance"]?.stringValue,
            json["name"]?.stringValue == "todayd", let widget = WidgetID(instance)
        else { return nil }
        return Received(widget: widget, button: Int(clamping: button))
    }
}
