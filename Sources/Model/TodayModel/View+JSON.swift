// SPDX-License-Identifier: MIT
import JSON
import Spelling

/// How many more nodes a view may have. It counts down while a view is decoded.
struct ViewBudget {
    private var nodes = ContentLimits.viewNodes

    mutating func spend(on field: JSONField, depth: Int) throws(JSONMismatch) {
        nodes -= 1
        if nodes < 0 { throw field.fail("has more than \(ContentLimits.viewNodes) views") }
        if depth >= ContentLimits.viewDepth { throw field.fail("is nested deeper than \(ContentLimits.viewDepth)") }
    }
}

extension View {
    private enum Kind: String, CaseIterable {
        case text, progress, chart, image, button, link, hstack, vstack, grid, spacer, divider, item

        /// The fields besides `type` that this kind has.
        var keys: [String] {
            switch self {
            case .text: ["text", "style", "weight", "align", "lines", "color"]
            case .progress: ["value", "label", "color", "track", "text"]
            case .chart:
                ["points", "dates", "texts", "history", "last", "label", "color", "min", "max", "baseline", "mark"]
            case .image: ["symbol", "png", "label"]
            case .button: ["title", "action"]
            case .link: ["title", "url"]
            case .hstack, .vstack: ["children", "action", "insets"]
            case .grid: ["columns", "children"]
            case .spacer, .divider: []
            case .item:
                [
                    "title", "color", "symbol", "png", "badge", "tooltip", "checked", "disabled", "alternate", "style",
                    "action",
                    "url",
                    "command", "terminal", "update", "children",
                ]
            }
        }
    }

    /// Decodes and validates a view. A bare string is a text, a bare array a vertical stack.
    init(_ field: JSONField, depth: Int = 0, budget: inout ViewBudget) throws(JSONMismatch) {
        try budget.spend(on: field, depth: depth)
        switch field.value {
        case .string:
            self = .text(Text(try field.plainText()))
            return
        case .array:
            self = .stack(Stack(.vertical, try Self.views(field, depth: depth, budget: &budget)))
            return
        default:
            break
        }
        let kind = try field.required("type").choice(Kind.self)
        try field.noOtherKeys(than: ["type"] + kind.keys)
        switch kind {
        case .text: self = .text(try Text(field))
        case .progress: self = .progress(try Progress(field))
        case .chart: self = .chart(try Chart(field))
        case .image: self = .image(try Image(field))
        case .button:
            self = .button(
                Button(title: try field.required("title").line(), action: try field.required("action").line(upTo: 256)))
        case .link:
            self = .link(Link(title: try field.required("title").line(), url: try field.required("url").url()))
        case .hstack, .vstack:
            let children = try Self.children(of: field, depth: depth, budget: &budget)
            var stack = Stack(kind == .hstack ? .horizontal : .vertical, children)
            stack.action = try field.optional("action")?.line(upTo: 256)
            if let insets = try field.optional("insets") { stack.insets = try Insets(insets) }
            self = .stack(stack)
        case .grid:
            let columns = try field.required("columns").int(in: 1...32)
            self = .grid(Grid(columns: columns, try Self.children(of: field, depth: depth, budget: &budget)))
        case .spacer: self = .spacer
        case .divider: self = .divider
        case .item:
            var item = try Item(field)
            if field.value["children"] != nil {
                item.children = try Self.children(of: field, depth: depth, budget: &budget)
            }
            self = .item(item)
        }
    }

    private static func children(
        of field: JSONField, depth: Int, budget: inout ViewBudget
    ) throws(JSONMismatch) -> [View] {
        try views(try field.required("children"), depth: depth, budget: &budget)
    }

    private static func views(
        _ field: JSONField, depth: Int, budget: inout ViewBudget
    ) throws(JSONMismatch) -> [View] {
        var views: [View] = []
        for child in try field.array() { views.append(try View(child, depth: depth + 1, budget: &budget)) }
        return views
    }
}

extension View.Text {
    fileprivate init(_ field: JSONField) throws(JSONMismatch) {
        self.init(try field.required("text").plainText())
        style = try field.optional("style")?.choice(Style.self) ?? .body
        weight = try field.optional("weight")?.choice(Weight.self) ?? .regular
        alignment = try field.optional("align")?.choice(Alignment.self) ?? .leading
        color = try field.optional("color")?.color()
        lines = try field.optional("lines")?.int(in: 1...1_000)
    }
}

extension View.Progress {
    fileprivate init(_ field: JSONField) throws(JSONMismatch) {
        self.init(value: try field.required("value").number(in: 0...1))
        label = try field.optional("label")?.line()
        tint = try field.optional("color")?.color()
        track = try field.optional("track")?.color()
        text = try field.optional("text")?.line()
    }
}

extension View.Chart {
    fileprivate init(_ field: JSONField) throws(JSONMismatch) {
        if let name = try field.optional("history") {
            self.init(
                history: try Self.historyName(name, of: field),
                last: try field.optional("last")?.int(in: 1...Series.most))
        } else {
            if let last = try field.optional("last") { throw last.fail("goes with history only") }
            self.init(points: try Self.points(try field.required("points")))
        }
        dates = try each(field, "dates") { date throws(JSONMismatch) in try date.date() }
        texts = try each(field, "texts") { text throws(JSONMismatch) in try text.line(upTo: Self.textBytes) }
        label = try field.optional("label")?.line()
        color = try field.optional("color")?.color()
        minimum = try field.optional("min")?.double()
        maximum = try field.optional("max")?.double()
        baseline = try field.optional("baseline")?.double()
        mark = try field.optional("mark")?.int(in: 0...ContentLimits.chartPoints)
        if let mark, mark >= points.count { throw field.fail("has the mark \(mark), but \(points.count) points") }
        if let minimum, let maximum, minimum >= maximum { throw field.fail("min is not less than max") }
    }

