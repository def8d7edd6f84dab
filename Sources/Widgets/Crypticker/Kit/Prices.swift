// SPDX-License-Identifier: MIT
import TodayHTTP
import TodayKit

/// The prices of the last thirty days, oldest first, at most one for each day. There is at least one.
package struct Prices: Hashable, Sendable {
    package static let length = 30
    /// From 2009, the year of the first bitcoin, to 2100, in milliseconds since 1970.
    private static let times = 1_230_768_000_000.0...4_102_444_800_000.0

    /// The price of one day.
    package struct Day: Hashable, Sendable {
        package let date: CivilDay
        package let price: Double
    }

    /// The code of the currency, such as `usd`.
    package let currency: String
    package let days: [Day]

    /// Reads an answer of the API: `{"prices":[[1762000000000,67234.5],…]}`, pairs of milliseconds since 1970 and prices.
    ///
    /// - Throws: if even one value is wrong, because a chart without that point would mislead.
    package init(_ answer: JSONValue, currency: String) throws {
        var days: [Day] = []
        for point in try answer["prices"].elements() {
            guard let time = point[0].double, Self.times.contains(time), let price = point[1].double, price > 0,
                price < 1e12
            else { throw WidgetFailure("the server's answer has a point without a time or without a price") }
            let date = CivilDay(utcAtSecondsSince1970: Int(time / 1_000))
            // For today, the API gives the price at midnight and the current one.
            if days.last?.date == date { days.removeLast() }
            days.append(Day(date: date, price: price))
        }
        if days.isEmpty { throw WidgetFailure("the server's answer has no prices") }
        self.currency = currency
        self.days = days.suffix(Self.length)
    }

    package func day(_ date: CivilDay) -> Day? { days.first { $0.date == date } }

    /// The change of a day from the day before, and the same in hundredths; nil if there is no price for the day before.
    package func change(of day: Day) -> (amount: Double, percent: Double)? {
        self.day(day.date.advanced(by: -1)).map { (day.price - $0.price, (day.price - $0.price) / $0.price * 100) }
    }

    package var newest: Day { days[days.count - 1] }
    package var lowest: Day { days.min { $0.price < $1.price } ?? newest }
    package var highest: Day { days.max { $0.price < $1.price } ?? newest }
}

// MARK: - In the widget's defaults

extension Prices: DefaultsStorable {
    package var defaultsValue: DefaultsValue {
        .dictionary([
            "currency": .string(currency), "days": .array(days.map { .int($0.date.number) }),
            "prices": .array(days.map { .double($0.price) }),
        ])
    }

    /// Nil if the value is not one of prices: another version of the widget, or a user, may have written it.
    package init?(_ value: DefaultsValue?) {
        guard case .dictionary(let members) = value, case .string(let currency) = members["currency"],
            case .array(let days) = members["days"], case .array(let prices) = members["prices"],
            days.count == prices.count, !days.isEmpty
        else { return nil }
        self.currency = currency
        var kept: [Day] = []
        for (day, price) in zip(days, prices) {
            guard case .int(let number) = day else { return nil }
            switch price {
            case .double(let price): kept.append(Day(date: CivilDay(number: number), price: price))
            // A price without decimals is an integer when it is read back.
            case .int(let price): kept.append(Day(date: CivilDay(number: number), price: Double(price)))
            default: return nil
            }
        }
        self.days = kept
    }
}
