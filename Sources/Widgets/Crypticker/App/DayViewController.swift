// SPDX-License-Identifier: MIT
import CryptoCurrencyKit
import JSON
import Platform
import TodayKit
import TodayModel

/// The app's page: the price of a day among those of thirty, as a view and as JSON.
@MainActor
final class DayViewController: CurrencyDataViewController {
    /// - Parameter day: the day that was asked for; nil is the newest.
    /// - Returns: whether there is a price for it.
    func select(_ day: CivilDay?) -> Bool {
        self.day = day.flatMap { history?.price(on: $0) }
        return day == nil || self.day != nil
    }

    var view: TodayModel.View? { body.loweredToOne(Inherited(mode: .expanded)) }

    private var body: some TodayKit.View {
        VStack {
            if let price {
                Text("Bitcoin on \(price.date.text)").font(.caption)
                HStack {
                    priceLabel
                    if change != nil { priceChangeLabel(" against the day before") }
                }
                // Where the day's price is on the axis; the line shows on which days it was higher.
                lineChartView(span, baseline: price.price)
            }
            if let rangeText { Text(rangeText).font(.caption) }
            if let sampleText { Text(sampleText).font(.caption) }
        }
    }

    private var span: String? {
        guard let history, let first = history.days.first else { return nil }
        return "\(first.date.text) to \(history.latest.date.text)"
    }

    var json: JSONObject {
        guard let history, let price else { return [:] }
        var object: JSONObject = [
            "date": .string(price.date.text), "currency": .string(history.currency.code), "price": .double(price.price),
        ]
        if let change {
            object["change"] = .object([
                "amount": .double(change.amount), "percent": .double(change.fraction * 100),
            ])
        }
        object["days"] = .array(
            history.days.map { .object(["date": .string($0.date.text), "price": .double($0.price)]) })
        if prices?.isSample == true { object["sample"] = true }
        return object
    }
}
