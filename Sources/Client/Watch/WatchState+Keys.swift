// SPDX-License-Identifier: MIT

import Rendering
import TodayModel

// The effects of keys, pasted text and the mouse.
extension WatchState {
    mutating func handle(_ event: TerminalEvent) -> [WatchEffect] {
        guard options.hasKeys else { return [] }
        settle()
        isHandling = true
        defer {
            settle()
            isHandling = false
        }
        switch event {
        case .key(let key): return handle(key)
        case .mouse(let mouse): return handle(mouse)
        case .paste(let text):
            if filter?.isTyped == true { type(text) }
            return []
        case .ground: return []
        }
    }

    mutating func handle(_ key: Key) -> [WatchEffect] {
        let action = WatchKeys.action(of: key)
        switch action {
        case .redraw: return [.redraw]
        case .suspend: return [.suspend]
        case .quit where key == .control("c"): return [.quit]
        default: break
        }
        message = nil
        if helpOffset != nil { return handleHelp(action) }
        if choice != nil { return handleChoice(key) }
        if filter?.isTyped == true, handleTyping(key) { return [] }
        let digit: Unicode.Scalar? =
            if case .text(let scalar) = key, ("1"..."9").contains(scalar) { scalar } else { nil }
        if hasJustMoved, digit != nil || action?.concernsSelection == true {
            // A held key goes on to mean the previous widget.
            selectionMoved = clock
            message = Message(text: "another widget is selected by now: nothing was done", isTrouble: true)
            return []
        }
        if let digit { return begin(with: digit) }
        if action?.isMovement == true { selectionMoved = nil }
        return action.map { perform($0) } ?? []
    }

    private mutating func perform(_ action: WatchAction) -> [WatchEffect] {
        switch action {
        case .next, .previous: step(action == .next ? 1 : -1)
        case .left, .right: stepAside(action == .right ? 1 : -1)
        case .pageDown, .pageUp: turnPage(action == .pageDown ? 1 : -1)
        case .first: select(0)
        case .last: select(currentPage().items.count - 1)
        case .press: return press()
        case .toggle: return control(where: { $0 == .more || $0 == .less }, otherwise: "has one view only")
        case .editWidget: return control(where: { $0 == .info || $0 == .done }, otherwise: "has nothing to edit")
        case .open: return open()
        case .update: return selectedItem().map { start(.update($0.id)) } ?? []
        case .updateAll: return start(.update(nil))
        case .hide: return hide()
        case .undo:
            if let deed = takeUndo() { return start(deed) }
            message = Message(text: "there is nothing to undo: it can be undone for ten seconds")
        case .moveDown, .moveUp: return move(action == .moveDown ? .after : .before)
        case .add: return [.add]
        case .editView: editView()
        case .filter:
            filter = Filter()
            invalidate()
        case .wholeCards:
            isWhole.toggle()
            forgetCards()
        case .help: helpOffset = 0
        case .cancel: return cancel()
        case .redraw, .suspend: break
        case .quit: return [.quit]
        }
        return []
    }

    // MARK: Help, numbers and the filter

    private mutating func handleHelp(_ action: WatchAction?) -> [WatchEffect] {
        let page = max(viewRows - 1, 1)
        let step: Int
        switch action {
        case .next: step = 1
        case .previous: step = -1
        case .pageDown: step = page
        case .pageUp: step = -page
        case .quit: return [.quit]
        default:
            helpOffset = nil
            return []
        }
        helpOffset = max(0, min((helpOffset ?? 0) + step, helpLines.count - viewRows))
        return []
    }

    private mutating func handleChoice(_ key: Key) -> [WatchEffect] {
        guard var choice else { return [] }
        self.choice = nil
        switch key {
        case .text(let scalar) where ("0"..."9").contains(scalar):
            switch choice.add(scalar) {
            case .one(let number): return carryOut(choice, number)
            case .open: self.choice = choice
            case .none: message = Message(text: "there is no \(choice.digits)", isTrouble: true)
            }
        case .backspace:
            choice.removeDigit()
            self.choice = choice
        case .enter: return choice.number.map { carryOut(choice, $0) } ?? []
        default: break
        }
        return []
    }

