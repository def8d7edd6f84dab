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
    }

    /// Decodes and validates a view. A bare string is a text, a bare array a vertical stack.
    init(_ field: JSONField, depth: Int = 0, budget: inout ViewBudget) throws(JSONMismatch) {
        try budget.spend(on: field, depth: depth)
        switch field.value {
        case .string:
            self = .text(Text(try field.text(.text)))
            return
        case .array:
            self = .stack(Stack(.vertical, try Self.views(field, depth: depth, budget: &budget)))
            return
        default:
            break
        }
        let kind = try field.required("type").choice(Kind.self)
        switch kind {
        case .text: self = .text(try Text(exactly: field))
        case .progress: self = .progress(try Progress(exactly: field))
        case .chart: self = .chart(try Chart(exactly: field))
        case .image: self = .image(try Image(exactly: field))
        case .button: self = .button(try Button(exactly: field))
        case .link: self = .link(try Link(exactly: field))
        case .hstack, .vstack:
            var stack = try Stack(exactly: field)
            stack.children = try Self.views(try field.required("children"), depth: depth, budget: &budget)
            self = .stack(stack)
        case .grid:
            var grid = try Grid(exactly: field)
            grid.children = try Self.views(try field.required("children"), depth: depth, budget: &budget)
            self = .grid(grid)
        case .spacer, .divider:
            try field.noOtherKeys(than: ["type"])
            self = kind == .spacer ? .spacer : .divider
        case .item:
            var item = try Item(exactly: field)
            if field.value["children"] != nil {
                item.children = try Self.views(try field.required("children"), depth: depth, budget: &budget)
            }
            self = .item(item)
        }
    }

    private static func views(
        _ field: JSONField, depth: Int, budget: inout ViewBudget
    ) throws(JSONMismatch) -> [View] {
        var views: [View] = []
        for child in try field.array() { views.append(try View(child, depth: depth + 1, budget: &budget)) }
        return views
    }

    /// In the form of org.todayd.Today's `View`.
    package var json: JSON {
        switch self {
        case .text(let text): text.json
        case .progress(let progress): progress.json
        case .chart(let chart): chart.json
        case .image(let image): image.json
        case .button(let button): button.json
        case .link(let link): link.json
        case .stack(let stack): stack.json
        case .grid(let grid): grid.json
        case .spacer: ["type": "spacer"]
        case .divider: ["type": "divider"]
        case .item(let item): item.json
        }
    }
}

// MARK: - The members of each kind

extension View.Text: WireObject {
    package static var blank: Self { Self("") }

    package mutating func list(_ members: inout WireMembers) {
        members.write("type", "text")
        members("text", &text, .text)
        members("style", &style, unless: .body)
        members("weight", &weight, unless: .regular)
        members("align", &alignment, unless: .leading)
        members("color", &color)
        members("lines", &lines, 1...1_000)
    }
}

extension View.Progress: WireObject {
    package static var blank: Self { Self(value: 0) }

    package mutating func list(_ members: inout WireMembers) {
        members.write("type", "progress")
        members("value", &value, 0...1)
        members("label", &label, .line)
        members("color", &tint)
        members("track", &track)
        members("text", &text, .line)
    }
}

extension View.Chart: WireObject {
    package static var blank: Self { Self(points: []) }

    package mutating func list(_ members: inout WireMembers) {
        members.write("type", "chart")
        members("history", &history, TextRule(mostBytes: ContentLimits.metricNameBytes))
        members("last", &last, 1...Series.most)
        members.write("points", points.json, unless: history != nil)
        members.read { field throws(JSONMismatch) in try readPoints(of: field) }
        members.write("dates", dates.json, unless: dates.isEmpty)
        members.write("texts", texts.json, unless: texts.isEmpty)
        members.read { field throws(JSONMismatch) in
            dates = try each(field, "dates") { date throws(JSONMismatch) in try date.date() }
            texts = try each(field, "texts") { text throws(JSONMismatch) in try text.line(upTo: Self.textBytes) }
        }
        members("label", &label, .line)
        members("color", &color)
        members("min", &minimum)
        members("max", &maximum)
        members("baseline", &baseline)
        members("mark", &mark, 0...ContentLimits.chartPoints)
        members.read { field throws(JSONMismatch) in
            if let mark, mark >= points.count { throw field.fail("has the mark \(mark), but \(points.count) points") }
            if let minimum, let maximum, minimum >= maximum { throw field.fail("min is not less than max") }
        }
    }

    private static let textBytes = 64

    private mutating func readPoints(of field: JSONField) throws(JSONMismatch) {
        if let history {
            for key in ["points", "dates", "texts", "mark"] {
                if let other = try field.optional(key) {
                    throw other.fail("does not go with history, which has the points")
                }
            }
            if history.isEmpty { throw try field.required("history").fail("is empty") }
        } else {
            if let last = try field.optional("last") { throw last.fail("goes with history only") }
            points = try field.required("points").array(upTo: ContentLimits.chartPoints, Double.read)
        }
    }

