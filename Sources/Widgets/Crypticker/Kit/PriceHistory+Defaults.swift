// SPDX-License-Identifier: MIT
import Platform
import TodayKit

/// The history as the widget keeps it from one process to the next.
extension PriceHistory: DefaultsStorable {
    package var defaultsValue: DefaultsValue {
        .dictionary([
            "currency": .string(currency.code),
            "days": .array(days.map { .int($0.date.number) }),
            "prices": .array(days.map { .double($0.price) }),
        ])
    }

    /// Nil for what is no history: the file may have been written by another version, or by hand.
    package init?(_ value: DefaultsValue?) {
        guard case .dictionary(let members) = value, case .string(let code) = members["currency"],
            let currency = Currency(code), case .array(let days) = members["days"],
            case .array(let prices) = members["prices"], days.count == prices.count
        else { return nil }
        var kept: [DayPrice] = []
        for (day, price) in zip(days, prices) {
            guard case .int(let day) = day, (0...100_000).contains(day), let price = Self.number(price), price > 0,
                price.isFinite, kept.last.map({ $0.date.number < day }) ?? true
            else { return nil }
            kept.append(DayPrice(date: CivilDay(number: day), price: price))
        }
        self.init(currency: currency, prices: kept)
    }

    /// A price without decimals comes back as a whole number.
    private static func number(_ value: DefaultsValue) -> Double? {
        switch value {
        case .int(let whole): Double(whole)
        case .double(let number): number
        default: nil
        }
    }
}
