// SPDX-License-Identifier: MIT
import CryptoCurrencyKit
import Platform
import TestSupport
import Testing
import TodayKit

/// The base class of app and widget, tested with another subclass.
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

    @Test func theChartMarksTheChosenDay() throws {
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
