// SPDX-License-Identifier: MIT
import Platform
import TodayHTTP
import TodayKit

/// The base class of the app's page and of the widget: the prices, and the two labels and the chart that show them.
@MainActor
open class CurrencyDataViewController {
    private static let priceColor = Color(red: 66 / 255, green: 145 / 255, blue: 211 / 255)
    private static let riseColor = Color(red: 133 / 255, green: 191 / 255, blue: 37 / 255)
    private static let lineColor = Color(red: 0.17, green: 0.49, blue: 0.82)

    /// The prices that were fetched last; nil before the first ones.
    package var prices: FetchedPrices?
    /// The day whose price the label shows and the chart marks; nil for the newest price, without a mark.
    package var day: DayPrice?

    /// Makes a controller without prices.
    public init() {}

    package var history: PriceHistory? { prices?.history }

    /// - Parameter allowsSample: whether to use the sample prices of the settings if no server answers.
    /// - Returns: whether the prices have changed.
    package func fetch(
        _ settings: PriceSettings, cache: HTTPCache? = nil, allowsSample: Bool = true
    ) async throws(PriceError) -> Bool {
        let fetched = try await settings.fetch(cache: cache, allowsSample: allowsSample)
        defer { prices = fetched }
        return fetched != prices
    }

    // MARK: What is shown

    /// The price of the day, or the newest price.
    package var price: DayPrice? { day ?? history?.latest }

    /// The change of the price from the day before.
    package var change: PriceChange? { price.flatMap { history?.change(on: $0.date) } }

    package var priceText: String { price.map(text) ?? "--" }

    package var priceLabel: some View { Text(priceText).font(.title).foregroundColor(Self.priceColor) }

    /// - Parameter words: text after the numbers.
    package func priceChangeLabel(_ words: String = "") -> some View {
        Text(change.map { MoneyText.change($0) + words } ?? "--").foregroundColor(changeColor)
    }

    /// - Parameter baseline: a price to compare with.
    package func lineChartView(_ label: String? = nil, baseline: Double?) -> some View {
        LineChart(
            label, points: history?.days.map(\.price) ?? [], baseline: baseline,
            mark: day.flatMap { history?.days.firstIndex(of: $0) },
            dates: history?.days.map { Timestamp(noonOf: $0.date) } ?? [],
            texts: history?.days.map(text) ?? []
        )
        .tint(Self.lineColor)
    }

    package var rangeText: String? {
        guard let history else { return nil }
        let (low, high) = (history.lowest, history.highest)
        return "low \(text(low)) on \(low.date.text), high \(text(high)) on \(high.date.text)"
    }

    /// Tells the user that these are sample prices, and from which day the last one is; nil for prices of a server.
    package var sampleText: String? {
        guard let prices, prices.isSample else { return nil }
        return "sample prices until \(prices.history.latest.date.text)"
    }

    private func text(_ price: DayPrice) -> String { MoneyText.price(price.price, in: history?.currency ?? .usd) }

    private var changeColor: Color {
        guard let change, change.amount != 0 else { return .secondary }
        return change.amount > 0 ? Self.riseColor : .critical
    }
}

extension Timestamp {
    /// The noon of a day of UTC, which is the same day in nearly every time zone.
    fileprivate init(noonOf day: CivilDay) { self.init(secondsSince1970: day.number * 86_400 + 43_200) }
}
