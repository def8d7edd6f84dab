// SPDX-License-Identifier: MIT
import CryptoCurrencyKit
import TodayKit

/// Shows the price of a bitcoin and its change since yesterday; in the expanded mode, which a host's More chooses, also a chart
/// of thirty days.
@main
final class BTCWidget: CurrencyDataViewController, TodayWidget {
    private enum Action: String { case details }
    private static let pricesKey = "history"
    private static let (labelHeight, chartHeight) = (44.0, 98.0)
    /// The currencies that the editor offers. The app accepts others, too.
    private static let currencies = ["usd", "eur", "gbp", "jpy"]

    /// Nil unless the user edits the widget.
    private var edit: Edit?

    private struct Edit {
        /// The currency that the user has pressed. The widget sets it when the user is done, not before: the process may end
        /// while the user still edits.
        var currency: String?
        /// The prices to show again if the user cancels.
        let pricesBefore: Prices?
    }

    func viewDidLoad() { extensionContext.widgetLargestAvailableDisplayMode = .expanded }

    func widgetActiveDisplayModeDidChange(_ activeDisplayMode: NCWidgetDisplayMode, withMaximumSize maxSize: WidgetSize)
    {
        if extensionContext.updateReason == .mode { restorePrices() }
        setPreferredHeight()
    }

    /// The chart appears when the user presses More.
    private var isChartShown: Bool { extensionContext.widgetActiveDisplayMode == .expanded && edit == nil }

    /// Sets the height for the labels and the button, and for the chart if it is shown. An editor has the height of the body.
    private func setPreferredHeight() {
        let height = Self.labelHeight + (isChartShown ? Self.chartHeight : 0)
        preferredContentSize = edit == nil ? WidgetSize(points: (0, height)) : nil
    }

    func widgetMarginInsets(forProposedMarginInsets defaultMarginInsets: EdgeInsets) -> EdgeInsets { .zero }

    func widgetPerformUpdate() async throws -> NCUpdateResult {
        let isNew = try await fetch(in: edit?.currency)
        setPreferredHeight()
        guard isNew else { return .noData }
        savePrices()
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
            guard Self.currencies.contains(action) else { throw WidgetFailure("there is no such action") }
            if edit == nil { try Self.group.set(action, forKey: Self.currencyKey) } else { edit?.currency = action }
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
            savePrices()
        }
        guard let edit, let currency = edit.currency else { return }
        do throws(TodayError) {
            try Self.group.set(currency, forKey: Self.currencyKey)
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

    // MARK: Saved prices

    /// Saves the prices for the next process, but not those in a currency that the user may still cancel.
    private func savePrices() {
        guard edit == nil, let prices else { return }
        do throws(TodayError) {
            try WidgetDefaults.standard.set(prices, forKey: Self.pricesKey)
        } catch {
            // This process has the prices; only the next one needs the saved ones, if it draws before its first update.
            print("the widget cannot save the prices: \(error)")
        }
    }

    /// Restores the prices in a process that has to draw before its first update.
    private func restorePrices() {
        if prices == nil { prices = Prices(WidgetDefaults.standard.object(forKey: Self.pricesKey)) }
    }

    // MARK: What is shown

    var summary: WidgetSummary {
        let change = change.map { " \(MoneyText.percentage($0.percent))" } ?? ""
        return WidgetSummary("\(priceText)\(change)", short: priceText, icon: "₿", tooltip: rangeText)
    }

    var body: some View {
        HStack {
            priceLabel
            priceChangeLabel
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
        } else if isChartShown, prices != nil {
            lineChartView(baseline: yesterday)
        }
    }

    /// The currency that the user has pressed, or otherwise the present one.
    private var chosenCurrency: String? { edit?.currency ?? prices?.currency }

    private var yesterday: Double? { change.flatMap { change in price.map { $0.price - change.amount } } }
}
