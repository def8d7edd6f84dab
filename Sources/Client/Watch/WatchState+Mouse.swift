// SPDX-License-Identifier: MIT

import Console
import Rendering
import TodayModel

// What the mouse does.
extension WatchState {
    mutating func handle(_ mouse: MouseEvent) -> [WatchEffect] {
        settle()
        switch mouse.button {
        case .wheelUp, .wheelDown:
            let step = mouse.button == .wheelDown ? 3 : -3
            if let helpOffset {
                self.helpOffset = max(0, min(helpOffset + step, helpLines.count - viewRows))
            } else {
                isFollowing = false
                offset += step
                settle()
            }
            return []
        case .left, .middle, .right: break
        }
        message = nil
        choice = nil
        if helpOffset != nil {
            helpOffset = nil
            return []
        }
        let page = currentPage()
        let screenRow = mouse.row - headRows
        guard (0..<viewRows).contains(screenRow),
            let index = page.grid.card(at: mouse.column, row: offset + screenRow)
        else {
            return []
        }
        let wasSelected = index == selectedIndex && !hasJustMoved
        let isStill = isFollowing
        select(index)
        // The card is on the screen, because it was clicked.
        isFollowing = isStill && wasSelected
        switch mouse.button {
        case .middle: return start(.update(page.items[index].id))
        case .right: return control(where: { $0 == .more || $0 == .less }, otherwise: nil)
        default: break
        }
        let place = page.grid.places[index]
        let column = mouse.column - page.grid.columns.start(of: place.column)
        let row = offset + screenRow - place.rows.lowerBound
        if row == 0, let control = card(page.items[index]).control(at: column, width: page.grid.columns.width) {
            return carryOut(control, page.items[index])
        }
        return wasSelected ? press(at: column, row: row, page) : []
    }

    /// A click on the selected card: on the number or the title of a target it presses that target, and elsewhere the only one.
    private mutating func press(at column: Int, row: Int, _ page: WatchPage) -> [WatchEffect] {
        let item = page.items[selectedIndex]
        let choice = TargetChoice(item)
        if choice.targets.count > 1 {
            let lines = card(item).lines(width: page.grid.columns.width)
            guard lines.indices.contains(row), let number = lines[row].target(at: column) else { return [] }
            if isNew(item) { return [] }
            return choice.deed(pressing: number).map { start($0) } ?? []
        }
        return row == 0 || choice.targets.isEmpty ? [] : press()
    }
}
