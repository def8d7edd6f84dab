// SPDX-License-Identifier: MIT

/// One line of output: pieces of printable text, each with its style.
package struct StyledLine: Hashable, Sendable {
    struct Span: Hashable, Sendable {
        var text: Printable
        var style: Style
        /// The number of the button, link or area that it belongs to, as counted by `Numbering`.
        var target: Int?
    }

    private(set) var spans: [Span] = []
    /// In cells.
    package private(set) var width = 0

    package init() {}

    package init(_ text: Printable, _ style: Style = .plain) {
        append(text, style)
    }

    /// Makes a line from the cells of a drawing. Adjacent cells of one style become one piece.
    init(cells: some Sequence<(glyph: String, style: Style)>) {
        var run = ""
        var style = Style.plain
        for cell in cells {
            if cell.style != style {
                append(Printable(run, .unicode), style)
                (run, style) = ("", cell.style)
            }
            run += cell.glyph
        }
        append(Printable(run, .unicode), style)
    }

    package mutating func append(_ text: Printable, _ style: Style = .plain) { append(text, style, target: nil) }

    private mutating func append(_ text: Printable, _ style: Style, target: Int?) {
        if text.isEmpty { return }
        spans.append(Span(text: text, style: style, target: target))
        width += text.width
    }

    package mutating func append(_ line: StyledLine) {
        spans += line.spans
        width += line.width
    }

    mutating func appendSpaces(_ count: Int) {
        if count > 0 { append(Printable(String(repeating: " ", count: count), .ascii)) }
    }

    /// Cut to `width`, with an ellipsis at the cut.
    func truncated(_ width: Int, ellipsis: Printable) -> StyledLine {
        if self.width <= width { return self }
        let mark = ellipsis.width < width ? ellipsis : ellipsis.prefix(max(0, width))
        var line = StyledLine()
        var room = width - mark.width
        var (style, target) = (Style.plain, Int?.none)
        for span in spans where room > 0 {
            let piece = span.text.prefix(room)
            line.append(piece, span.style, target: span.target)
            // A wide character that does not fit leaves one cell free. Later text must not fill it.
            room = piece.width < span.text.width ? 0 : room - piece.width
            (style, target) = (span.style, span.target)
        }
        line.append(mark, style, target: target)
        return line
    }

    /// Broken into lines of at most `width`. All get the style and the target of the first piece.
    package func wrapped(_ width: Int) -> [StyledLine] {
        if self.width <= width { return [self] }
        let text = Printable(spans.map(\.text.text).joined(), .unicode)
        let style = spans.first?.style ?? .plain
        return text.wrapped(width).map { StyledLine($0, style).aimed(at: spans.first?.target) }
    }

    /// Padded with spaces to `width`.
    package func padded(_ width: Int, _ alignment: Alignment = .leading) -> StyledLine {
        let missing = width - self.width
        if missing <= 0 { return self }
        let before =
            switch alignment {
            case .leading: 0
            case .center: missing / 2
            case .trailing: missing
            }
        var line = StyledLine()
        line.appendSpaces(before)
        line.append(self)
        line.appendSpaces(missing - before)
        return line
    }

    /// The position of a line within its width.
    package enum Alignment: Sendable {
        case leading, center, trailing
    }

    /// The same line in dim text, for content that is not fresh.
    var dimmed: StyledLine {
        var line = self
        for index in line.spans.indices where !line.spans[index].text.isBlank { line.spans[index].style.isDim = true }
        return line
    }

    /// The same line, in which pieces that belong to no target inside it belong to this one.
    func aimed(at target: Int?) -> StyledLine {
        var line = self
        for index in line.spans.indices where line.spans[index].target == nil { line.spans[index].target = target }
        return line
    }

    /// The number of the target that is drawn at a column.
    package func target(at column: Int) -> Int? {
        var end = 0
        for span in spans {
            end += span.text.width
            if column < end { return column < 0 ? nil : span.target }
        }
        return nil
    }

    /// The number of spaces at its beginning.
    var indentation: Int {
        var count = 0
        for span in spans {
            let spaces = span.text.text.prefix { $0 == " " }.count
            count += spaces
            if spaces < span.text.text.count { break }
        }
        return count
    }

    var isBlank: Bool { spans.allSatisfy { $0.text.isBlank } }

    /// The text for the terminal, without trailing spaces and without the line feed.
    package func text(_ colors: ColorDepth = .none) -> String {
        guard let end = spans.lastIndex(where: { !$0.text.isBlank }) else { return "" }
        var text = ""
        for (index, span) in spans[...end].enumerated() {
            let escape = span.style.escapeSequence(colors)
            text += escape
            text += index == end ? span.text.withoutTrailingSpaces : span.text.text
            if !escape.isEmpty { text += "\u{1B}[0m" }
        }
        return text
    }
}

extension [StyledLine] {
    /// The number of spaces at the beginning of all lines that are not blank.
    var indentation: Int { lazy.filter { !$0.isBlank }.map(\.indentation).min() ?? 0 }
}
