// SPDX-License-Identifier: MIT
import AgendaStore
import JSON
import Platform

/// Items as they are printed.
struct AgendaListing {
    let items: [AgendaItem]
    let today: CivilDay

    /// Number, day and title in columns.
    var text: String {
        if items.isEmpty { return "Nothing to do." }
        let rows = items.map { ("\($0.number)", $0.words(on: today), $0.title) }
        let widths = (rows.map(\.0.count).max() ?? 0, rows.map(\.1.count).max() ?? 0)
        return rows.map { number, day, title in
            let before = String(repeating: " ", count: widths.0 - number.count)
            let after = String(repeating: " ", count: widths.1 - day.count)
            return "\(before)\(number)  \(day)\(after)  \(title)"
        }
        .joined(separator: "\n")
    }

    var json: String {
        let list = items.map { item -> JSON in
            [
                "number": JSON(item.number), "title": .string(item.title), "due": .string(item.due.text),
                "state": .string(item.standing(on: today).rawValue),
            ]
        }
        let page: JSON = ["today": .string(today.text), "items": .array(list)]
        return page.pretty + "\n"
    }
}
