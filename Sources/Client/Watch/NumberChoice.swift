// SPDX-License-Identifier: MIT

import Console
import Rendering
import TodayModel

/// A number that the user types digit by digit: one of the widget's targets.
struct NumberChoice: Equatable {
    /// What to do with the chosen one.
    enum Verb: Equatable {
        case press, open
    }

    enum Answer: Equatable {
        case one(Int)
        /// More digits may follow.
        case open
        case none
    }

    let verb: Verb
    let widget: WidgetID
    /// The targets when the choice began: a number must not mean something else by the time it is typed.
    let targets: [Numbering.Target]
    let numbers: [Int]
    private(set) var digits = ""

    init(_ verb: Verb, of choice: TargetChoice) {
        self.verb = verb
        widget = choice.item.id
        targets = choice.targets
        numbers = verb == .open ? choice.openable : Array(1..<choice.targets.count + 1)
    }

    mutating func add(_ digit: Unicode.Scalar) -> Answer {
        digits.unicodeScalars.append(digit)
        let fitting = numbers.filter { "\($0)".hasPrefix(digits) }
        if fitting.isEmpty { return .none }
        return fitting.count == 1 && "\(fitting[0])" == digits ? .one(fitting[0]) : .open
    }

    mutating func removeDigit() { if !digits.isEmpty { digits.removeLast() } }

    /// The typed number, if there is such a target.
    var number: Int? { Int(digits).flatMap { numbers.contains($0) ? $0 : nil } }
}

extension TargetChoice {
    /// What pressing one of the targets does.
    ///
    /// - Parameter number: counted from 1.
    func deed(pressing number: Int) -> WatchDeed? {
        guard targets.indices.contains(number - 1) else { return nil }
        let target = targets[number - 1]
        if let action = target.action { return .press(item.id, action: action) }
        if let url = target.url, target.command == nil, !target.updates { return .open(item.id, url: url) }
        if target.url == nil, target.command == nil { return .update(item.id) }
        let word = word(for: number)
        return target.command?.isInTerminal == true ? .performHere(item.id, word) : .perform(item.id, word)
    }

    /// The word that means this target to `todayctl perform`, even if the numbers change meanwhile: its title, if no other
    /// target or action has it.
    private func word(for number: Int) -> String {
        let title = targets[number - 1].title
        let isClear = pressed(title) == .one(targets[number - 1]) && !title.utf8.contains(0) && Int(title) == nil
        return isClear ? title : "\(number)"
    }
}
