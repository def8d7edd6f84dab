// SPDX-License-Identifier: MIT
import CryptoCurrencyKit
import Platform
import Testing
import TodayKit

/// What app and widget share, by a class that derives from it as both do.
@MainActor
@Suite struct ControllerTests {
    private final class Page: CurrencyDataViewController {}

    private func prices(_ values: [Double]) throws -> FetchedPrices {
        let days = values.enumerated().map { DayPrice(date: CivilDay(number: 20_000 + $0), price: $1) }
        return FetchedPrices(try #require(PriceHistory(currency: .usd, prices: days)))
    }

    @Test func appAndWidgetDeriveFromOneController() throws {
        let page = Page()
        #expect(page.priceText == "--" && page.change == nil && page.rangeText == nil)
        page.prices = try prices([100, 110, 99])
        #expect(page.priceText == "$99.00")
        #expect(page.change?.amount == -11)
        #expect(page.rangeText?.hasPrefix("low $99.00 on ") == true)
        page.day = page.history?.days[1]
        #expect(page.priceText == "$110.00")
        #expect(page.change?.amount == 10)
        #expect(page.sampleText == nil)
    }

    @Test func theDayThatIsReadIsMarked() throws {
        let page = Page()
        page.prices = try prices([100, 110, 99])
        func mark() throws -> Int? {
            let view = page.lineChartView(baseline: nil).loweredToOne(Inherited(mode: .expanded))
            return try #require(view?.charts.first).mark
        }
        #expect(try mark() == nil)
        page.day = page.history?.days[1]
        #expect(try mark() == 1)
    }
}
