// SPDX-License-Identifier: MIT

import Rendering
import TodayModel

/// Finds the button or the link of a widget that a word on the command line means.
struct TargetChoice {
    enum Found: Equatable {
        /// The name of an action, or a URL.
        case one(String)
        /// The numbers of all targets that the word fits.
        case several([Int])
        /// The number of a link where a button is wanted, or of a button where a link is wanted.
        case otherKind(Int)
        /// The number of an item whose only effect is an update.
        case update(Int)
        /// The number of an item with a command, and its words.
        case command(Int, [String])
        case none
    }

    let item: Item
    let targets: [Numbering.Target]

    init(_ item: Item) {
        self.item = item
        targets = item.content.map { Numbering($0, mode: item.mode).targets } ?? []
    }

    /// The action that a word means: the action itself in either display mode, or else a number, or else a title.
    func action(_ word: String) -> Found {
        if let action = item.content?.actions.first(where: { $0.isSame(as: word) }) { return .one(action) }
        return found(word, \.action)
    }

    /// The URL that a word means: the URL itself, or else a number, or else a title. Without a word, the only URL.
    func url(_ word: String?) -> Found {
        guard let word else { return only(numbers(\.url) { _ in true }, \.url) }
        if let url = targets.lazy.compactMap(\.url).first(where: { $0.isSame(as: word) }) { return .one(url) }
        return found(word, \.url)
    }

    /// The targets with these numbers, as lines to choose from.
    func list(_ numbers: [Int]) -> [String] {
        numbers.map { number in
            let target = targets[number - 1]
            let details = [target.action, target.url].compactMap { $0 }.joined(separator: ", ")
            return "\(number): \(target.title) (\(details))"
        }
    }

    var pressable: [Int] { numbers(\.action) { _ in true } }
    var openable: [Int] { numbers(\.url) { _ in true } }

    // MARK: By number and by title

    private typealias Effect = KeyPath<Numbering.Target, String?>

    private func found(_ word: String, _ effect: Effect) -> Found {
        if !word.isEmpty, word.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }), let number = Int(word),
            (1...max(targets.count, 1)).contains(number), !targets.isEmpty
        {
            return targets[number - 1][keyPath: effect].map(Found.one) ?? other(number)
        }
        return only(numbers(effect) { $0.hasTitle && $0.title.isSame(as: word) }, effect)
    }

    /// What a target is that has not the wanted effect.
    private func other(_ number: Int) -> Found {
        let target = targets[number - 1]
        if let command = target.command { return .command(number, command.arguments) }
        return target.url == nil && target.action == nil && target.updates ? .update(number) : .otherKind(number)
    }

    private func numbers(_ effect: Effect, where fits: (Numbering.Target) -> Bool) -> [Int] {
        targets.indices.filter { targets[$0][keyPath: effect] != nil && fits(targets[$0]) }.map { $0 + 1 }
    }

    /// The effect that all these targets have, if they have the same one.
    private func only(_ numbers: [Int], _ effect: Effect) -> Found {
        let effects = numbers.compactMap { targets[$0 - 1][keyPath: effect] }
        guard let first = effects.first else { return .none }
        return effects.allSatisfy { $0.isSame(as: first) } ? .one(first) : .several(numbers)
    }
}

// MARK: - Errors

extension TargetChoice {
    func ambiguous(_ word: String, _ numbers: [Int]) -> ClientError {
        ClientError("'\(word)' could be any of these; name one by its number:\(indented(numbers))")
    }

    /// The host of a widget executes its commands, and this program does not do so yet.
    func command(_ number: Int, _ words: [String]) -> ClientError {
        let line = words.map { $0.contains(" ") || $0.isEmpty ? "'\($0)'" : $0 }.joined(separator: " ")
        return ClientError(
            "\(number) is a command, which todayctl does not execute: \(PlainText.line(line, upTo: 500))")
    }

    func unknown(_ word: String?, verb: String, _ numbers: [Int]) -> ClientError {
        if numbers.isEmpty { return ClientError("\(item.id) shows nothing to \(verb)") }
        let subject = word.map { " called '\($0)'" } ?? ""
        return ClientError("\(item.id) shows nothing\(subject) to \(verb); there is:\(indented(numbers))")
    }

    private func indented(_ numbers: [Int]) -> String { list(numbers).map { "\n  \($0)" }.joined() }
}

extension String {
    /// Compares byte by byte, as todayd does.
    fileprivate func isSame(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
