// SPDX-License-Identifier: MIT
import TodayKit
import UsedSpace

/// How full the disk is: a percentage and a bar, and the sizes behind them after a tap.
@main
final class UsedSpaceWidget: TodayWidget {
    private enum Action: String { case toggle }
    private static let detailsKey = "isShowingDetails"

    /// The file system of this path; Environment=USED_SPACE_PATH=/home in the manifest says another.
    private let path = Variables.process["USED_SPACE_PATH"] ?? "/"
    /// What is shown; nil until it was found out for the first time.
    private var space: DiskSpace?
    private var isShowingDetails = false

    func viewDidLoad() {
        extensionContext.widgetLargestAvailableDisplayMode = .expanded
        // What was known last is shown until there is something newer: a process does not live long.
        space = SpaceCache(.standard, path: path).space
        isShowingDetails = WidgetDefaults.standard.bool(forKey: Self.detailsKey)
    }

    func widgetActiveDisplayModeDidChange(_ activeDisplayMode: NCWidgetDisplayMode, withMaximumSize maxSize: WidgetSize)
    {
        preferredContentSize = preferredSize(in: activeDisplayMode)
    }

    /// Room below, so that the bar does not touch the next widget; the left margin stays, it is where the title begins.
    func widgetMarginInsets(forProposedMarginInsets defaultMarginInsets: EdgeInsets) -> EdgeInsets {
        var insets = defaultMarginInsets
        insets.bottom = 1
        return insets
    }

    func widgetPerformUpdate() async throws -> NCUpdateResult {
        let new = try DiskSpace(of: path)
        if let space, !new.differsVisibly(from: space) { return .noData }
        space = new
        do throws(TodayError) {
            try SpaceCache(.standard, path: path).keep(new)
        } catch {
            // A full disk is what this widget is for, and the picture of it needs no cache.
            print("the rate is not kept: \(error)")
        }
        return .newData
    }

    func widgetPerformAction(_ action: String) async throws -> NCUpdateResult {
        guard Action(rawValue: action) == .toggle else {
            throw WidgetFailure("there is no action of this name; the widget has toggle")
        }
        space = try DiskSpace(of: path)
        isShowingDetails.toggle()
        preferredContentSize = preferredSize(in: extensionContext.widgetActiveDisplayMode)
        do throws(TodayError) {
            try WidgetDefaults.standard.set(isShowingDetails, forKey: Self.detailsKey)
        } catch {
            print("which details are shown is not kept: \(error)")
        }
        return .newData
    }

    /// Two rows collapsed, in compact mode with the sizes in one line below, in expanded mode with a line for each.
    private func preferredSize(in mode: NCWidgetDisplayMode) -> WidgetSize {
        let details = isShowingDetails ? (mode == .compact ? 1 : 4) : 0
        return WidgetSize(columns: 0, rows: (mode == .compact ? 1 : 2) + details + 1)
    }

    // MARK: What is shown

    private var percentage: String { space.map { SpaceText.percentage($0.rate) } ?? "--" }

    private var color: Color {
        switch space?.rate ?? 0 {
        case 0.97...: .critical
        case 0.9...: .warning
        default: .accent
        }
    }

    var summary: WidgetSummary {
        guard let space else { return WidgetSummary("--", icon: "💽") }
        let severity: WidgetSummary.Severity = space.rate >= 0.97 ? .critical : space.rate >= 0.9 ? .warning : .normal
        return WidgetSummary(
            "\(percentage) used", short: percentage, severity: severity, icon: "💽", percentage: space.rate * 100,
            tooltip: "\(SpaceText.size(space.used)) of \(SpaceText.size(space.total))")
    }

    var body: some View {
        TapArea(action: Action.toggle.rawValue) {
            ByDisplayMode {
                HStack {
                    Text(percentage)
                    bar
                }
                if isShowingDetails { Text(details.map { "\($0) \($1)" }.joined(separator: "  ")).font(.caption) }
            } expanded: {
                Text(percentage).font(.title)
                bar
                if isShowingDetails {
                    Spacer()
                    Grid(columns: 2) {
                        for (name, size) in details {
                            Text(name).foregroundColor(.secondary)
                            Text(size).multilineTextAlignment(.trailing)
                        }
                    }
                }
            }
        }
    }

    private var bar: some View { ProgressView(value: space?.rate ?? 0).tint(color) }

    private var details: [(String, String)] {
        let sizes = [("Used:", space?.used), ("Free:", space?.free), ("Total:", space?.total)]
        return sizes.map { name, size in (name, size.map(SpaceText.size) ?? "--") }
    }
}
