// SPDX-License-Identifier: MIT

import TodayModel

/// Events in the form of text/event-stream, which EventSource of a browser reads.
package enum EventStream {
    package static let type = "text/event-stream; charset=utf-8"

    /// The time in milliseconds after which the browser connects again.
    package static let opening = Array("retry: 2000\n\n".utf8)

    /// A comment, which a browser ignores. Writing it reveals whether the client is still there.
    package static let pulse = Array(":\n\n".utf8)

    /// Each line of the data is a field of its own, so no text can end the event.
    package static func event(_ name: String, _ data: String) -> [UInt8] {
        var bytes = Array("event: \(name)\n".utf8)
        var line: [UInt8] = []
        func end() {
            bytes += Array("data: ".utf8) + line + [UInt8(ascii: "\n")]
            line.removeAll(keepingCapacity: true)
        }
        var previous: UInt8 = 0
        for byte in data.utf8 {
            switch byte {
            case UInt8(ascii: "\r"): end()
            case UInt8(ascii: "\n"): if previous != UInt8(ascii: "\r") { end() }
            default: line.append(byte)
            }
            previous = byte
        }
        end()
        bytes.append(UInt8(ascii: "\n"))
        return bytes
    }
}

/// What a reader of a view has yet to be told: at most one entry for each widget, however many changes there were.
package struct FeedNews: Sendable {
    package enum News: Hashable, Sendable {
        case nothing
        /// todayd does not answer.
        case lost
        /// All cards.
        case whole
        /// The cards that have changed, and those that have gone.
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
