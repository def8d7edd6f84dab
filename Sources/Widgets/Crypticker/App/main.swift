// SPDX-License-Identifier: MIT
import CryptoCurrencyKit
import TodayKit
import TodayTerminal

// The containing app of the BTC widget: prints the price of a day, and sets the currency of app and widget.
private let usage = """
    usage: crypticker [DAY]            the newest price, or that of a day: 2026-11-01 or crypticker://day/2026-11-01
           crypticker --currency CODE  the currency of this program and the widget, such as usd
    """

await Terminal.run("crypticker", scheme: "crypticker", perform)

@MainActor func perform(_ arguments: [String]) async throws {
    if arguments == ["--help"] || arguments == ["-h"] {
        Terminal.print(usage)
        return
    }
    if arguments.first == "--currency", arguments.count == 2 {
        guard let currency = CurrencyDataViewController.currency(arguments[1]) else {
            throw WidgetFailure("'\(arguments[1])' is not a code of 3 to 5 letters, such as usd")
        }
        try CurrencyDataViewController.group.set(currency, forKey: CurrencyDataViewController.currencyKey)
        Terminal.print("Prices are in \(currency.uppercased()) now.")
        return
    }
    guard arguments.count <= 1, arguments.first?.hasPrefix("-") != true else {
        throw Terminal.Usage.unknown(to: "crypticker")
    }
    try await DayViewController().show(arguments.first)
}

/// The app's page: the price of a day, and a chart of thirty days.
final class DayViewController: CurrencyDataViewController {
    /// - Parameter text: the day as the user has typed it, or the widget's URL; nil for the newest price.
    func show(_ text: String?) async throws {
        let date = try text.map(Self.date)
        _ = try await fetch()
        guard let prices else { return }
        day = date.flatMap { prices.day($0) }
        if let date, day == nil {
            let (first, last) = (prices.days[0].date.text, prices.newest.date.text)
            throw WidgetFailure("there is no price for \(date.text); there are some from \(first) to \(last)")
        }
        Terminal.show {
            if let price {
                Text("Bitcoin on \(price.date.text)").font(.caption)
                HStack {
                    priceLabel
                    priceChangeLabel
                }
                // The baseline at the day's price shows on which days the price was higher.
                lineChartView("\(prices.days[0].date.text) to \(prices.newest.date.text)", baseline: price.price)
            }
            if let rangeText { Text(rangeText).font(.caption) }
        }
    }

    nonisolated static func date(_ text: String) throws -> CivilDay {
        let start = "crypticker://day/"
        if let day = CivilDay(text.hasPrefix(start) ? text.dropFirst(start.count) : text[...]) { return day }
        throw WidgetFailure("'\(text)' is not a day; write it as 2026-11-01 or crypticker://day/2026-11-01")
    }
}
