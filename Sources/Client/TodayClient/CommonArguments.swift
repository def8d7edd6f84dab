// SPDX-License-Identifier: MIT

import Arguments
import TodayModel

// What several commands take.

extension Positional {
    /// The identifier of a widget, or the end of it.
    /// - Parameter kind: those which shells offer.
    static func widget(
        _ kind: Complete.Kind = .widgets, isOptional: Bool = false, isRepeating: Bool = false
    ) -> Positional {
        Positional(
            "ID", isOptional: isOptional, isRepeating: isRepeating, completion: kind.completion,
            help: "A widget, such as org.todayd.disk or disk")
    }
}

extension Option {
    static let sort = Option(
        "sort", value: "WORD", choices: ItemOrder.allCases.map(\.rawValue),
        help: "By the user's order, the default, or by relevance, as the widgets judge it")
    static let numbers = Option(
        "numbers", short: "n", help: "Number what can be pressed or opened, from 1 in each widget")
    static let all = Option("all", short: "a", help: "Cut no widget: show all that each draws")
    static let noOpen = Option("no-open", help: "Print what is to be opened, and do not open it")
    static let point = Option(
        "point", short: "p", value: "POINT", choices: ExtensionPoint.allCases.map(\.name),
        // As the protocol has them, and with it --json.
        synonyms: Dictionary(
            uniqueKeysWithValues: ExtensionPoint.allCases.filter { $0.rawValue != $0.name }.map {
                ($0.rawValue, $0.name)
            }),
        help: "Only those shown there")
}

extension ParsedArguments {
    /// A positional that the parser has made sure is there.
    func word(_ name: String) -> String { positional(name) ?? "" }

    /// The value of `Option.sort`.
    var order: ItemOrder { value("sort").flatMap { ItemOrder(rawValue: $0) } ?? .order }

    /// The value of `Option.point`.
    var extensionPoint: ExtensionPoint? { value("point").flatMap { ExtensionPoint(name: $0) } }
}
