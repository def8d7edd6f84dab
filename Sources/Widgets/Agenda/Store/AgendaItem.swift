// SPDX-License-Identifier: MIT
import Platform
import TodayModel

/// Something to do by a day.
package struct AgendaItem: Hashable, Sendable {
    /// What people and buttons call it. Never given to another item, so that an old button cannot hit a new one.
    package let number: Int
    package let title: String
    package let due: CivilDay
    package let isDone: Bool

    package init(number: Int, title: String, due: CivilDay, isDone: Bool = false) {
        self.number = number
        self.title = title
        self.due = due
        self.isDone = isDone
    }
}

/// How an item stands on a day.
package enum AgendaStanding: String, Hashable, Sendable {
    case overdue, today, later, done
}

extension AgendaItem {
    package func standing(on today: CivilDay) -> AgendaStanding {
        if isDone { return .done }
        if due == today { return .today }
        return due < today ? .overdue : .later
    }

    /// Whether it is the widget's affair: to be done today, or already late.
    package func isDue(on today: CivilDay) -> Bool { !isDone && due <= today }

    /// When it is due, seen from a day, in words.
    package func words(on today: CivilDay) -> String {
        if isDone { return "done" }
        switch due.number - today.number {
        case 0: return "today"
        case 1: return "tomorrow"
        case -1: return "since yesterday"
        case ..<0: return "since \(due.text)"
        default: return due.text
        }
    }
}

/// What a title may be: one line that todayd takes as text, and no longer than people read.
package enum AgendaTitle {
    package static let mostBytes = 500

    /// Without the spaces around it; throws what is wrong with it.
    package static func checked(_ text: String) throws(AgendaError) -> String {
        let title = String(text.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
        if title.isEmpty { throw .badTitle("it is empty; say what is to be done: agenda add \"Call Ada\"") }
        if let complaint = PlainText.complaint(about: title, allowingLines: false) {
            throw .badTitle("it \(complaint)")
        }
        if title.utf8.count > mostBytes { throw .badTitle("it is longer than \(mostBytes) bytes; make it shorter") }
        return title
    }
}
