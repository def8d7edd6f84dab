// SPDX-License-Identifier: MIT

import Spelling
import TodayModel

/// Text in markup: in HTML, and in Pango, which bars read.
package enum Markup {
    /// For text and for attributes in double quotes. It replaces control characters, which markup may not contain.
    package static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            case "\n": escaped += "\n"
            case "\u{fffe}", "\u{ffff}": escaped += "\u{fffd}"
            case _ where scalar.isControl: escaped += " "
            // A visible form of the same character, which terminals do not interpret.
            case _ where scalar.isDisplayControl || scalar.isSeparator: escaped += "&#\(scalar.value);"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    /// The text for Pango, as bars of GTK read it.
    static func pango(_ text: String, _ color: Color?) -> String {
        color.map { "<span foreground=\"\($0.digits)\">\(escaped(text))</span>" } ?? escaped(text)
    }

    /// Text that does not break between a number and its unit.
    static func prose(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "%")) else { return escaped(text) }
        var scalars = Array(text.unicodeScalars)
        for index in scalars.indices.dropFirst().dropLast()
        where scalars[index] == " " && scalars[index + 1] == "%" && ("0"..."9").contains(scalars[index - 1]) {
            scalars[index] = "\u{a0}"
        }
        return escaped(String(String.UnicodeScalarView(scalars)))
    }

    /// A symbol is an emoji; without a label it adds nothing to the text.
    static func symbol(_ name: String, label: String?) -> String {
        guard let glyph = Symbol.glyph(name, .unicode)?.text else {
            return label.map { "<span>\(escaped($0))</span>" } ?? ""
        }
        let meaning = label.map { " role=\"img\" aria-label=\"\(escaped($0))\"" } ?? " aria-hidden=\"true\""
        return "<span class=\"symbol\"\(meaning)>\(escaped(glyph))</span>"
    }

    /// The class of a colour by meaning.
    static func colorClass(_ color: Color?) -> [String] {
        guard case .meaning(let meaning)? = color else { return [] }
        switch meaning {
        case .primary, .secondary, .accent: return [meaning.rawValue]
        case .good, .warning, .critical: return ["\(meaning.rawValue)-text"]
        }
    }

    /// The attributes of an element of these classes and this colour. An exact colour is set as a style: as on iOS, it is up to
    /// the widget that it is readable on dark and on light cards.
    static func attributes(_ classes: [String] = [], _ color: Color? = nil) -> String {
        let classes = classes + colorClass(color)
        var attributes = classes.isEmpty ? "" : " class=\"\(classes.joined(separator: " "))\""
        if let color, case .rgb = color { attributes += " style=\"color:\(color.text)\"" }
        return attributes
    }

    /// A bar by itself.
    static func progress(_ progress: View.Progress, label: String) -> String {
        let value = progress.value.isFinite ? min(max(progress.value, 0), 1) : 0
        let name = label.isEmpty ? "" : " aria-label=\"\(escaped(label))\""
        return "<progress max=\"1\" value=\"\(value)\"\(name)\(attributes([], progress.tint))></progress>"
    }

    /// The style of an area with insets, in the units of `HTMLPage.style`.
    static func style(_ insets: Insets) -> String {
        let sides = [
            (insets.top, "row"), (insets.right, "column"), (insets.bottom, "row"), (insets.left, "column"),
        ]
        let lengths = sides.map { $0 == 0 ? "0" : "calc(\($0) * var(--\($1)))" }
        return "padding:\(lengths.joined(separator: " "))"
    }
}

/// Views as elements of Markup.
struct HTMLViews {
    let item: Item
    var hasValues = false
    /// The address of a server that has the pictures.
    var pictures: String?

    func html(_ view: View) -> String {
        switch view {
        case .text(let text): html(text)
        case .progress(let progress): html(progress)
        case .chart(let chart): HTMLChart(chart, hasValues: hasValues).html
        case .image(let image): html(image)
        case .button(let button): html(button.title, action: button.action)
        case .link(let link): "<p>\(anchor(link.title, link.url))</p>\n"
        case .stack(let stack): html(stack)
        case .grid(let grid): html(grid)
        case .spacer: "<span class=\"space\"></span>"
        case .divider: "<hr>\n"
        case .item(let item): html(item)
        }
    }

    private func html(_ text: View.Text) -> String {
        var classes = text.style == .body ? [] : [text.style.rawValue]
        if text.weight == .bold { classes.append("bold") }
        if text.alignment != .leading { classes.append(text.alignment.rawValue) }
        return "<p\(Markup.attributes(classes, text.color)) dir=\"auto\">\(Markup.prose(text.text))</p>\n"
    }

