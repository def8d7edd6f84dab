// SPDX-License-Identifier: MIT

import Console
import Glibc
import Link
import Platform
import Rendering
import Spelling
import TodayModel

/// A list of widgets to add, from which the user chooses with keys. It is a pure value: keys go in, a frame comes out.
package struct OfferChoice {
    enum Answer: Equatable {
        case none, chosen(Offer), left
    }

    let offers: [Offer]
    private(set) var selected = 0
    private(set) var filter = ""

    init(_ offers: [Offer]) { self.offers = offers }

    /// The offers that match the typed text.
    var fitting: [Offer] {
        let words = filter.lowercased()
        return words.isEmpty
            ? offers : offers.filter { "\($0.id) \($0.name) \($0.summary ?? "")".lowercased().includes(words) }
    }

    mutating func handle(_ event: TerminalEvent) -> Answer {
        let fitting = fitting
        switch event {
        case .key(.down):
            selected = min(selected + 1, max(fitting.count - 1, 0))
        case .key(.up): selected = max(selected - 1, 0)
        case .key(.home), .key(.pageUp): selected = 0
        case .key(.end), .key(.pageDown): selected = max(fitting.count - 1, 0)
        case .key(.enter): return fitting.indices.contains(selected) ? .chosen(fitting[selected]) : .none
        case .key(.escape):
            if filter.isEmpty { return .left }
            (filter, selected) = ("", 0)
        case .key(.control("c")), .key(.control("d")): return .left
        case .key(.backspace): if !filter.isEmpty { (filter, selected) = (String(filter.dropLast()), 0) }
        case .key(.text(let letter)):
            if filter.utf8.count < 60 { filter.unicodeScalars.append(letter) }
            selected = 0
        default: break
        }
        return .none
    }

    func frame(_ size: Size, _ presentation: Presentation) -> Frame {
        let fitting = fitting
        var presentation = presentation
        presentation.width = size.columns
        let title = filter.isEmpty ? "Add a widget" : "Add a widget: \(filter)"
        var details = fitting.indices.contains(selected) ? OfferTable.details(fitting[selected], presentation) : []
        details = Array(details.prefix(max(size.rows / 2 - 2, 0)))
        let room = max(size.rows - details.count - 5, 1)
        let first = max(selected - room + 1, 0)
        let table = OfferTable(fitting, presentation).lines
        var lines = [presentation.line(title, .bold)]
        lines += table.prefix(1).map { head in
            var line = presentation.line("  ")
            line.append(head)
            return line
        }
        for (index, line) in table.dropFirst().enumerated().dropFirst(first).prefix(room) {
            var row = presentation.line(index == selected ? "▸ " : "  ", .meaning(.accent))
            row.append(line)
            lines.append(row)
        }
        if fitting.isEmpty { lines.append(presentation.line("  nothing has \"\(filter)\"", .dim)) }
        lines += [StyledLine]([StyledLine()]) + details
        lines += [StyledLine](repeating: StyledLine(), count: max(size.rows - lines.count - 1, 0))
        let keys = "Enter adds   ↑ ↓ choose   type to search   Esc ends"
        return Frame(lines + [presentation.line(keys, .dim)], size, presentation)
    }
}

extension OfferChoice {
    /// Lets the user choose on the terminal.
    ///
    /// - Returns: nil if the user chooses none.
    package static func ask(_ offers: [Offer], _ output: CommandOutput) throws -> Offer? {
        let screen = try LiveScreen(output)
        defer { screen.leave() }
        var choice = OfferChoice(offers)
        var input = TerminalInput()
        while true {
            screen.show(choice.frame(output.screenSize, output.presentation))
            var polls = screen.descriptors.map { pollfd(reading: $0) }
            let pause = input.deadline.map { $0 - .now }
            _ = poll(&polls, nfds_t(polls.count), TimeSpan.pollMilliseconds(pause))
            switch screen.readSignals() {
            case .quit: return nil
            case .redraw: screen.forget()
            case nil: break
            }
            let bytes = screen.readKeys()
            if bytes?.isEmpty == true { return nil }
            for event in bytes.map({ input.read($0, at: .now) }) ?? input.timeOut(at: .now) {
                switch choice.handle(event) {
                case .none: continue
                case .chosen(let offer): return offer
                case .left: return nil
                }
            }
        }
    }
}
