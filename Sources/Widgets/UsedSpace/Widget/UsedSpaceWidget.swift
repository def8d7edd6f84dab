// SPDX-License-Identifier: MIT
import Platform
import TodayKit
import UsedSpace

/// How full the disk is: a bar and a percentage, and the sizes behind them after a tap.
@main
final class UsedSpaceWidget: TodayWidget {
    /// A tap says what it does and not that it toggles: what is tapped may have been drawn by a process that has ended,
    /// and a new one begins collapsed.
    private enum Action: String { case show, hide }
    private static let bottomMargin = 10.0
    private static let (collapsedHeight, expandedHeight) = (37.0, 106.0)

    /// The file system of this path; Environment=USED_SPACE_PATH=/home in the manifest says another.
    private let path = EnvironmentVariables.process["USED_SPACE_PATH"] ?? "/"
    /// What is shown; nil until it was found out for the first time.
    private var space: DiskSpace?
    private var isExpanded = false

    private var cache: SpaceCache { SpaceCache(.standard, path: path) }

    func viewDidLoad() {
        extensionContext.widgetLargestAvailableDisplayMode = .expanded
        // What was known last is shown until there is something newer: a process does not live long.
        space = cache.space
    }

    func widgetActiveDisplayModeDidChange(_ activeDisplayMode: NCWidgetDisplayMode, withMaximumSize maxSize: WidgetSize)
    {
        askForHeight()
    }

    /// Room below, so that the bar does not touch the next widget; the left one stays as it is proposed.
    func widgetMarginInsets(forProposedMarginInsets defaultMarginInsets: EdgeInsets) -> EdgeInsets {
        var insets = defaultMarginInsets
        insets.bottom = WidgetSize(points: (0, Self.bottomMargin)).rows
        return insets
    }

    private func askForHeight() {
        let height = isExpanded ? Self.expandedHeight : Self.collapsedHeight
        preferredContentSize = WidgetSize(points: (0, height + Self.bottomMargin))
    }

    func widgetPerformUpdate() async throws -> NCUpdateResult {
        let new = try DiskSpace(of: path)
        // The snapshot of a process that has ended may be an expanded one.
        let isDrawnExpanded = cache.isDrawnExpanded
        if let space, !new.differsVisibly(from: space), isDrawnExpanded == isExpanded { return .noData }
        space = new
        keep(new)
        return .newData
    }

    func widgetPerformAction(_ action: String) async throws -> NCUpdateResult {
        guard let action = Action(rawValue: action) else {
            throw WidgetFailure("there is no action of this name; the widget has show and hide")
        }
        let new = try DiskSpace(of: path)
        space = new
        isExpanded = action == .show
        askForHeight()
        keep(new)
        return .newData
    }

    private func keep(_ space: DiskSpace) {
        do throws(TodayError) {
            try cache.keep(space, isDrawnExpanded: isExpanded)
        } catch {
            // A full disk is what this widget is for, and the picture of it needs no cache.
            print("the rate is not kept: \(error)")
        }
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
        TapArea(action: (isExpanded ? Action.hide : .show).rawValue) {
            ProgressView(value: space?.rate ?? 0, currentValueLabel: percentage).tint(color)
            if isExpanded {
                ByDisplayMode {
                    Text(details.map { "\($0) \($1)" }.joined(separator: "  ")).font(.caption)
                } expanded: {
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

    private var details: [(String, String)] {
        let sizes = [("Used:", space?.used), ("Free:", space?.free), ("Total:", space?.total)]
        return sizes.map { name, size in (name, size.map(SpaceText.size) ?? "--") }
    }
}