    private func html(_ progress: View.Progress) -> String {
        let shown = progress.text ?? NumberText.percentage(progress.value)
        let label = progress.label ?? ""
        if shown.isEmpty, label.isEmpty { return "<p>\(Markup.progress(progress, label: ""))</p>\n" }
        let bar = Markup.progress(progress, label: label)
        if label.isEmpty { return "<p class=\"meter bare\">\(bar) <span>\(Markup.prose(shown))</span></p>\n" }
        return "<p class=\"meter\"><span dir=\"auto\">\(Markup.escaped(label))</span> "
            + "<span>\(Markup.prose(shown))</span> \(bar)</p>\n"
    }

    /// A row of a grid with a text, a bar without a label, and further texts, all of them plain; nil for any other row.
    private static func meter(_ row: [View]) -> View.Progress? {
        guard row.count > 1, case .text(let label) = row[0], label == View.Text(label.text),
            case .progress(var meter) = row[1], meter.label == nil
        else { return nil }
        var words: [String] = []
        for cell in row.dropFirst(2) {
            guard case .text(let text) = cell, text == View.Text(text.text) else { return nil }
            words.append(text.text)
        }
        words.append(meter.text ?? NumberText.percentage(meter.value))
        (meter.label, meter.text) = (label.text, words.filter { !$0.isEmpty }.joined(separator: " · "))
        return meter
    }

    private func html(_ image: View.Image) -> String {
        let label = image.alternative ?? ""
        switch image.source {
        case .symbol(let name): return "<p>\(Markup.symbol(name, label: image.alternative))</p>\n"
        case .png(.data(let base64)):
            return
                "<p><img src=\"data:image/png;base64,\(Markup.escaped(base64))\" alt=\"\(Markup.escaped(label))\"></p>\n"
        case .png(.named(let name)):
            if let picture = picture(name, label) { return "<p>\(picture)</p>\n" }
            // A document by itself shows the label.
            return label.isEmpty ? "" : "<p dir=\"auto\">\(Markup.escaped(label))</p>\n"
        }
    }

    /// Nil if no server has it.
    private func picture(_ name: String, _ label: String) -> String? {
        guard let pictures else { return nil }
        let address = "\(pictures)?widget=\(item.id.text)&image=\(name)"
        return "<img src=\"\(Markup.escaped(address))\" alt=\"\(Markup.escaped(label))\">"
    }

    private func html(_ title: String, action: String) -> String {
        "<p><button type=\"button\" data-action=\"\(Markup.escaped(action))\">\(Markup.escaped(title))</button></p>\n"
    }

    /// A link, if the widget may open the URL.
    private func anchor(_ title: String, _ url: String) -> String {
        guard URLScheme.refusal(of: url, for: item.id, declaring: item.urlSchemes) == nil else {
            return "<span dir=\"auto\">\(Markup.escaped(title))</span>"
        }
        return "<a href=\"\(Markup.escaped(url))\" rel=\"noreferrer\" dir=\"auto\">\(Markup.escaped(title))</a>"
    }

    private func html(_ stack: View.Stack) -> String {
        let name = stack.axis == .horizontal ? Self.row(stack.children) : "view"
        let children = stack.children.enumerated().map { index, child in
            index == 0 && stack.axis == .horizontal ? circle(child, of: stack.children) ?? html(child) : html(child)
        }.joined()
        let action = stack.action.map { " data-action=\"\(Markup.escaped($0))\" role=\"button\" tabindex=\"0\"" } ?? ""
        let style = stack.insets.map { " style=\"\(Markup.style($0))\"" } ?? ""
        return "<div class=\"\(name)\"\(style)\(action)>\n\(children)</div>\n"
    }

    /// In a row with a spacer, what follows the spacer is at the end; any other row breaks if it is too long.
    private static func row(_ children: [View]) -> String { children.contains(.spacer) ? "row spread" : "row" }

    /// A button that marks the row done, drawn as a circle before it.
    private func circle(_ view: View, of row: [View]) -> String? {
        guard case .button(let button) = view, ["done", "✓", "✔", "○", "☐"].contains(button.title.lowercased()),
            let words = row.firstText
        else { return nil }
        return "<p><button type=\"button\" class=\"circle\" aria-label=\"Done: \(Markup.escaped(words))\" "
            + "data-action=\"\(Markup.escaped(button.action))\"></button></p>\n"
    }

    /// Whether it is as short as the label of a row, which does not break.
    private static func isLabel(_ view: View?) -> Bool {
        if case .text(let text) = view { text.text.utf8.count <= 12 } else { false }
    }

