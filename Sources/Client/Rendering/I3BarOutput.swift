// SPDX-License-Identifier: MIT

import JSON
import TodayModel

/// A widget as a block of the i3bar protocol, which i3bar and swaybar read (swaybar-protocol(7)).
package struct I3BarOutput {
    private let segment: BarSegment

    package init(_ segment: BarSegment) { self.segment = segment }

    /// A block without a name gets no clicks, so that each has its widget's identifier.
    package var json: JSON {
        var object: JSONObject = ["name": "todayd", "instance": .string(segment.id.text)]
        object["full_text"] = .string(segment.text)
        object["short_text"] = segment.shortText.map(JSON.string)
        object["color"] = segment.color.map { .string($0.digits) }
        if segment.severity == .critical { object["urgent"] = true }
        // A text full of < and & arrives as it is.
        object["markup"] = "none"
        return .object(object)
    }
}
