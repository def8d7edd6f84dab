// SPDX-License-Identifier: MIT

import Rendering
import TodayModel

// Whether a widget that can be expanded shows more then.
extension FileReport {
    /// The widget of the trial if its user can expand it but would see no difference. A script without a manifest has not said
    /// that it can be expanded.
    var itemWithOneView: Item? {
        guard kind == .manifest, let trial, trial.run?.result != .failed, trial.item.largestMode == .expanded,
            trial.item.content?.isEmpty == false
        else { return nil }
        return trial.item.lines(in: .compact) == trial.item.lines(in: .expanded) ? trial.item : nil
    }
}

extension Item {
    func hasSameViews(as other: Item) -> Bool { lines(in: .compact) == other.lines(in: .compact) }

    /// The rows of the widget in the standard room of a mode.
    fileprivate func lines(in mode: DisplayMode) -> [String] {
        var item = self
        (item.mode, item.size) = (mode, mode.maximumSize)
        var card = Card(item, Presentation(width: item.size.columns + 2, now: item.taken ?? WallTime(microseconds: 0)))
        card.hasModeSign = false
        return card.lines(width: item.size.columns + 2).map { $0.text() }
    }
}

extension DisplayMode {
    var other: DisplayMode { self == .compact ? .expanded : .compact }
}
