// SPDX-License-Identifier: MIT
import Platform
import TodayModel

/// Something to do by a day.
package struct AgendaItem: Hashable, Sendable {
    /// What the user and the buttons call it. No other item ever gets the number, so an old button cannot act on a new
    /// item.
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

// MARK: - On a day

extension AgendaItem {
    package enum State: String, Hashable, Sendable {
        case overdue, today, later, done
    }

    package func state(on today: CivilDay) -> State {
        if isDone { return .done }
        if due == today { return .today }
        return due < today ? .overdue : .later
    }

    /// Whether the widget shows the item: it is to be done today, or overdue.
    package func isDue(on today: CivilDay) -> Bool { !isDone && due <= today }

    /// When the item is due, in words.
    package func dueText(on today: CivilDay) -> String {
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

// MARK: - Titles

/// A title is one line of text that todayd accepts, and of at most 500 bytes.
package enum AgendaTitle {
    package static let byteLimit = 500

    /// - Returns: the title without the spaces around it.
    /// - Throws: `AgendaError.badTitle`.
    package static func checked(_ text: String) throws(AgendaError) -> String {
        let title = String(text.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
        if title.isEmpty { throw .badTitle("it is empty; say what is to be done: agenda add \"Call Ada\"") }
        if let complaint = PlainText.complaint(about: title, allowingLines: false) {
            throw .badTitle("it \(complaint)")
        }
        if title.utf8.count > byteLimit { throw .badTitle("it is longer than \(byteLimit) bytes; make it shorter") }
        return title
    }
}

extension AgendaItem {
    /// The title as text that todayd accepts. Another program may have written any title into the database.
    package var shownTitle: String {
        func isAccepted(_ text: String) -> Bool { PlainText.complaint(about: text, allowingLines: false) == nil }
        var text = title
        if !isAccepted(text) {
            text = String(String.UnicodeScalarView(text.unicodeScalars.map { isAccepted(String($0)) ? $0 : "?" }))
        }
        // Characters that are accepted one by one may be refused together, such as hundreds of marks on one letter.
        if !isAccepted(text) { text.unicodeScalars.removeAll { !(0x20..<0x7f).contains($0.value) } }
        while text.utf8.count > AgendaTitle.byteLimit { text.removeLast() }
        return text.allSatisfy(\.isWhitespace) ? "item \(number)" : text
    }
}
