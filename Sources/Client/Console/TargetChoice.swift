// SPDX-License-Identifier: MIT

import Link
import Rendering
import Spelling
import TodayModel

/// Finds the button, the link or the item of a widget that a word on the command line means.
package struct TargetChoice {
    package enum Found: Equatable {
        case one(Numbering.Target)
        /// The numbers of all targets that match the word.
        case several([Int])
        case none
    }

    package let item: Item
    package let targets: [Numbering.Target]

    package init(_ item: Item) {
        self.item = item
        targets = item.content.map { Numbering($0, mode: item.mode).targets } ?? []
    }

    /// The meaning of a word to press: an action in either display mode, otherwise a number, otherwise a title, otherwise the
    /// text beside buttons. A button wins over links and commands of the same title.
    package func pressed(_ word: String) -> Found {
        if let action = item.content?.actions.first(where: { $0.isSame(as: word) }) {
            return .one(Numbering.Target(title: action, action: action))
        }
        if let target = target(withNumber: word) { return .one(target) }
        let titled = numbers(titled: word) { $0.action != nil }
        let beside = targets.indices.filter { targets[$0].row?.isSame(as: word) ?? false }.map { $0 + 1 }
        let found = [titled, numbers(titled: word) { _ in true }, beside].first { !$0.isEmpty } ?? []
        return only(found) { $0.hasSameEffect(as: $1) }
    }

    /// The link that a word means: the URL itself, otherwise a number, otherwise a title. Without a word, the only URL.
    package func link(_ word: String?) -> Found {
        guard let word else { return only(openable) { $0.url == $1.url } }
        if let target = targets.first(where: { $0.url?.isSame(as: word) ?? false }) { return .one(target) }
        if let target = target(withNumber: word) { return .one(target) }
        return only(numbers(titled: word) { $0.url != nil }) { $0.url == $1.url }
    }

    /// The targets with these numbers, as lines to choose from.
    package func list(_ numbers: [Int]) -> [String] {
        numbers.map { number in
            let target = targets[number - 1]
            let command = target.command.map { ShellWords.text(of: $0.arguments) }
            let update = target.updates ? "update" : nil
            let effects = [target.action, target.url, command, update].compactMap { $0 }.joined(separator: ", ")
            return "\(number): \(target.title)\(target.row.map { "  \($0)" } ?? "") (\(effects))"
        }
    }

    /// The numbers of all links.
    package var openable: [Int] { targets.indices.filter { targets[$0].url != nil }.map { $0 + 1 } }

    // MARK: By number and by title

    private func target(withNumber word: String) -> Numbering.Target? {
        guard word.utf8.areDigits, let number = Int(word), targets.indices.contains(number - 1)
        else { return nil }
        return targets[number - 1]
    }

    private func numbers(titled word: String, where fits: (Numbering.Target) -> Bool) -> [Int] {
        targets.indices
            .filter { targets[$0].hasTitle && targets[$0].title.isSame(as: word) && fits(targets[$0]) }.map { $0 + 1 }
    }

    /// The target, if there is one or all do the same.
    private func only(_ numbers: [Int], _ isSame: (Numbering.Target, Numbering.Target) -> Bool) -> Found {
        guard let first = numbers.first.map({ targets[$0 - 1] }) else { return .none }
        return numbers.allSatisfy { isSame(targets[$0 - 1], first) } ? .one(first) : .several(numbers)
    }
}

// MARK: - Errors

extension TargetChoice {
    package func ambiguous(_ word: String, _ numbers: [Int]) -> ClientError {
        ClientError("'\(word)' could be any of these; name one by its number:\(indented(numbers))")
    }

    package func unknown(_ word: String?, verb: String, _ numbers: [Int]) -> ClientError {
        if numbers.isEmpty {
            let more = hasMore ? "; there is more in its expanded view: todayctl expand \(item.id)" : ""
            return ClientError("\(item.id) shows nothing to \(verb)\(more)")
        }
        guard let word else {
            return ClientError("\(item.id) shows several things to \(verb); name one:\(indented(numbers))")
        }
        return ClientError("\(item.id) shows nothing called '\(word)' to \(verb); there is:\(indented(numbers))")
    }

    /// Whether the expanded view has targets that the compact one has not.
    private var hasMore: Bool {
        guard item.mode < item.largestMode, let content = item.content else { return false }
        return !Numbering(content, mode: .expanded).targets.isEmpty
    }

    private func indented(_ numbers: [Int]) -> String { list(numbers).map { "\n  \($0)" }.joined() }
}

extension Numbering.Target {
    package func hasSameEffect(as other: Self) -> Bool {
        (action, url, command, updates) == (other.action, other.url, other.command, other.updates)
    }
}

extension String {
    /// Compares byte by byte, as todayd does.
    fileprivate func isSame(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
