// SPDX-License-Identifier: MIT

import TodayModel

/// What a reader of a view has still to be told: no more than one entry for each widget, however many changes there were.
package struct FeedNews: Sendable {
    package enum News: Hashable, Sendable {
        case nothing
        /// todayd does not answer.
        case lost
        /// All cards.
        case whole
        /// The cards that have changed, and those that are gone.
        case some(changed: Set<WidgetID>, removed: [WidgetID])
    }

    private var news = News.nothing

    package init() {}

    package mutating func restart() { news = .whole }

    package mutating func lose() { news = .lost }

    package mutating func note(_ changed: [WidgetID], removed: [WidgetID]) {
        switch news {
        case .whole, .lost: break
        case .nothing:
            news = .some(changed: Set(changed), removed: Set(removed).subtracting(changed).sorted())
        case .some(let before, let gone):
            let all = before.subtracting(removed).union(changed)
            news = .some(changed: all, removed: Set(gone).union(removed).subtracting(changed).sorted())
        }
    }

    package mutating func take() -> News {
        defer { news = .nothing }
        return news
    }
}
