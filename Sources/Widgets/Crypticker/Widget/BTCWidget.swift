// SPDX-License-Identifier: MIT
import CryptoCurrencyKit
import Platform
import TodayHTTP
import TodayKit

/// The price of a bitcoin, how it differs from yesterday's, and thirty days of it as a line, which a button shows and hides.
@main
final class BTCWidget: CurrencyDataViewController, TodayWidget {
    /// The button says what it does and not that it toggles: it may have been drawn by a process that has ended, and a new
    /// one begins with the chart closed.
    private enum Action: String { case show, hide, details }
    private static let historyKey = "history"
    private static let chartHeight = 98.0
    /// What editing offers; the app takes any.
    private static let currencies = ["usd", "eur", "gbp", "jpy"]

    private var isChartShown = false
    /// While the user edits it.
    private var edit: Edit?

    private struct Edit {
        /// The one that was pressed. The group's defaults get it when the user is done, and not before: editing may end
        /// with the process.
        var currency: Currency?
        /// What cancelling brings back.
        let pricesBefore: FetchedPrices?
    }

    /// The chart is closed and both labels are "--".
    func viewDidLoad() { extensionContext.widgetLargestAvailableDisplayMode = .expanded }

    func widgetActiveDisplayModeDidChange(_ activeDisplayMode: NCWidgetDisplayMode, withMaximumSize maxSize: WidgetSize)
    {
        if extensionContext.updateReason == .mode { recall() }
        askForHeight()
    }

    /// The labels and the button, and the chart where it is shown. An editor, and prices that are none of today's, take the
    /// room that they need.
    private func askForHeight() {
        let isPlain = edit == nil && prices?.isSample != true
        preferredContentSize = isPlain ? WidgetSize(points: (0, 44 + (isChartShown ? Self.chartHeight : 0))) : nil
    }

    func widgetMarginInsets(forProposedMarginInsets defaultMarginInsets: EdgeInsets) -> EdgeInsets { .zero }

    func widgetPerformUpdate() async throws -> NCUpdateResult {
        var settings = try Self.settings()
        if let currency = edit?.currency { settings.currency = currency }
        let isNew = try await fetch(settings, cache: .ofWidgetWithBodies, allowsSample: Self.kept == nil)
        askForHeight()
        guard isNew, let prices else { return .noData }
        keep(prices)
        return .newData
    }

    func widgetPerformAction(_ action: String) async throws -> NCUpdateResult {
        recall()
        switch Action(rawValue: action) {
        case .show, .hide:
            isChartShown = action == Action.show.rawValue
            askForHeight()
            return .newData
        case .details:
            let today = CivilDay(utcAtSecondsSince1970: Timestamp.now.seconds)
            try await extensionContext.open("crypticker://day/\((price?.date ?? today).text)")
            return .noData
        case nil:
            guard Self.currencies.contains(action), let currency = Currency(action) else {
                throw WidgetFailure("there is no action of this name")
            }
            if edit == nil { try Self.choose(currency) } else { edit?.currency = currency }
            return try await widgetPerformUpdate()
        }
    }

    // MARK: Editing

    var widgetAllowsEditing: Bool { true }

    func widgetDidBeginEditing() {
        recall()
        edit = Edit(pricesBefore: prices)
        askForHeight()
    }

    func widgetDidEndEditing() {
        defer {
            endEdit()
            if let prices { keep(prices) }
        }
        guard let edit, let currency = edit.currency else { return }
        do throws(TodayError) {
            try Self.choose(currency)
        } catch {
            prices = edit.pricesBefore
            print("the currency is not changed: \(error)")
        }
    }

    func widgetDidCancelEditing() {
        if let edit { prices = edit.pricesBefore }
        endEdit()
    }

    private func endEdit() {
        edit = nil
        recall()
        askForHeight()
    }

    private static func choose(_ currency: Currency) throws(TodayError) {
        try group.set(currency.code, forKey: PriceSettings.currencyKey)
    }

    // MARK: What is kept

    private static var group: GroupDefaults { GroupDefaults(suiteName: PriceSettings.group) }

    private static func settings() throws(PriceError) -> PriceSettings {
        try PriceSettings(.process, try PriceSettings.shared() ?? [:])
    }

    private static var kept: PriceHistory? { PriceHistory(WidgetDefaults.standard.object(forKey: historyKey)) }

    /// Not while it is edited: prices in a currency that was only pressed are gone with the editor.
    private func keep(_ prices: FetchedPrices) {
        guard !prices.isSample, edit == nil else { return }
        do throws(TodayError) {
            try WidgetDefaults.standard.set(prices.history, forKey: Self.historyKey)
        } catch {
            // Only what the next process draws for a button; the prices themselves are here.
            print("the prices are not kept: \(error)")
        }
    }

    /// For what no update follows, in a process that has none yet: the prices that were fetched last, or the sample that
    /// was shown in place of any.
    private func recall() {
        guard prices == nil else { return }
        if let kept = Self.kept {
            prices = FetchedPrices(kept)
        } else if let settings = try? Self.settings(), let sample = try? settings.sample?.history(in: settings.currency)
        {
            prices = FetchedPrices(sample, isSample: true)
        }
    }

    // MARK: What is shown

    var summary: WidgetSummary {
        guard history != nil else { return WidgetSummary("--", icon: "₿") }
        let change = change.map { " \(MoneyText.percentage($0))" } ?? ""
        let lines = [sampleText, rangeText].compactMap { $0 }
        return WidgetSummary(
            "\(priceText)\(change)", short: priceText, icon: "₿", tooltip: lines.joined(separator: "\n"))
    }

    var body: some View {
        if let sampleText { Text(sampleText).font(.caption) }
        HStack {
            priceLabel
            priceChangeLabel()
            Spacer()
            Button("Details", action: Action.details)
            // An editor has the chart's room.
            if edit == nil { Button(isChartShown ? "▴" : "▾", action: isChartShown ? Action.hide : .show) }
        }
        if edit != nil {
            HStack {
                Text("Currency")
                for code in Self.currencies { Button(code.uppercased(), action: code) }
            }
        } else if isChartShown, history != nil {
            lineChartView(baseline: yesterday)
        }
    }

    private var yesterday: Double? { change.flatMap { change in price.map { $0.price - change.amount } } }
}
