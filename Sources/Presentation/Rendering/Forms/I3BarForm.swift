// SPDX-License-Identifier: MIT

import JSON

/// The protocol that i3bar and swaybar read (swaybar-protocol(7)).
enum I3BarForm {
    /// One line of status: an array of blocks. i3bar leaves out a block without a text.
    static func statusLine(_ segments: [BarSegment]) -> JSON {
        .array(segments.map(\.i3bar))
    }
}

extension BarSegment {
    /// A block of the i3bar protocol. A block without a name gets no clicks, and without markup a text full of < and &
    /// arrives as it is.
    package var i3bar: JSON {
        var object: JSONObject = ["name": "todayd", "instance": .string(id.text), "full_text": .string(text)]
        object["short_text"] = shortText.map(JSON.string)
        object["color"] = color.map { .string($0.digits) }
        object["background"] = face.background.map { .string($0.digits) }
        object["border"] = face.border.map { .string($0.digits) }
        object["separator"] = face.hasSeparator.map(JSON.bool)
        // The width of a text.
        object["min_width"] = face.width.map { .string(String(repeating: "0", count: $0)) }
        if severity == .critical { object["urgent"] = true }
        object["markup"] = "none"
        return .object(object)
    }
}
