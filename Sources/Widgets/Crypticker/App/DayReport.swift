// SPDX-License-Identifier: MIT
import CryptoCurrencyKit
import TodayModel
import Varlink

/// The price of a day among those of thirty, as a view and as JSON.
struct DayReport {
    let history: PriceHistory
    let price: DayPrice

    private var change: PriceChange? { history.change(on: price.date) }

    private func text(_ day: DayPrice) -> String { MoneyText.price(day.price, in: history.currency) }

    var view: View {
        var title = View.Text("Bitcoin on \(price.date.text)")
        title.style = .caption
        var amount = View.Text(text(price))
        amount.style = .title
        amount.color = .meaning(.accent)
        var line: [View] = [.text(amount)]
        if let change {
            var words = View.Text("\(MoneyText.change(change)) against the day before")
            if change.amount != 0 { words.color = .meaning(change.amount > 0 ? .good : .critical) }
            line.append(.text(words))
        }
        var chart = View.Chart(points: history.days.map(\.price))
        chart.color = .meaning(.accent)
        // Where the day's price is on the axis; the line shows on which days it was higher.
        chart.baseline = price.price
        let first = history.days.first ?? price
        chart.label = "\(first.date.text) to \(history.latest.date.text)"
        let (low, high) = (history.lowest, history.highest)
        var range = View.Text("low \(text(low)) on \(low.date.text), high \(text(high)) on \(high.date.text)")
        range.style = .caption
        return .stack(
            View.Stack(.vertical, [.text(title), .stack(View.Stack(.horizontal, line)), .chart(chart), .text(range)]))
    }

    var json: JSONObject {
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
        return object
    }
}
