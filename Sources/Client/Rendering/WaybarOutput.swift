// SPDX-License-Identifier: MIT

import JSON

/// A widget as a custom module of Waybar with `return-type: json` reads it (waybar-custom(5)).
package struct WaybarOutput {
    private let segment: BarSegment

    package init(_ segment: BarSegment) { self.segment = segment }

    package var json: JSON {
        var object: JSONObject = [
            "text": .string(Self.escaped(segment.text)), "alt": .string(segment.state.rawValue),
            "tooltip": .string(Self.escaped(segment.tooltip)), "class": JSON(segment.classes),
        ]
        object["percentage"] = segment.percentage.map { .int(Int64($0.rounded())) }
        return .object(object)
    }

    /// Waybar reads text and tooltip as Pango markup.
    static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&apos;"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
