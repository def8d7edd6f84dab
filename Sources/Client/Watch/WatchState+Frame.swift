// SPDX-License-Identifier: MIT

import Console
import Rendering
import TodayModel

// What is on the screen.
extension WatchState {
    mutating func frame() -> Frame {
        settle()
        if !options.hasKeys { return frameWithoutKeys() }
        // A screen of one row has no bottom row, except for typed text.
        if size.rows == 1, choice != nil || filter?.isTyped == true { return Frame([bottomLine()], size, presentation) }
        let view = helpOffset.map { Array(helpLines.dropFirst($0)) } ?? pageLines()
        var lines = Array(view.prefix(viewRows))
        guard viewRows < size.rows else { return Frame(lines, size, presentation) }
        lines += [StyledLine](repeating: StyledLine(), count: viewRows - lines.count)
        let head = headRows == 0 ? [] : [headLine()]
        return Frame(head + lines + [bottomLine()], size, presentation)
    }

    /// The day, how many widgets are well and how many are not, and the time.
    private func headLine() -> StyledLine {
        let clock = ClockTime(presentation.now)
        let items = live.items(at: presentation.now)
        let failing = items.filter(\.state.isTrouble).count
        let stale = lostAt == nil ? items.filter { $0.stale && !$0.state.isTrouble }.count : 0
        let counts = [
            (items.count - failing - stale, "ok", Style.dim), (failing, "failing", .meaning(.critical)),
            (stale, "stale", .meaning(.warning)),
        ]
        var end = StyledLine()
        for (count, word, style) in counts where lostAt == nil && count > 0 {
            if end.width > 0 { end.append(presentation.line(" · ", .dim)) }
            end.append(presentation.line("\(count) \(word)", style))
        }
        let width = min(presentation.width, size.columns)
        let time = presentation.line(clock.short, .bold)
        if end.width + 3 + time.width > width { return presentation.truncated(time, width) }
        end.append(presentation.line(end.width > 0 ? "   " : ""))
        end.append(time)
        let day = presentation.line(clock.day ?? "", .bold)
        var line = day.width + end.width + 2 <= width ? day : StyledLine()
        line = line.padded(width - end.width)
        line.append(end)
        return line
    }

    private mutating func pageLines() -> [StyledLine] {
        let page = currentPage()
        if !page.items.isEmpty { return page.grid.lines(offset..<offset + viewRows) }
        if let filter, !filter.text.isEmpty { return [presentation.line("no widget has '\(filter.text)'", .dim)] }
        // Before the first reply nothing is known.
        return live.isCurrent || lostAt != nil ? TodayPage.notice(presentation) : []
    }

    /// The page of `todayctl show`, as far as it fits the screen.
    private mutating func frameWithoutKeys() -> Frame {
        let page = currentPage()
        var lines = page.items.isEmpty ? pageLines() : page.grid.lines
        if let lostText { lines = [presentation.line(lostText, .meaning(.warning)), StyledLine()] + lines }
        return Frame.beginning(lines, size, presentation, command: options.commandForAll)
    }

    /// How a widget is drawn.
    func card(_ item: Item) -> Card {
        let isSelected = options.hasKeys && item.id == selection
        let hasSeveral = isSelected && TargetChoice(item).targets.count > 1
        let extent: Card.Extent = isWhole ? .whole : options.hasKeys ? .offered : .offeredWithCommand
        var card = Card(item, presentation, isNumbered: options.extras.hasNumbers || hasSeveral, extent: extent)
        card.isSelected = isSelected
        card.controls = options.hasKeys ? CardControl.offered(by: item) : []
        card.isTitleOnly = isTitleOnly(item)
        return card
    }

    /// While the view is edited, a widget has one row, unless it is being edited itself.
    func isTitleOnly(_ item: Item) -> Bool { isViewEdited && !item.isEdited }

    // MARK: Help

    /// The keys in a frame, in two columns if there is room.
    var helpLines: [StyledLine] {
        let box = FramedBox(title: "Keys", width: min(presentation.width, size.columns), presentation)
        return box.lines(WatchKeys.Group.allCases.map { helpBlock($0, box.room) })
    }

