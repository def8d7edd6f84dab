// SPDX-License-Identifier: MIT

import Rendering
import TodayModel

/// What a word on the command line means among all that can be pressed or opened in a widget as it is shown now.
struct TargetChoice {
    enum Found: Equatable {
        /// The name of an action, or a URL.
        case one(String)
        /// The numbers of those that it fits.
        case several([Int])
        /// That number is a link where a button is wanted, or a button where a link is.
        case otherKind(Int)
        case none
    }

    let item: Item
    let targets: [Numbering.Target]

    init(_ item: Item) {
        self.item = item
        targets = item.content.map { Numbering($0, mode: item.mode).targets } ?? []
    }

    /// The action that is meant: by its own name, in either display mode; else by number; else by a title.
    func action(_ word: String) -> Found {
        if let action = item.content?.actions.first(where: { $0.isSame(as: word) }) { return .one(action) }
        return found(word, \.action)
    }

    /// The URL that is meant: by itself; else by number; else by a title. Without a word, the only one there is.
    func url(_ word: String?) -> Found {
        guard let word else { return only(numbers(\.url) { _ in true }, \.url) }
        if let url = targets.lazy.compactMap(\.url).first(where: { $0.isSame(as: word) }) { return .one(url) }
        return found(word, \.url)
    }

    /// What can be chosen, with numbers.
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
            return targets[number - 1][keyPath: effect].map(Found.one) ?? .otherKind(number)
        }
        return only(numbers(effect) { $0.hasTitle && $0.title.isSame(as: word) }, effect)
    }

    private func numbers(_ effect: Effect, where fits: (Numbering.Target) -> Bool) -> [Int] {
        targets.indices.filter { targets[$0][keyPath: effect] != nil && fits(targets[$0]) }.map { $0 + 1 }
    }

    /// Two buttons that do the same are as good as one.
    private func only(_ numbers: [Int], _ effect: Effect) -> Found {
        let effects = numbers.compactMap { targets[$0 - 1][keyPath: effect] }
        guard let first = effects.first else { return .none }
        return effects.allSatisfy { $0.isSame(as: first) } ? .one(first) : .several(numbers)
    }
}

extension String {
    /// Byte by byte, as todayd compares names.
    fileprivate func isSame(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
