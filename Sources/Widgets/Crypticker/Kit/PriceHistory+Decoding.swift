// SPDX-License-Identifier: MIT
import JSON
import Platform

extension PriceHistory {
    /// Far more than thirty days can have, and few enough to be looked at in no time.
    private static let countLimit = 10_000
    /// From 2009, when there was the first bitcoin, up to 2100, in milliseconds since 1970.
    private static let times = 1_230_768_000_000.0...4_102_444_800_000.0
    /// Beyond this no price is one, in no currency; what is within can be written with digits and drawn.
    private static let priceLimit = 1e12
    /// The answer has three levels; an attacker's may have a million.
    private static let depthLimit = 16

    /// Takes the API's answer apart: `{"prices":[[1762000000000,67234.5],…],…}`, milliseconds since 1970 and prices. One
    /// wrong value makes all of it wrong: a chart with a point left out would look like the truth.
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
            for point in points { moments.append(try Self.moment(point)) }
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

    private static func moment(_ point: JSONField) throws(JSONMismatch) -> (time: Double, price: Double) {
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
