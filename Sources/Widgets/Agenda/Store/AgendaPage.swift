// SPDX-License-Identifier: MIT
import TodayModel

/// As many items as there is room for, one in a row, and how many there are besides.
package struct AgendaPage: Hashable, Sendable {
    package let shown: [AgendaItem]
    /// In words; nil where all are shown.
    package let more: String?

    package init(items: [AgendaItem], rows: Int) {
        let room = max(rows, 2)
        guard items.count > room else {
            shown = items
            more = nil
            return
        }
        // The last row says that there is more.
        shown = Array(items.prefix(room - 1))
        more = "and \(items.count - shown.count) more: agenda list"
    }
}

/// The names of the buttons' actions: `done 12`.
package enum AgendaAction {
    package static func done(_ item: AgendaItem) -> String { "done \(item.number)" }

    /// The number of the item; nil for any other name.
    package static func itemToDo(_ action: String) -> Int? {
        let words = action.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 2, words[0] == "done", words[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Int(words[1])
    }
}

extension AgendaItem {
    /// The title as todayd takes it, whichever program has written it into the database.
    package var shownTitle: String {
        func isFine(_ text: String) -> Bool { PlainText.complaint(about: text, allowingLines: false) == nil }
        var text = title
        if !isFine(text) {
            text = String(String.UnicodeScalarView(text.unicodeScalars.map { isFine(String($0)) ? $0 : "?" }))
        }
        // Heaps of marks on one letter, say: what is left is plain enough.
        if !isFine(text) { text.unicodeScalars.removeAll { !(0x20..<0x7f).contains($0.value) } }
        while text.utf8.count > AgendaTitle.mostBytes { text.removeLast() }
        return text.allSatisfy(\.isWhitespace) ? "item \(number)" : text
    }
}
