// SPDX-License-Identifier: MIT

import JSON

extension BarSegment {
    /// As a custom module of Waybar with `return-type: json` reads it, text and tooltip as Pango markup (waybar-custom(5)).
    package var waybar: JSON {
        var object: JSONObject = [
            "text": .string(Markup.escaped(text)), "alt": .string(state.rawValue),
            "tooltip": .string(Markup.escaped(tooltip)), "class": JSON(classes),
        ]
        object["percentage"] = wholePercentage.map { JSON($0) }
        return .object(object)
    }
}
