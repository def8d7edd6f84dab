// SPDX-License-Identifier: MIT
import TodayKit

/// A price, its change, and a detail that a tap shows and hides, laid out in code. The heights are in points, as on iOS. The
/// widget has one display mode and its own toggle, as on iOS 8; from iOS 10 on, and with LargestDisplayMode=expanded here, the
/// host's More does it (see `widgetActiveDisplayModeDidChange`).
@main
final class PriceWidget: TodayWidget {
    private enum Action: String { case show, hide }
    private static let collapsedHeight = 44.0
    private static let detailHeight = 98.0

    private var isDetailShown = false

    func viewDidLoad() {
        preferredContentSize = WidgetSize(points: (0, 200))
    }

    /// Zero: content begins at the left edge.
    func widgetMarginInsets(forProposedMarginInsets defaultMarginInsets: EdgeInsets) -> EdgeInsets { .zero }

    func widgetPerformUpdate() async throws -> NCUpdateResult { .newData }

    func widgetPerformAction(_ action: String) async throws -> NCUpdateResult {
        guard let action = Action(rawValue: action) else { throw WidgetFailure("there is no such action") }
        isDetailShown = action == .show
        let height = Self.collapsedHeight + (isDetailShown ? Self.detailHeight : 0)
        preferredContentSize = WidgetSize(points: (0, height))
        return .newData
    }

    var summary: WidgetSummary { WidgetSummary("$67,250.00 +0.37%", short: "$67,250.00", icon: "₿") }

    var body: some View {
        TapArea(action: (isDetailShown ? Action.hide : .show).rawValue) {
            HStack {
                Text("$67,250.00").font(.title).foregroundColor(.accent)
                Text("+250.00 (+0.37%)").foregroundColor(.good)
                Spacer()
                Text(isDetailShown ? "▴" : "▾")
            }
            // iOS needs clear backgrounds; here hosts have their own, dark or light.
            if isDetailShown { Text("Sample prices: 67,000.00 yesterday").foregroundColor(.primary) }
        }
    }
}