    /// - Returns: whether the key belongs to the text.
    private mutating func handleTyping(_ key: Key) -> Bool {
        switch key {
        case .text(let scalar): type(String(scalar))
        case .backspace:
            if filter?.text.isEmpty == true { filter = nil } else { filter?.text.removeLast() }
        case .control("u"): filter?.text = ""
        case .enter: if filter?.text.isEmpty == true { filter = nil } else { filter?.isTyped = false }
        case .escape: filter = nil
        default: return WatchKeys.action(of: key).map { !$0.isMovement } ?? true
        }
        invalidate()
        isFollowing = true
        return true
    }

    private mutating func type(_ text: String) {
        guard let filter, filter.text.utf8.count + text.utf8.count <= Filter.mostBytes else { return }
        self.filter?.text += text
        invalidate()
    }

    private mutating func cancel() -> [WatchEffect] {
        if filter != nil {
            filter = nil
        } else if selectedItem()?.isEdited == true {
            return control(where: { $0 == .cancel }, otherwise: nil)
        } else if isViewEdited {
            isViewEdited = false
            forgetCards()
        }
        invalidate()
        return []
    }

    private mutating func editView() {
        if options.areNamed {
            message = Message(text: "widgets that are named are not edited as a view: todayctl watch shows all")
            return
        }
        isViewEdited.toggle()
        isFollowing = true
        forgetCards()
    }

    // MARK: Moving the selection

    mutating func select(_ index: Int) {
        let items = currentPage().items
        guard items.indices.contains(index) else { return }
        selection = items[index].id
        selectionMoved = nil
        selectedIndex = index
        isFollowing = true
        invalidate()
    }

    /// Down or up in the column, and from its end into the next one. A card that is longer than the screen scrolls first.
    private mutating func step(_ step: Int) {
        let grid = currentPage().grid
        guard grid.places.indices.contains(selectedIndex) else { return }
        isFollowing = true
        let rows = grid.places[selectedIndex].rows
        if rows.count > viewRows, step > 0 ? offset + viewRows < rows.upperBound : offset > rows.lowerBound {
            offset += step * max(viewRows / 2, 1)
            return
        }
        let order = grid.places.indices.sorted {
            (grid.places[$0].column, $0) < (grid.places[$1].column, $1)
        }
        guard let place = order.firstIndex(of: selectedIndex), order.indices.contains(place + step) else { return }
        select(order[place + step])
    }

    /// To the nearest card in the column beside.
    private mutating func stepAside(_ step: Int) {
        let places = currentPage().grid.places
        guard places.indices.contains(selectedIndex) else { return }
        let here = places[selectedIndex]
        let beside = places.indices.filter { places[$0].column == here.column + step }
        let nearest = beside.min {
            abs(places[$0].rows.lowerBound - here.rows.lowerBound)
                < abs(places[$1].rows.lowerBound - here.rows.lowerBound)
        }
        if let nearest { select(nearest) }
    }

    /// One screen further: to the first card of the column that begins there.
    private mutating func turnPage(_ step: Int) {
        let grid = currentPage().grid
        guard grid.places.indices.contains(selectedIndex) else { return }
        let target = offset + step * max(viewRows - 1, 1)
        let column = grid.places.indices.filter { grid.places[$0].column == grid.places[selectedIndex].column }
        offset = max(0, min(target, grid.height - viewRows))
        // At either end there is nothing further to scroll to.
        let atEnd = step > 0 ? target >= grid.height - viewRows : target <= 0
        let card =
            atEnd
            ? (step > 0 ? column.last : column.first)
            : column.last { grid.places[$0].rows.lowerBound <= offset } ?? column.first
        let shown = offset
        if let card { select(card) }
        if !atEnd, let card, grid.places[card].rows.lowerBound < shown, grid.places[card].rows.count <= viewRows {
            // Goes past the card that the edge cuts.
            if step > 0, let next = column.first(where: { $0 > card }) { select(next) }
        }
    }
}

extension WatchAction {
    /// Whether it only moves the selection, which the user may do while typing a filter.
    fileprivate var isMovement: Bool {
        switch self {
        case .next, .previous, .left, .right, .pageDown, .pageUp, .first, .last: true
        default: false
        }
    }

    /// Whether it does something to the selected widget.
    fileprivate var concernsSelection: Bool {
        switch self {
        case .press, .toggle, .open, .update, .hide, .moveDown, .moveUp, .editWidget: true
        default: false
        }
    }
}
