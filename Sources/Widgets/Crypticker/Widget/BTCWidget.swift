// SPDX-License-Identifier: MIT
import CryptoCurrencyKit
import Platform
import TodayHTTP
import TodayKit

/// Shows the price of a bitcoin and its change since yesterday; in the expanded mode, which a host's More chooses, also a chart
/// of thirty days.
@main
final class BTCWidget: CurrencyDataViewController, TodayWidget {
    private enum Action: String { case details }
    private static let historyKey = "history"
    private static let (labelHeight, chartHeight) = (44.0, 98.0)
    /// The currencies that the editor offers. The app accepts others, too.
    private static let currencies = ["usd", "eur", "gbp", "jpy"]

    /// Nil unless the user edits the widget.
    private var edit: Edit?

    private struct Edit {
        /// The currency that the user has pressed. The widget sets it when the user is done, not before: the process may end
        /// while the user still edits.
        var currency: Currency?
        /// The prices to show again if the user cancels.
        let pricesBefore: FetchedPrices?
    }

    func viewDidLoad() { extensionContext.widgetLargestAvailableDisplayMode = .expanded }

    func widgetActiveDisplayModeDidChange(_ activeDisplayMode: NCWidgetDisplayMode, withMaximumSize maxSize: WidgetSize)
    {
        if extensionContext.updateReason == .mode { restorePrices() }
        setPreferredHeight()
    }

    /// The chart is what More shows.
    private var isChartShown: Bool { extensionContext.widgetActiveDisplayMode == .expanded && edit == nil }

    /// Sets the height for the labels and the button, and for the chart if it is shown. An editor and sample prices need
    /// more rows, so they get the height of the body.
    private func setPreferredHeight() {
        let hasFixedHeight = edit == nil && prices?.isSample != true
        preferredContentSize =
            hasFixedHeight ? WidgetSize(points: (0, Self.labelHeight + (isChartShown ? Self.chartHeight : 0))) : nil
    }

    func widgetMarginInsets(forProposedMarginInsets defaultMarginInsets: EdgeInsets) -> EdgeInsets { .zero }

    func widgetPerformUpdate() async throws -> NCUpdateResult {
        var settings = try Self.settings()
        if let currency = edit?.currency { settings.currency = currency }
        let isNew = try await fetch(settings, cache: .ofWidgetWithBodies, allowsSample: Self.savedHistory == nil)
        setPreferredHeight()
        guard isNew, let prices else { return .noData }
        save(prices)
        return .newData
    }

    func widgetPerformAction(_ action: String) async throws -> NCUpdateResult {
        restorePrices()
        switch Action(rawValue: action) {
        case .details:
            let today = CivilDay(utcAtSecondsSince1970: Timestamp.now.seconds)
            try await extensionContext.open("crypticker://day/\((price?.date ?? today).text)")
            return .noData
        case nil:
            guard Self.currencies.contains(action), let currency = Currency(action) else {
                throw WidgetFailure("there is no action of this name")
            }
            if edit == nil { try Self.setCurrency(currency) } else { edit?.currency = currency }
            return try await widgetPerformUpdate()
        }
    }

    // MARK: Editing

    var widgetAllowsEditing: Bool { true }

    func widgetDidBeginEditing() {
        restorePrices()
        edit = Edit(pricesBefore: prices)
        setPreferredHeight()
    }

    func widgetDidEndEditing() {
        defer {
            endEdit()
            if let prices { save(prices) }
        }
        guard let edit, let currency = edit.currency else { return }
        do throws(TodayError) {
            try Self.setCurrency(currency)
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
        restorePrices()
        setPreferredHeight()
    }

    private static func setCurrency(_ currency: Currency) throws(TodayError) {
        try group.set(currency.code, forKey: PriceSettings.currencyKey)
    }

    // MARK: Settings and saved prices

    private static var group: GroupDefaults { GroupDefaults(suiteName: PriceSettings.group) }

    private static func settings() throws(PriceError) -> PriceSettings {
        try PriceSettings(.process, try PriceSettings.sharedDefaults() ?? [:])
    }

    private static var savedHistory: PriceHistory? { PriceHistory(WidgetDefaults.standard.object(forKey: historyKey)) }

    /// Saves the prices for the next process. Does not save sample prices, nor prices in a currency that the user may still
    /// cancel.
    private func save(_ prices: FetchedPrices) {
        guard !prices.isSample, edit == nil else { return }
        do throws(TodayError) {
            try WidgetDefaults.standard.set(prices.history, forKey: Self.historyKey)
        } catch {
            // This process has the prices; only the next one needs the saved ones, if it draws before its first update.
            print("the widget cannot save the prices: \(error)")
        }
    }

    /// Restores the prices in a process that has to draw before its first update: the saved prices, or else the sample
    /// prices.
    private func restorePrices() {
        guard prices == nil else { return }
        if let history = Self.savedHistory {
            prices = FetchedPrices(history)
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
        }
        if edit != nil {
            HStack {
                Text("Currency")
                for code in Self.currencies {
                    Button(code == chosenCurrency ? "✓ \(code.uppercased())" : code.uppercased(), action: code)
                }
            }
        } else if isChartShown, history != nil {
            lineChartView(baseline: yesterday)
        }
    }

    /// The one that the user has pressed, or else the one that holds.
    private var chosenCurrency: String? { (edit?.currency ?? history?.currency)?.code }

    private var yesterday: Double? { change.flatMap { change in price.map { $0.price - change.amount } } }
}
