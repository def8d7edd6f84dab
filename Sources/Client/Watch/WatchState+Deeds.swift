// SPDX-License-Identifier: MIT

import Console
import Rendering
import TodayModel

// The deeds for the selected widget.
extension WatchState {
    /// A deed that is under way is not started again, because a held key repeats.
    func start(_ deed: WatchDeed) -> [WatchEffect] { underWay.contains(deed) ? [] : [.start(deed)] }

    // MARK: Press and open

    /// Presses the only target of the widget. If there are several, it shows more of the widget, as in a bar.
    mutating func press() -> [WatchEffect] {
        guard let item = selectedItem() else { return [] }
        let controls = CardControl.offered(by: item)
        if controls.contains(.hidden) { return carryOut(.hidden, item) }
        let choice = TargetChoice(item)
        let areSame = choice.targets.dropFirst().allSatisfy { $0.hasSameEffect(as: choice.targets[0]) }
        if !choice.targets.isEmpty, areSame, !isTitleOnly(item) {
            if isNew(item) { return [] }
            return choice.deed(pressing: 1).map { start($0) } ?? []
        }
        if let mode = controls.first(where: { $0 == .more || $0 == .less }), choice.targets.isEmpty || mode == .more {
            return carryOut(mode, item)
        }
        if choice.targets.isEmpty || isTitleOnly(item) {
            message = Message(text: "\(item.name) offers nothing to press")
        } else {
            self.choice = NumberChoice(.press, of: choice)
        }
        return []
    }

    mutating func begin(with digit: Unicode.Scalar) -> [WatchEffect] {
        guard let item = selectedItem(), !isTitleOnly(item) else { return [] }
        var choice = NumberChoice(.press, of: TargetChoice(item))
        switch choice.add(digit) {
        case .one(let number): return carryOut(choice, number)
        case .open: self.choice = choice
        case .none: message = Message(text: "\(item.name) has no \(digit)", isTrouble: true)
        }
        return []
    }

    mutating func carryOut(_ choice: NumberChoice, _ number: Int) -> [WatchEffect] {
        guard let item = currentPage().items.first(where: { $0.id == choice.widget }) else { return [] }
        let now = TargetChoice(item)
        guard now.targets == choice.targets else {
            refuse(item)
            return []
        }
        if isNew(item) { return [] }
        switch choice.verb {
        case .press: return now.deed(pressing: number).map { start($0) } ?? []
        case .open: return now.targets[number - 1].url.map { start(.open(item.id, url: $0)) } ?? []
        }
    }

    /// Whether the widget's targets changed so recently that the user may mean the earlier ones. If so, says it.
    mutating func isNew(_ item: Item) -> Bool {
        guard let changed = targetsChanged[item.id], clock - changed < Self.attention else { return false }
        refuse(item)
        return true
    }

    private mutating func refuse(_ item: Item) {
        message = Message(text: "\(item.name) offers other things by now: nothing was pressed", isTrouble: true)
    }

    mutating func open() -> [WatchEffect] {
        guard let item = selectedItem() else { return [] }
        let choice = TargetChoice(item)
        switch choice.link(nil) {
        case .one(let target): return isNew(item) ? [] : target.url.map { start(.open(item.id, url: $0)) } ?? []
        case .several: self.choice = NumberChoice(.open, of: choice)
        case .none: message = Message(text: "\(item.name) shows no link")
        }
        return []
    }

    // MARK: The widget as a whole

    /// - Parameter words: what to say if the widget has no such control.
    mutating func control(where fits: (CardControl) -> Bool, otherwise words: String?) -> [WatchEffect] {
        guard let item = selectedItem() else { return [] }
        if let control = CardControl.offered(by: item).first(where: fits) { return carryOut(control, item) }
        message = words.map { Message(text: "\(item.name) \($0)") }
        return []
    }

    func carryOut(_ control: CardControl, _ item: Item) -> [WatchEffect] {
        switch control {
        case .more: start(.mode(item.id, .expanded))
        case .less: start(.mode(item.id, .compact))
        case .info: start(.edit(item.id, .begin))
        case .done: start(.edit(item.id, .done))
        case .cancel: start(.edit(item.id, .cancel))
        case .hidden: item.cure.map { start(.show(item.id, by: $0)) } ?? []
        }
    }

    mutating func hide() -> [WatchEffect] {
        guard let item = selectedItem() else { return [] }
        return CardControl.offered(by: item).contains(.hidden)
            ? carryOut(.hidden, item) : start(.hide(item.id, options.point))
    }

    // MARK: Order

    mutating func move(_ place: WatchDeed.Place) -> [WatchEffect] {
        if options.areNamed || (options.order != .order && !isViewEdited) {
            let reason = options.areNamed ? "they are in the order of the names" : "they are sorted by relevance"
            message = Message(text: "widgets are not moved while \(reason)")
            return []
        }
        guard let item = selectedItem() else { return [] }
        isFollowing = true
        // A move that the view does not show in time holds nothing up.
        _ = moves.isWaiting(for: currentPage().items.map(\.id), at: clock)
        moves.hold(WatchMoves.Step(id: item.id, place: place))
        return nextMove()
    }

    /// The first of the waiting moves, once the view shows the previous one. Moves that lead nowhere are left out.
    mutating func nextMove() -> [WatchEffect] {
        if moves.isEmpty || underWay.contains(where: \.isMove) { return [] }
        let shown = currentPage().items.map(\.id)
        if moves.isWaiting(for: shown, at: clock) { return [] }
        while let step = moves.next() {
            guard let index = shown.firstIndex(of: step.id) else { continue }
            let other = index + (step.place == .after ? 1 : -1)
            if shown.indices.contains(other) { return start(.move(step.id, place: step.place, other: shown[other])) }
        }
        return []
    }
}