    /// A value for each point, or none.
    private func each<Value>(
        _ field: JSONField, _ key: String, _ value: (JSONField) throws(JSONMismatch) -> Value
    ) throws(JSONMismatch) -> [Value] {
        guard let list = try field.optional(key) else { return [] }
        let values = try list.array(upTo: .max, value)
        guard values.count == points.count else {
            throw list.fail("has \(values.count) values for \(points.count) points")
        }
        return values
    }
}

extension View.Image: WireObject {
    package static var blank: Self { Self(.symbol("")) }

    package mutating func list(_ members: inout WireMembers) {
        members.write("type", "image")
        var symbol: String? = if case .symbol(let name) = source, members.isWriting { name } else { nil }
        var png: PNG? = if case .png(let png) = source { png } else { nil }
        members("symbol", &symbol, .symbol)
        members.picture(&png)
        members("label", &alternative, .line)
        members.read { field throws(JSONMismatch) in
            if let png {
                if symbol != nil { throw field.fail("has both symbol and png") }
                source = .png(png)
            } else {
                source = .symbol(try field.required("symbol").text(.symbol))
            }
        }
    }
}

extension View.Button: WireObject {
    package static var blank: Self { Self(title: "", action: "") }

    package mutating func list(_ members: inout WireMembers) {
        members.write("type", "button")
        members("title", &title, .line)
        members("action", &action, .action)
    }
}

extension View.Link: WireObject {
    package static var blank: Self { Self(title: "", url: "") }

    package mutating func list(_ members: inout WireMembers) {
        members.write("type", "link")
        members("title", &title, .line)
        members("url", &url, .url)
    }
}

/// `View` reads the children, which it counts.
extension View.Stack: WireObject {
    package static var blank: Self { Self(.vertical, []) }

    package mutating func list(_ members: inout WireMembers) {
        members("type", &axis)
        members.write("children", .array(children.map(\.json)))
        members("action", &action, .action)
        members("insets", &insets)
    }
}

extension View.Grid: WireObject {
    package static var blank: Self { Self(columns: 1, []) }

    package mutating func list(_ members: inout WireMembers) {
        members.write("type", "grid")
        members("columns", &columns, 1...32)
        members.write("children", .array(children.map(\.json)))
    }
}

extension View.Item: WireObject {
    package static var blank: Self { Self(title: "") }

    package mutating func list(_ members: inout WireMembers) {
        members.write("type", "item")
        members("title", &title, .line)
        members("color", &color)
        members("symbol", &symbol, .symbol)
        members.picture(&picture)
        members("badge", &badge, .summary)
        members("tooltip", &tooltip, .text)
        members("checked", &isChecked, unless: false)
        members("disabled", &isDisabled, unless: false)
        members("alternate", &isAlternate, unless: false)
        members.write("style", "monospace", unless: !isMonospaced)
        members.read("style") { style throws(JSONMismatch) in
            switch try style.choice(View.Text.Style.self) {
            case .monospace: isMonospaced = true
            case .body: break
            default: throw style.fail("is not body or monospace, which an item may have")
            }
        }
        members("action", &action, .action)
        members("url", &url, .url)
        members.write("command", command.map { JSON($0.arguments) })
        members.write("terminal", true, unless: command?.isInTerminal != true)
        members.read { field throws(JSONMismatch) in command = try View.Command.read(in: field) }
        members("update", &updates, unless: false)
        members.write("children", .array(children.map(\.json)), unless: children.isEmpty)
    }
}

extension View.Command {
    fileprivate static func read(in item: JSONField) throws(JSONMismatch) -> Self? {
        let isInTerminal = try item.optional("terminal")
        guard let words = try item.optional("command") else {
            if let isInTerminal { throw isInTerminal.fail("goes with command only") }
            return nil
        }
        let arguments = try words.array(upTo: .max) { word throws(JSONMismatch) in try word.text(.text) }
        if arguments.first?.isEmpty ?? true { throw words.fail("has no program") }
        if arguments.count > mostArguments { throw words.fail("has more than \(mostArguments) words") }
        return Self(arguments, isInTerminal: try isInTerminal?.bool() ?? false)
    }
}

extension WireMembers {
    fileprivate mutating func picture(_ picture: inout PNG?) {
        let member = picture?.member
        write("png", member?.value, unless: member?.key != "png")
        if member?.key == "image" { write("image", member?.value) }
        read { field throws(JSONMismatch) in picture = try PNG.optional(in: field) }
    }
}

extension Color: WireValue {
    package var json: JSON { .string(text) }

    package static func read(_ field: JSONField) throws(JSONMismatch) -> Self {
        let text = try field.string()
        guard let color = Color(text) else {
            let meanings = Meaning.allCases.map(\.rawValue).joined(separator: ", ")
            throw field.fail("\(JSON.string(text.shortened(to: 64)).text) is not a colour: \(meanings) or #rrggbb")
        }
        return color
    }
}
