// SPDX-License-Identifier: MIT
import TodayHTTP
import TodayKit

/// The base class of the app's page and of the widget: it fetches the prices, and has the two labels and the chart that show
/// them.
@MainActor
open class CurrencyDataViewController {
    /// The group of the app and its widget.
    package static let group = GroupDefaults(suiteName: "group.org.todayd.crypticker")
    package static let currencyKey = "currency"
    /// The API of CoinGecko, which needs no key.
    private static let server = HTTPServer("https://api.coingecko.com", insteadBy: "CRYPTICKER_SERVER")

    private static let priceColor = Color(red: 66 / 255, green: 145 / 255, blue: 211 / 255)
    private static let riseColor = Color(red: 133 / 255, green: 191 / 255, blue: 37 / 255)
    private static let lineColor = Color(red: 0.17, green: 0.49, blue: 0.82)

    /// The prices that were fetched last; nil before the first ones.
    package var prices: Prices?
    /// The day whose price the label shows and the chart marks; nil for the newest price, without a mark.
    package var day: Prices.Day?

    /// Makes a controller without prices.
    public init() {}

    /// Asks the server once.
    ///
    /// - Parameter currency: nil means the currency in the group's defaults.
    /// - Returns: whether the prices have changed.
    package func fetch(in currency: String? = nil) async throws -> Bool {
        let chosen = currency ?? Self.group.string(forKey: Self.currencyKey) ?? "usd"
        guard let currency = Self.currency(chosen) else {
            throw WidgetFailure(
                "the default 'currency' of \(Self.group.suiteName) is not a code of 3 to 5 letters, such as usd")
        }
        var request = Self.server.request(
            "/api/v3/coins/bitcoin/market_chart",
            ["vs_currency": currency, "days": "\(Prices.length)", "interval": "daily"])
        request.timeout = .seconds(10)
        let answer = try await request.send()
        let before = prices
        do {
            prices = try Prices(try answer.json(), currency: currency)
        } catch {
            // Otherwise the next request could be answered with "unchanged", and the bad content would be read again.
            request.cache?.forget(request.url)
            throw error
        }
        return prices != before
    }

    /// The code of a currency in lower case, as the URL needs it; nil for other text. Only the API knows which codes it has.
    package static func currency(_ text: String) -> String? {
        (3...5).contains(text.count) && text.allSatisfy({ $0.isASCII && $0.isLetter }) ? text.lowercased() : nil
    }

    // MARK: What is shown

    /// The price of the day, or the newest price.
    package var price: Prices.Day? { day ?? prices?.newest }

    package var change: (amount: Double, percent: Double)? { price.flatMap { prices?.change(of: $0) } }

    package var priceText: String { price.map(text) ?? "--" }

    package var priceLabel: some View { Text(priceText).font(.title).foregroundColor(Self.priceColor) }

    package var priceChangeLabel: some View {
        let amount = change?.amount ?? 0
        let color = amount == 0 ? Color.secondary : amount > 0 ? Self.riseColor : .critical
        return Text(change.map(MoneyText.change) ?? "--").foregroundColor(color)
    }

    /// - Parameter baseline: a price to compare with.
    package func lineChartView(_ label: String? = nil, baseline: Double?) -> some View {
        let days = prices?.days ?? []
        return LineChart(
            label, points: days.map(\.price), baseline: baseline, mark: day.flatMap { days.firstIndex(of: $0) },
            // Noon of UTC is in the same day in nearly every time zone.
            dates: days.map { Timestamp(secondsSince1970: $0.date.number * 86_400 + 43_200) },
            texts: days.map(text)
        )
        .tint(Self.lineColor)
    }

    package var rangeText: String? {
        guard let prices else { return nil }
        let (low, high) = (prices.lowest, prices.highest)
        return "low \(text(low)) on \(low.date.text), high \(text(high)) on \(high.date.text)"
    }

    private func text(_ day: Prices.Day) -> String { MoneyText.price(day.price, in: prices?.currency ?? "usd") }
}

/// Amounts of money and their changes as text, the same in every locale: `$67,234.51`, `101,235 EUR`, `-1.27%`.
package enum MoneyText {
    /// Only the dollar has a sign; the other currencies have their codes, which every terminal can show.
    package static func price(_ value: Double, in currency: String) -> String {
        currency == "usd" ? "$\(amount(value))" : "\(amount(value)) \(currency.uppercased())"
    }

    /// `+1,234.50 (+1.87%)`.
    package static func change(_ change: (amount: Double, percent: Double)) -> String {
        "\(signed(amount(change.amount))) (\(percentage(change.percent)))"
    }

    /// `+1.87%`.
    package static func percentage(_ percent: Double) -> String { "\(signed(decimal(percent, digits: 2)))%" }

    /// Two decimals below a hundred thousand, and none above.
    private static func amount(_ value: Double) -> String { decimal(value, digits: abs(value) < 99_999.995 ? 2 : 0) }

    private static func signed(_ text: String) -> String {
        // A change that rounds to zero has no sign.
        text.hasPrefix("-") || text.allSatisfy({ "0.,".contains($0) }) ? text : "+\(text)"
    }

    /// Rounded, with commas between thousands.
    private static func decimal(_ value: Double, digits: Int) -> String {
        let factor = digits == 2 ? 100 : 1
        guard let scaled = Int(exactly: (abs(value) * Double(factor)).rounded()) else { return "-" }
        var whole = ""
        for (index, digit) in "\(scaled / factor)".reversed().enumerated() {
            if index > 0, index % 3 == 0 { whole.append(",") }
            whole.append(digit)
        }
        let fraction = digits > 0 ? ".\("\(factor + scaled % factor)".dropFirst())" : ""
        return (value < 0 && scaled != 0 ? "-" : "") + String(whole.reversed()) + fraction
    }
}
