// SPDX-License-Identifier: MIT
import JSON

extension View {
    /// As org.todayd.Today's `View`; members without a value, or with the usual one, are left out.
    package var json: JSON {
        switch self {
        case .text(let text): .object(text.object)
        case .progress(let progress): .object(progress.object)
        case .chart(let chart): .object(chart.object)
        case .image(let image): .object(image.object)
        case .button(let button):
            ["type": "button", "title": .string(button.title), "action": .string(button.action)]
        case .link(let link): ["type": "link", "title": .string(link.title), "url": .string(link.url)]
        case .stack(let stack): .object(stack.object)
        case .grid(let grid):
            ["type": "grid", "columns": .int(Int64(grid.columns)), "children": .array(grid.children.map(\.json))]
        case .spacer: ["type": "spacer"]
        case .divider: ["type": "divider"]
        case .item(let item): .object(item.object)
        }
    }
}

extension View.Text {
    fileprivate var object: JSONObject {
        var object: JSONObject = ["type": "text", "text": .string(text)]
        if style != .body { object["style"] = .string(style.rawValue) }
        if weight != .regular { object["weight"] = .string(weight.rawValue) }
        if alignment != .leading { object["align"] = .string(alignment.rawValue) }
        object["color"] = color.map { .string($0.text) }
        object["lines"] = lines.map { .int(Int64($0)) }
        return object
    }
}

extension View.Progress {
    fileprivate var object: JSONObject {
        var object: JSONObject = ["type": "progress", "value": .double(value)]
        object["label"] = label.map(JSON.string)
        object["color"] = tint.map { .string($0.text) }
        object["track"] = track.map { .string($0.text) }
        object["text"] = text.map(JSON.string)
        return object
    }
}

extension View.Stack {
    fileprivate var object: JSONObject {
        var object: JSONObject = [
            "type": axis == .horizontal ? "hstack" : "vstack", "children": .array(children.map(\.json)),
        ]
        object["action"] = action.map(JSON.string)
        object["insets"] = insets?.json
        return object
    }
}

extension View.Chart {
    fileprivate var object: JSONObject {
        var object: JSONObject = ["type": "chart", "points": .array(points.map(JSON.double))]
        object["label"] = label.map(JSON.string)
        object["color"] = color.map { .string($0.text) }
        object["min"] = minimum.map(JSON.double)
        object["max"] = maximum.map(JSON.double)
        object["baseline"] = baseline.map(JSON.double)
        object["mark"] = mark.map { JSON($0) }
        return object
    }
}

extension View.Image {
    fileprivate var object: JSONObject {
        var object: JSONObject = ["type": "image"]
        switch source {
        case .symbol(let name): object["symbol"] = .string(name)
        case .png(let base64): object["png"] = .string(base64)
        }
        object["label"] = alternative.map(JSON.string)
        return object
    }
}

extension View.Item {
    fileprivate var object: JSONObject {
        var object: JSONObject = ["type": "item", "title": .string(title)]
        object["action"] = action.map(JSON.string)
        object["url"] = url.map(JSON.string)
        if !children.isEmpty { object["children"] = .array(children.map(\.json)) }
        return object
    }
}
