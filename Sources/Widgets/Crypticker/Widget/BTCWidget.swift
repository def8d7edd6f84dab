// SPDX-License-Identifier: MIT
import CryptoCurrencyKit
import TodayHTTP
import TodayKit

/// The price of a bitcoin, how it differs from yesterday's, and thirty days of it as a line, which a button shows and hides.
@main
final class BTCWidget: TodayWidget {
    private enum Action: String { case toggle, details }
    private static let historyKey = "history"
    private static let chartKey = "isChartShown"
    /// What editing offers; the app takes any.
    private static let currencies = ["usd", "eur", "gbp", "jpy"]

    private var history: PriceHistory?
    private var isChartShown = false
    private var isEditing = false

    func viewDidLoad() {
        extensionContext.widgetLargestAvailableDisplayMode = .expanded
        // What was known last, until there is something newer.
        history = PriceHistory(WidgetDefaults.standard.object(forKey: Self.historyKey))
        isChartShown = WidgetDefaults.standard.bool(forKey: Self.chartKey)
    }

    func widgetMarginInsets(forProposedMarginInsets defaultMarginInsets: EdgeInsets) -> EdgeInsets { .zero }

    func widgetPerformUpdate() async throws -> NCUpdateResult {
        let settings = try PriceSettings(.process, try PriceSettings.shared() ?? [:])
        let fetched = try await settings.fetch(cache: .ofWidgetWithBodies)
        // The server's "still the same" may be about another currency than the one that is shown.
        if fetched.isUnchanged, fetched.history == history { return .noData }
        history = fetched.history
        do throws(TodayError) {
            try WidgetDefaults.standard.set(history, forKey: Self.historyKey)
        } catch {
            // Only what the next process begins with; the prices themselves are here.
            print("the prices are not kept: \(error)")
        }
        return .newData
    }

    func widgetPerformAction(_ action: String) async throws -> NCUpdateResult {
        switch Action(rawValue: action) {
        case .toggle:
            try WidgetDefaults.standard.set(!isChartShown, forKey: Self.chartKey)
            isChartShown.toggle()
            return .newData
        case .details:
            let today = CivilDate(secondsSince1970: Timestamp.now.seconds)
            try await extensionContext.open("crypticker://day/\(today.text)")
            return .noData
        case nil:
            guard Self.currencies.contains(action) else { throw WidgetFailure("there is no action of this name") }
            try GroupDefaults(suiteName: PriceSettings.group).set(action, forKey: PriceSettings.currencyKey)
            return try await widgetPerformUpdate()
        }
    }

    // MARK: Editing

    var widgetAllowsEditing: Bool { true }
    func widgetDidBeginEditing() { isEditing = true }
    func widgetDidEndEditing() { isEditing = false }

    // MARK: What is shown

    private var price: String {
        history.map { MoneyText.price($0.latest.price, in: $0.currency) } ?? "--"
    }

    var summary: WidgetSummary {
        guard let history else { return WidgetSummary("--", icon: "₿") }
        let change = history.change.map { " \(MoneyText.percentage($0))" } ?? ""
        return WidgetSummary("\(price)\(change)", short: price, icon: "₿", tooltip: Self.range(of: history))
    }

    var body: some View {
        HStack {
            Text(price).font(.title).foregroundColor(Color(red: 66 / 255, green: 145 / 255, blue: 211 / 255))
            Text(history?.change.map(MoneyText.change) ?? "--")
                .foregroundColor(changeColor)
            Spacer()
            Button("Details", action: Action.details)
            Button(isChartShown ? "▲" : "▼", action: Action.toggle)
        }
        if isEditing {
            HStack {
                Text("Currency")
                for code in Self.currencies { Button(code.uppercased(), action: code) }
            }
        } else if isChartShown, let history {
            LineChart(points: history.days.map(\.price), baseline: yesterday)
                .tint(Color(red: 0.17, green: 0.49, blue: 0.82))
            Text(Self.range(of: history)).font(.caption).lineLimit(1).only(in: .expanded)
        }
    }

    private var changeColor: Color {
        guard let change = history?.change, change.amount != 0 else { return .secondary }
        return change.amount > 0 ? .good : .critical
    }

    private var yesterday: Double? {
        guard let history, let change = history.change else { return nil }
        return history.latest.price - change.amount
    }

    private static func range(of history: PriceHistory) -> String {
        let (low, high) = (history.lowest, history.highest)
        return """
            low \(MoneyText.price(low.price, in: history.currency)) on \(low.date.text), \
            high \(MoneyText.price(high.price, in: history.currency)) on \(high.date.text)
            """
    }
}