    /// A table without headings: columns are as wide as their widest cell. A grid of bars has no columns, because each bar
    /// takes the whole width.
    private func html(_ grid: View.Grid) -> String {
        let rows = grid.children.rows(of: grid.columns)
        let meters = rows.compactMap(Self.meter)
        if meters.count == rows.count { return meters.map(html).joined() }
        let cells = rows.map { row in
            "<tr>\(Self.isLabel(row.first) ? "<td class=\"label\">" : "<td>")"
                + row.map(html).joined(separator: "</td><td>") + "</td></tr>\n"
        }
        return "<table class=\"grid\" role=\"presentation\">\n\(cells.joined())</table>\n"
    }

    private func html(_ item: View.Item) -> String {
        if item.isAlternate { return "" }
        var title = item.symbol.map { Markup.symbol($0, label: nil) } ?? ""
        if case .named(let name)? = item.picture {
            // The title describes the picture. An item with only a picture has a tooltip at best.
            let label = item.title.contains { !$0.isWhitespace } ? "" : item.tooltip ?? "picture"
            if let picture = picture(name, label) { title = picture }
        }
        if item.isChecked { title += "<span aria-label=\"checked\">✓</span> " }
        if let url = item.url, !item.isDisabled {
            title += anchor(item.title, url)
        } else if let action = item.action, !item.isDisabled {
            title +=
                "<button type=\"button\" data-action=\"\(Markup.escaped(action))\">\(Markup.escaped(item.title))</button>"
        } else {
            title +=
                "<span\(Markup.attributes([], item.color)) dir=\"auto\">\(Markup.escaped(item.title))</span>"
        }
        if let badge = item.badge { title += " <span class=\"badge\">\(Markup.escaped(badge))</span>" }
        let tooltip = item.tooltip.map { " title=\"\(Markup.escaped($0))\"" } ?? ""
        let face = item.isMonospaced ? " monospace" : ""
        if item.children.isEmpty { return "<div class=\"item\(face)\"\(tooltip)>\(title)</div>\n" }
        let summary = item.isMonospaced ? "<summary class=\"monospace\">" : "<summary>"
        return "<details\(tooltip)>\(summary)\(title)</summary>\n\(item.children.map(html).joined())</details>\n"
    }
}

/// A line chart as SVG, with a description in words.
struct HTMLChart {
    let chart: View.Chart
    let hasValues: Bool

    init(_ chart: View.Chart, hasValues: Bool = false) {
        self.chart = chart
        self.hasValues = hasValues
    }

    var html: String {
        let points = chart.points.filter(\.isFinite)
        guard let curve = ChartCurve(chart), let lowest = points.min(), let highest = points.max(),
            let last = points.last
        else { return "" }
        let words =
            "\(points.count) values from \(NumberText.short(lowest)) to \(NumberText.short(highest)), "
            + "now \(NumberText.short(last))"
        let label = [chart.label, words].compactMap { $0 }.joined(separator: ": ")
        let step = points.count > 1 ? 100 / Double(points.count - 1) : 0
        func place(_ value: Double) -> String { Self.text(30 - curve.fraction(of: value) * 30) }
        let line = points.enumerated().map { "\(Self.text(Double($0) * step)),\(place($1))" }.joined(separator: " ")
        let area =
            points.count > 1 ? "<polygon points=\"0,31 \(line) 100,31\" fill=\"currentColor\" opacity=\".16\"/>" : ""
        var drawing =
            area + "<polyline points=\"\(line)\" fill=\"none\" stroke=\"currentColor\" stroke-width=\"2\" "
            + "stroke-linejoin=\"round\" vector-effect=\"non-scaling-stroke\"/>"
        if let baseline = curve.baseline, baseline >= curve.low, baseline <= curve.high {
            let y = place(baseline)
            drawing +=
                "<line x1=\"0\" x2=\"100\" y1=\"\(y)\" y2=\"\(y)\" stroke=\"currentColor\" stroke-dasharray=\"2 2\" "
                + "vector-effect=\"non-scaling-stroke\"/>"
        }
        let range = lowest == highest ? "" : "\(NumberText.short(lowest)) – \(NumberText.short(highest))"
        let caption =
            "<figcaption class=\"caption\"><span dir=\"auto\">\(Markup.escaped(chart.label ?? ""))</span>"
            + "<span>\(range)</span></figcaption>"
        let color = Markup.attributes([], chart.color ?? .meaning(.accent))
        let values = hasValues ? self.values : ""
        return
            "<figure\(color)\(values)><svg viewBox=\"0 -1 100 32\" preserveAspectRatio=\"none\" role=\"img\" "
            + "aria-label=\"\(Markup.escaped(label))\">\(drawing)</svg>\(caption)</figure>\n"
    }

    /// What a script shows of the point under the pointer: values, and dates in milliseconds.
    private var values: String {
        let shown = chart.points.indices.filter { chart.points[$0].isFinite }
        let texts = shown.map { chart.texts.isEmpty ? NumberText.short(chart.points[$0]) : chart.texts[$0] }
        let dates = chart.dates.isEmpty ? [] : shown.map { "\(chart.dates[$0].microseconds / 1_000)" }
        let list = Markup.escaped(texts.joined(separator: "\n"))
        return " data-values=\"\(list)\"" + (dates.isEmpty ? "" : " data-dates=\"\(dates.joined(separator: " "))\"")
    }

    /// With two digits after the point, without an exponent.
    private static func text(_ number: Double) -> String {
        let hundredths = Int((number * 100).rounded())
        return "\(hundredths < 0 ? "-" : "")\(abs(hundredths) / 100).\((abs(hundredths) % 100).digits(2))"
    }
}
