// SPDX-License-Identifier: MIT

import Spelling
import TodayModel

/// One widget as a card: a title line with icon, name and age, the failure if there is one, and the view of its display mode. A
/// `Tile` takes one row: name, value, bar. A bar along the left side marks the selected card.
package struct Card {
    /// The bar and one space.
    static let sideWidth = 2

    package let item: Item
    package let presentation: Presentation
    let isNumbered: Bool
    let extent: Extent
    /// The controls at the end of the title line, for hosts in which the user can press them.
    package var controls: [CardControl] = []
    /// Whether a sign at the end of the title shows that there is more, or less, to see.
    package var hasModeSign = true
    /// Whether the next key is for this card.
    package var isSelected = false
    /// Whether only the title line is drawn.
    package var isTitleOnly = false

    /// How much is shown of a widget that draws more rows than it is offered.
    package enum Extent: Hashable, Sendable {
        /// The offered rows. The last one says how many are missing.
        case offered
        /// The same, and the last row names the command that prints the rest.
        case offeredWithCommand
        /// All rows.
        case whole
    }

    /// - Parameter isNumbered: whether buttons and links show their numbers.
    package init(
        _ item: Item, _ presentation: Presentation, isNumbered: Bool = false, extent: Extent = .offered
    ) {
        self.item = item
        self.presentation = presentation
        self.isNumbered = isNumbered
        self.extent = extent
    }

    /// The columns that the widget is offered, and the bar.
    static func width(of item: Item) -> Int { item.size.columns + sideWidth }
    static let usualWidth = DisplaySizes.standard.columns + sideWidth

    /// - Parameter width: of its column.
    package func lines(width: Int) -> [StyledLine] {
        let inner = max(width - Self.sideWidth, 1)
        let contents =
            row(width: inner).map { [$0] } ?? [title(width: inner)] + (isTitleOnly ? [] : below(width: inner))
        // The bar ends at the last line that is not empty.
        let drawn = (contents.lastIndex { $0.width > 0 } ?? 0) + 1
        return contents.enumerated().map { row, content in
            if row >= drawn { return StyledLine() }
            var line = side
            line.appendSpaces(1)
            line.append(presentation.truncated(content, inner))
            return line
        }
    }

    // MARK: Title

    private var severity: Severity { item.content?.severity ?? .normal }

    private var side: StyledLine {
        isSelected
            ? StyledLine(
                presentation.glyph("█", ascii: ">"), Style(color: severity.color ?? .meaning(.accent), bold: true))
            : StyledLine(presentation.glyph(" ", ascii: " "))
    }

    // MARK: One row

    /// The columns at which the value and the bar begin, and the least width of a bar.
    private static let (valueColumn, barColumn, leastBar) = (14, 27, 6)

    /// The whole card in one row; nil if it needs more.
    private func row(width: Int) -> StyledLine? {
        guard !isTitleOnly, !item.isEdited, item.failure == nil, item.stateMark == nil, let content = item.content,
            let tile = Tile(item, content), width >= Self.barColumn + Self.leastBar
        else { return nil }
        let end = title(of: StyledLine(), width: width)
        let room = width - (end.width > 0 ? end.width + 2 : 0)
        var line = self.name.padded(Self.valueColumn - 2)
        line.appendSpaces(2)
        line.append(
            presentation.printable(tile.value.text + tile.unit),
            Style(color: tile.value.color ?? severity.color, bold: true))
        guard line.width <= room else { return nil }
        if tile.progress != nil || tile.detail != nil { line = line.padded(Self.barColumn - 2) }
        if let progress = tile.progress, room - line.width - 2 >= Self.leastBar {
            line.appendSpaces(2)
            let span = tile.detail == nil ? min(room - line.width, ProgressBar.maximumWidth) : 10
            line.append(
                ProgressBar(value: progress.value, tint: progress.tint ?? severity.color, track: progress.track).line(
                    width: span, presentation.charset))
        }
        if let detail = tile.detail {
            line.appendSpaces(2)
            line.append(presentation.line(detail.text, detail.color.map { Style(color: $0) } ?? .dim))
            if line.width > room { return nil }
        }
        if end.width == 0 { return line }
        line = presentation.truncated(line, room).padded(width - end.width)
        line.append(end)
        return line
    }

    private func title(width: Int) -> StyledLine { title(of: name, width: width) }

    /// A name, and at the end of the line the age and the controls.
    private func title(of name: StyledLine, width: Int) -> StyledLine {
        let controls = shownControls(width: width)
        let room = width - controlWidth(controls)
        var line = aged(name, width: room)
        if controls.isEmpty { return line }
        line = name.width == 0 ? line : line.padded(room)
        for control in controls {
            line.appendSpaces(Self.controlGap)
            line.append(presentation.printable(control.title), control == .hidden ? .dim : .link)
        }
        return line
    }

    private var name: StyledLine {
        var name = StyledLine()
        if let icon = item.symbol.flatMap({ Symbol.glyph($0, presentation.charset) }) {
            name.append(icon.width <= 2 ? StyledLine(icon).padded(2) : StyledLine(icon))
            name.appendSpaces(1)
        }
        name.append(presentation.printable(item.name), Style(color: item.isDimmed ? nil : severity.color, bold: true))
        if let mark = severityMark { name.append(mark) }
        if item.isEdited { name.append(presentation.printable(" [editing]"), .meaning(.accent)) }
        return name
    }

    private var severityMark: StyledLine? {
        switch severity {
        case .warning: StyledLine(presentation.glyph(" ▲", ascii: " !"), nameStyle)
        case .critical: StyledLine(presentation.glyph(" ●", ascii: " !!"), nameStyle)
        case .normal, .good, .info: nil
        }
    }

    /// The name, and the age if that is informative.
    private func aged(_ name: StyledLine, width: Int) -> StyledLine {
        let isLeftOut = presentation.isLasting && !item.hasVisibleAge
        let words = isLeftOut ? "" : item.freshnessOfCard(at: presentation.now)
        var freshness = presentation.line(
            presentation.charset == .ascii ? words.replacing(" · ", by: ", ") : words, freshnessStyle)
        if hasModeSign, controls.isEmpty, item.state.runs, item.largestMode == .expanded {
            if freshness.width > 0 { freshness.appendSpaces(1) }
            let isCompact = item.mode == .compact
            freshness.append(presentation.glyph(isCompact ? "▸" : "▾", ascii: isCompact ? ">" : "v"), .dim)
        }
        if freshness.width == 0 { return presentation.truncated(name, width) }
        if name.width == 0 { return freshness }
        // A long name is cut, so that the age is always there.
        let room = max(width - freshness.width - 2, 0)
        var line = presentation.truncated(name, room).padded(room)
        line.appendSpaces(min(2, width - line.width))
        line.append(freshness)
        return presentation.truncated(line, width)
    }

    private var nameStyle: Style { Style(color: severity.color, bold: true) }

    private var freshnessStyle: Style {
        switch item.state {
        case .failing, .invalid: .meaning(.critical)
        default: item.stale ? .meaning(.warning) : .dim
        }
    }

    // MARK: Controls

    private static let controlGap = 2
    /// Controls are left out if they would leave less than this to the name and the age.
    private static let leastTitleWidth = 16

    private func controlWidth(_ controls: [CardControl]) -> Int {
        controls.reduce(0) { $0 + Self.controlGap + $1.title.utf8.count }
    }

    private func shownControls(width: Int) -> [CardControl] {
        width - controlWidth(controls) < Self.leastTitleWidth ? [] : controls
    }

    /// The control at a column of the title line.
    ///
    /// - Parameter width: the width in which the card is drawn.
    package func control(at column: Int, width: Int) -> CardControl? {
        let inner = max(width - Self.sideWidth, 1)
        let shown = shownControls(width: inner)
        var end = Self.sideWidth + inner - controlWidth(shown)
        for control in shown {
            let start = end + Self.controlGap
            end = start + control.title.utf8.count
            if (start..<end).contains(column) { return control }
        }
        return nil
    }

    // MARK: Below the title

    /// The failure comes below the last good content, without that content's empty rows.
    private func below(width: Int) -> [StyledLine] {
        let (body, failure) = (body(width: width), failure(width: width))
        if failure.isEmpty { return body }
        return body.prefix((body.lastIndex { !$0.isBlank } ?? -1) + 1) + failure
    }

    private func failure(width: Int) -> [StyledLine] {
        guard let failure = item.failure else { return [] }
        let word: String
        switch item.state {
        // The title names this state already.
        case .failing, .invalid: word = ""
        case .waiting: word = "failed: "
        default:
            // A card with content shows that instead of the failure.
            if item.content != nil { return [] }
            word = ""
        }
        let lines = presentation.printable(word + failure).wrapped(width)
        let shown = lines.prefix(extent == .whole ? lines.count : 3).map { StyledLine($0, .meaning(.critical)) }
        if lines.count <= shown.count { return shown }
        if extent == .offeredWithCommand {
            return shown.dropLast() + [rest(of: lines.count - shown.count + 1, width: width)]
        }
        var last = shown[shown.count - 1]
        last.append(presentation.ellipsis, .meaning(.critical))
        return shown.dropLast() + [presentation.truncated(last, width)]
    }

    private func body(width: Int) -> [StyledLine] {
        guard let content = item.content, !content.isEmpty else {
            return item.state == .waiting && item.failure == nil ? [presentation.line("no content yet", .dim)] : []
        }
        let layout = ViewLayout(
            presentation: presentation, mode: item.mode, isWhole: extent == .whole, isNumbered: isNumbered)
        var drawn = isNumbered ? Numbering(content, mode: item.mode).content : content
        if let percentage = content.percentage, content.compact == nil, content.expanded == nil {
            let bar = View.progress(.init(value: percentage / 100))
            drawn.compact = .stack(.init(.vertical, [.text(.init(drawn.text)), bar]))
        }
        let lines = fitted(layout.lines(drawn, width: width), width: width)
        return item.isDimmed ? lines.map(\.dimmed) : lines
    }

    /// Gives the lines the height that the widget prefers, at most the offered rows.
    private func fitted(_ all: [StyledLine], width: Int) -> [StyledLine] {
        let preferred = item.content?.rows(in: item.mode)
        let most = max(min(preferred ?? item.size.rows, item.size.rows), 1)
        // A reader does not miss blank rows, such as a bottom margin.
        let drawn = (all.lastIndex { !$0.isBlank } ?? -1) + 1
        let lines = Array(all.prefix(max(drawn, min(all.count, most))))
        if lines.count > most, extent != .whole {
            // A single row shows content rather than the count of missing lines.
            if most == 1 {
                var line = presentation.truncated(lines[0], width - presentation.ellipsis.width)
                line.append(presentation.ellipsis, .dim)
                return [line]
            }
            var rest = StyledLine()
            rest.appendSpaces(Array(lines.prefix(most - 1)).indentation)
            rest.append(self.rest(of: lines.count - most + 1, width: width - rest.width))
            return lines.prefix(most - 1) + [rest]
        }
        let missing = preferred == nil ? 0 : most - lines.count
        return lines + [StyledLine](repeating: StyledLine(), count: max(missing, 0))
    }

    /// Counts the missing lines. Names the command only if it fits whole, because a user cannot type half of it.
    private func rest(of count: Int, width: Int) -> StyledLine {
        let words = presentation.line("+ \(count) more lines", .dim)
        guard extent == .offeredWithCommand else { return words }
        let full = presentation.line("+ \(count) more lines: todayctl show \(item.id)", .dim)
        return full.width <= width ? full : words
    }
}

// MARK: - How fresh the content is

extension Item {
    /// The age of the content at `now`, since the last run that confirmed it.
    package func age(at now: WallTime) -> TimeSpan? {
        (confirmed ?? taken).map { now - $0 }
    }

    /// The state and the age in a few words, for the end of a title line.
    package func freshness(at now: WallTime) -> String {
        let age = age(at: now)?.age
        guard let stateMark, let age else { return stateMark ?? age ?? "" }
        return "\(stateMark), \(age)"
    }

    /// The state in one to three words; nil if it needs none.
    package var stateMark: String? {
        switch state {
        case .ready: stale ? "stale" : nil
        case .failing: "failing"
        case .waiting: isPlaceholder ? "no answer yet" : confirmed ?? taken == nil ? "waiting" : stale ? "stale" : nil
        case .empty, .hidden, .disabled, .invalid, .masked: state.rawValue
        }
    }

    /// Whether the content is what the widget draws before its first answer.
    var isPlaceholder: Bool {
        switch source {
        case .placeholder: true
        case .own, .pushed, .draft: false
        case nil: state == .waiting && content != nil && taken == nil
        }
    }

    /// Whether the content must look old.
    var isDimmed: Bool { stale || isPlaceholder || !state.isVisible }
}
