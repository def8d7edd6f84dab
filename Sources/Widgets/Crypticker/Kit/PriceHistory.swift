// SPDX-License-Identifier: MIT
import Platform

/// The price of one day.
package struct DayPrice: Hashable, Sendable {
    package let date: CivilDay
    package let price: Double

    package init(date: CivilDay, price: Double) {
        self.date = date
        self.price = price
    }
}

/// How a price differs from that of the day before.
package struct PriceChange: Hashable, Sendable {
    package let amount: Double
    /// 0.05 for 5 % more.
    package let fraction: Double

    package init(from old: Double, to new: Double) {
        amount = new - old
        fraction = (new - old) / old
    }
}

/// The prices of the last thirty days, oldest first, one for each day; days may be missing, but never all.
package struct PriceHistory: Hashable, Sendable {
    package static let length = 30

    package let currency: Currency
    package let days: [DayPrice]

    /// The newest price.
    package let latest: DayPrice

    /// - Parameter prices: oldest first. Of several for one day the last counts: the API gives the price at midnight, and
    ///   for today the one of now as well.
    /// - Returns: nil without any price.
    package init?(currency: Currency, prices: some Sequence<DayPrice>) {
        var days: [DayPrice] = []
        for price in prices {
            if days.last?.date == price.date { days.removeLast() }
            days.append(price)
        }
        guard let latest = days.last else { return nil }
        let first = latest.date.number - Self.length + 1
        self.currency = currency
        self.days = days.filter { $0.date.number >= first }
        self.latest = latest
    }

    /// The price of a day, nil where there is none.
    package func price(on date: CivilDay) -> DayPrice? { days.first { $0.date == date } }

    /// The change of a day against the day before, nil where either is missing.
    package func change(on date: CivilDay) -> PriceChange? {
        guard let new = price(on: date), let old = price(on: CivilDay(number: date.number - 1)) else {
            return nil
        }
        return PriceChange(from: old.price, to: new.price)
    }

    /// The change of the newest price against yesterday.
    package var change: PriceChange? { change(on: latest.date) }

    package var lowest: DayPrice { days.min { $0.price < $1.price } ?? latest }
    package var highest: DayPrice { days.max { $0.price < $1.price } ?? latest }
}
