// SPDX-License-Identifier: MIT
import JSON
import Platform
import TodayKit

/// The prices of the last thirty days, oldest first, at most one for each day. There is at least one price.
package struct PriceHistory: Hashable, Sendable {
    package static let length = 30

    package let currency: Currency
    package let days: [DayPrice]

    /// The newest price.
    package let latest: DayPrice

    /// - Parameter prices: oldest first. If there are several for one day, the last one counts: for today, the API gives the
    ///   price at midnight and the current one.
    /// - Returns: nil if there is no price.
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

    /// The price of a day; nil if it is missing.
    package func price(on date: CivilDay) -> DayPrice? { days.first { $0.date == date } }

    /// The change of a day from the day before; nil if either price is missing.
    package func change(on date: CivilDay) -> PriceChange? {
        guard let new = price(on: date), let old = price(on: CivilDay(number: date.number - 1)) else {
            return nil
        }
        return PriceChange(from: old.price, to: new.price)
    }

    /// The change of the newest price from the day before.
    package var change: PriceChange? { change(on: latest.date) }

    package var lowest: DayPrice { days.min { $0.price < $1.price } ?? latest }
    package var highest: DayPrice { days.max { $0.price < $1.price } ?? latest }
}

/// The price of one day.
package struct DayPrice: Hashable, Sendable {
    package let date: CivilDay
    package let price: Double

    package init(date: CivilDay, price: Double) {
        self.date = date
        self.price = price
    }
}

/// The change of a price from the day before.
package struct PriceChange: Hashable, Sendable {
    package let amount: Double
    /// 0.05 for a rise of 5 %.
    package let fraction: Double

    package init(from old: Double, to new: Double) {
        amount = new - old
        fraction = (new - old) / old
    }
}

// MARK: - The API's answer

extension PriceHistory {
    /// Far more prices than thirty days have, and few enough to be read quickly.
    private static let countLimit = 10_000
    /// From 2009, the year of the first bitcoin, to 2100, in milliseconds since 1970.
    private static let times = 1_230_768_000_000.0...4_102_444_800_000.0
    /// Higher than any real price in any currency; the app can print and draw every price up to this.
    private static let priceLimit = 1e12
    /// A valid answer has three levels. A hostile server could send a million.
    private static let depthLimit = 16

    /// Decodes an answer of the API: `{"prices":[[1762000000000,67234.5],…],…}`, pairs of milliseconds since 1970 and
    /// prices.
    ///
    /// - Throws: `PriceError.answer` even if only one value is wrong: a chart without that point would mislead.
    package init(decoding bytes: [UInt8], currency: Currency) throws(PriceError) {
        let json: JSON
        do {
            json = try JSON.parse(bytes, maxDepth: Self.depthLimit)
        } catch {
            throw .answer("it is not JSON: \(error)")
        }
        var moments: [(time: Double, price: Double)] = []
        do {
            let points = try JSONField(root: json).required("prices").array()
            guard points.count <= Self.countLimit else {
                throw PriceError.answer("it has \(points.count) prices; thirty days have fewer than \(Self.countLimit)")
            }
            for point in points { moments.append(try Self.decodeMoment(point)) }
        } catch let error as PriceError {
            throw error
        } catch {
            throw .answer("\(error)")
        }
        moments.sort { $0.time < $1.time }
        let prices = moments.map { moment in
            DayPrice(date: CivilDay(utcAtSecondsSince1970: Int(moment.time / 1_000)), price: moment.price)
        }
        guard let history = PriceHistory(currency: currency, prices: prices) else {
            throw .answer("there are no prices in it")
        }
        self = history
    }

    private static func decodeMoment(_ point: JSONField) throws(JSONMismatch) -> (time: Double, price: Double) {
        let pair = try point.array()
        guard pair.count == 2 else { throw point.fail("expected a time and a price, found \(pair.count) values") }
        let (time, price) = (try pair[0].double(), try pair[1].double())
        guard times.contains(time) else {
            throw pair[0].fail("expected milliseconds since 1970, found \(pair[0].value.text)")
        }
        guard price > 0, price <= priceLimit else {
            throw pair[1].fail("expected a price above 0 and up to a million millions, found \(pair[1].value.text)")
        }
        return (time, price)
    }
}

// MARK: - In the widget's defaults

extension PriceHistory: DefaultsStorable {
    package var defaultsValue: DefaultsValue {
        .dictionary([
            "currency": .string(currency.code),
            "days": .array(days.map { .int($0.date.number) }),
            "prices": .array(days.map { .double($0.price) }),
        ])
    }

    /// Nil if the value is not a history: another version of the widget, or a user, may have written the file.
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

    /// A price without decimals is an integer when it is read back.
    private static func number(_ value: DefaultsValue) -> Double? {
        switch value {
        case .int(let whole): Double(whole)
        case .double(let number): number
        default: nil
        }
    }
}