    private static let textBytes = 64

    /// A value for each point, or none.
    private func each<Value>(
        _ field: JSONField, _ key: String, _ value: (JSONField) throws(JSONMismatch) -> Value
    ) throws(JSONMismatch) -> [Value] {
        guard let list = try field.optional(key) else { return [] }
        let fields = try list.array()
        guard fields.count == points.count else {
            throw list.fail("has \(fields.count) values for \(points.count) points")
        }
        var values: [Value] = []
        for field in fields { values.append(try value(field)) }
        return values
    }

    private static func points(_ field: JSONField) throws(JSONMismatch) -> [Double] {
        let fields = try field.array()
        if fields.count > ContentLimits.chartPoints {
            throw field.fail("has more than \(ContentLimits.chartPoints) points")
        }
        var points: [Double] = []
        for point in fields { points.append(try point.double()) }
        return points
    }

    private static func historyName(_ field: JSONField, of chart: JSONField) throws(JSONMismatch) -> String {
        for key in ["points", "dates", "texts", "mark"] {
            if let other = try chart.optional(key) {
                throw other.fail("does not go with history, which has the points")
            }
        }
        let name = try field.line(upTo: ContentLimits.metricNameBytes)
        if name.isEmpty { throw field.fail("is empty") }
        return name
    }
}

extension View.Image {
    fileprivate init(_ field: JSONField) throws(JSONMismatch) {
        if let png = try PNG.optional(in: field) {
            if field.value["symbol"] != nil { throw field.fail("has both symbol and png") }
            self.init(.png(png))
        } else {
            self.init(.symbol(try field.required("symbol").line(upTo: ContentLimits.symbolBytes)))
        }
        alternative = try field.optional("label")?.line()
    }
}

extension View.Item {
    /// All but the children.
    fileprivate init(_ field: JSONField) throws(JSONMismatch) {
        self.init(title: try field.required("title").line())
        color = try field.optional("color")?.color()
        symbol = try field.optional("symbol")?.line(upTo: ContentLimits.symbolBytes)
        picture = try PNG.optional(in: field)
        badge = try field.optional("badge")?.line(upTo: ContentLimits.summaryBytes)
        tooltip = try field.optional("tooltip")?.plainText()
        isChecked = try field.optional("checked")?.bool() ?? false
        isDisabled = try field.optional("disabled")?.bool() ?? false
        isAlternate = try field.optional("alternate")?.bool() ?? false
        if let style = try field.optional("style") {
            switch try style.choice(View.Text.Style.self) {
            case .monospace: isMonospaced = true
            case .body: break
            default: throw style.fail("is not body or monospace, which an item may have")
            }
        }
        action = try field.optional("action")?.line(upTo: 256)
        url = try field.optional("url")?.url()
        updates = try field.optional("update")?.bool() ?? false
        let isInTerminal = try field.optional("terminal")
        guard let words = try field.optional("command") else {
            if let isInTerminal { throw isInTerminal.fail("goes with command only") }
            return
        }
        var arguments: [String] = []
        for word in try words.array() { arguments.append(try word.plainText()) }
        if arguments.first?.isEmpty ?? true { throw words.fail("has no program") }
        if arguments.count > View.Command.mostArguments {
            throw words.fail("has more than \(View.Command.mostArguments) words")
        }
        command = View.Command(arguments, isInTerminal: try isInTerminal?.bool() ?? false)
    }
}

extension JSONField {
    func color() throws(JSONMismatch) -> Color {
        let text = try string()
        guard let color = Color(text) else {
            let meanings = Color.Meaning.allCases.map(\.rawValue).joined(separator: ", ")
            throw fail("\(JSON.string(text.shortened(to: 64)).text) is not a colour: \(meanings) or #rrggbb")
        }
        return color
    }

    fileprivate func url() throws(JSONMismatch) -> String {
        let text = try line(upTo: URLScheme.longestURL)
        guard URLScheme.of(text) != nil else { throw fail("is not a URL") }
        return text
    }
}

extension View {
    /// In the form of org.todayd.Today's `View`. Members without a value or with the default value are left out.
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
        var object: JSONObject = ["type": "chart"]
        if let history {
            object["history"] = .string(history)
            object["last"] = last.map { JSON($0) }
        } else {
            object["points"] = .array(points.map(JSON.double))
        }
        if !dates.isEmpty { object["dates"] = .array(dates.map { .int($0.microseconds) }) }
        if !texts.isEmpty { object["texts"] = .array(texts.map(JSON.string)) }
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
        case .png(let png): object[png.member.key] = png.member.value
        }
        object["label"] = alternative.map(JSON.string)
        return object
    }
}

extension View.Item {
    fileprivate var object: JSONObject {
        var object: JSONObject = ["type": "item", "title": .string(title)]
        object["color"] = color.map { .string($0.text) }
        object["symbol"] = symbol.map(JSON.string)
        if let member = picture?.member { object[member.key] = member.value }
        object["badge"] = badge.map(JSON.string)
        object["tooltip"] = tooltip.map(JSON.string)
        if isChecked { object["checked"] = true }
        if isDisabled { object["disabled"] = true }
        if isAlternate { object["alternate"] = true }
        if isMonospaced { object["style"] = "monospace" }
        object["action"] = action.map(JSON.string)
        object["url"] = url.map(JSON.string)
        if let command {
            object["command"] = JSON(command.arguments)
            if command.isInTerminal { object["terminal"] = true }
        }
        if updates { object["update"] = true }
        if !children.isEmpty { object["children"] = .array(children.map(\.json)) }
        return object
    }
}
