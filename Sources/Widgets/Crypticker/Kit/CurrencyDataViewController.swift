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