    private func helpBlock(_ group: WatchKeys.Group, _ room: Int) -> [StyledLine] {
        let rows =
            WatchKeys.all.filter { $0.group == group }.map { ($0.spelling, $0.help) }
            + (group == .widget ? WatchKeys.others.map { ($0.spelling, $0.help) } : [])
        let width = 10
        let lines = rows.flatMap { spelling, help in
            presentation.line(help).wrapped(max(room - width, 12)).enumerated().map { index, text in
                var line = presentation.line(index == 0 ? spelling : "", .bold).padded(width)
                line.append(text)
                return line
            }
        }
        return [presentation.line(group.rawValue, .meaning(.accent))] + lines
    }

    // MARK: The bottom row

    private var lostText: String? {
        lostAt.map { "todayd has not answered since \(ClockTime($0)): this may be old" }
    }

    /// The meaning of the keys now, or a message; and which part of the page is shown.
    private mutating func bottomLine() -> StyledLine {
        let height = currentPage().grid.height
        let total = helpOffset == nil ? height : helpLines.count
        let first = helpOffset ?? offset
        let part = total > viewRows ? "\(first + 1)-\(min(first + viewRows, total))/\(total)" : ""
        let width = min(presentation.width, size.columns)
        // A narrow screen has room for the text only.
        let showsPart = !part.isEmpty && width >= 30
        var line = presentation.truncated(bottomText(), width - (showsPart ? part.utf8.count + 2 : 0))
        if showsPart {
            line = line.padded(width - part.utf8.count)
            line.append(presentation.printable(part), .dim)
        }
        return line
    }

    private mutating func bottomText() -> StyledLine {
        if helpOffset != nil { return presentation.line("any key closes this page", .dim) }
        if let choice {
            let question = choice.verb == .open ? "open" : "press"
            let range =
                choice.numbers.count > 1 ? " \(choice.numbers[0]) to \(choice.numbers[choice.numbers.count - 1])" : ""
            return presentation.line("\(question) number\(range): \(choice.digits)_", .bold)
        }
        if let filter, filter.isTyped { return presentation.line("/\(filter.text)_", .bold) }
        if let lostText, message?.isTrouble != true { return presentation.line(lostText, .meaning(.warning)) }
        if let message { return presentation.line(message.text, message.isTrouble ? .meaning(.critical) : .plain) }
        if let progress = underWay.lazy.compactMap(\.progress).last { return presentation.line("\(progress) …", .dim) }
        if let filter {
            return presentation.line(
                "/\(filter.text): \(currentPage().items.count) of \(candidateCount); Esc shows all", .bold)
        }
        return keyLine()
    }

    private mutating func keyLine() -> StyledLine {
        var line = StyledLine()
        for hint in hints() {
            let key = hint.prefix { $0 != " " }
            if line.width > 0 { line.append(presentation.line("  ")) }
            line.append(presentation.line(String(key), .bold))
            line.append(presentation.line(String(hint.dropFirst(key.count)), .dim))
        }
        return line
    }

    /// The keys that do something for the selected widget, and those that always do.
    private mutating func hints() -> [String] {
        // The keys that everyone needs come first, because the end of the row may be cut.
        var hints = ["? help", "q quit"] + (undoing == nil ? [] : ["z undo"])
        if let item = selectedItem() {
            let choice = TargetChoice(item)
            let controls = CardControl.offered(by: item)
            if isViewEdited {
                hints.append("J/K move")
            } else if choice.targets.count > 1 {
                hints.append("1-\(choice.targets.count) press")
            } else if !choice.targets.isEmpty {
                hints.append("Enter press")
            }
            if !isViewEdited, !choice.openable.isEmpty { hints.append("o open") }
            for control in controls {
                switch control {
                case .more, .less: hints.append("Space \(control.title)")
                case .info, .done: hints.append("i \(control.title)")
                case .cancel: hints.append("Esc \(control.title)")
                case .hidden: break
                }
            }
            if !isViewEdited { hints.append("u update") }
            hints.append(controls.contains(.hidden) ? "h show" : "h hide")
        }
        return hints + [isViewEdited ? "e done" : "e edit", "/ filter"]
    }
}
