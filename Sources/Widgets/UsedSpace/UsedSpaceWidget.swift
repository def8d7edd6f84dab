// SPDX-License-Identifier: MIT
import Glibc
import TodayKit

/// Shows how full a disk is: a bar with a percentage, and after a tap also the sizes.
@main
final class UsedSpaceWidget: TodayWidget {
    /// Two actions, not one that toggles: an earlier process may have drawn the area that the user taps, and every process
    /// starts collapsed.
    private enum Action: String { case show, hide }
    private static let bottomMargin = 10.0
    private static let (collapsedHeight, expandedHeight) = (37.0, 106.0)

    /// A path on the file system. The manifest can name another one: Environment=USED_SPACE_PATH=/home.
    private let path = getenv("USED_SPACE_PATH").map { String(cString: $0) } ?? "/"
    /// What the widget shows; nil until it has asked the file system for the first time.
    private var space: DiskSpace?
    private var isExpanded = false

    private var cache: SpaceCache { SpaceCache(.standard, path: path) }

    func viewDidLoad() {
        // Show the last known value until the first update of this process is done.
        space = cache.space
    }

    func widgetActiveDisplayModeDidChange(_ activeDisplayMode: NCWidgetDisplayMode, withMaximumSize maxSize: WidgetSize)
    {
        setPreferredHeight()
    }

    /// Adds a bottom margin, so that the bar does not touch the next widget. Keeps the proposed left margin.
    func widgetMarginInsets(forProposedMarginInsets defaultMarginInsets: EdgeInsets) -> EdgeInsets {
        var insets = defaultMarginInsets
        insets.bottom = WidgetSize(points: (0, Self.bottomMargin)).rows
        return insets
    }

    private func setPreferredHeight() {
        let height = isExpanded ? Self.expandedHeight : Self.collapsedHeight
        preferredContentSize = WidgetSize(points: (0, height + Self.bottomMargin))
    }

    func widgetPerformUpdate() async throws -> NCUpdateResult {
        let new = try DiskSpace(of: path)
        // The last snapshot may show the sizes, if an earlier process has drawn it after a tap.
        let isDrawnExpanded = cache.isDrawnExpanded
        if let space, !new.differsVisibly(from: space), isDrawnExpanded == isExpanded { return .noData }
        space = new
        save(new)
        return .newData
    }

    func widgetPerformAction(_ action: String) async throws -> NCUpdateResult {
        guard let action = Action(rawValue: action) else {
            throw WidgetFailure("there is no such action; the widget has show and hide")
        }
        let new = try DiskSpace(of: path)
        space = new
        isExpanded = action == .show
        setPreferredHeight()
        save(new)
        return .newData
    }

    private func save(_ space: DiskSpace) {
        do throws(TodayError) {
            try cache.save(space, isDrawnExpanded: isExpanded)
        } catch {
            // The disk may be full, which is just what this widget shows; it needs no cache for that.
            print("the widget cannot save the rate: \(error)")
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
                Grid(columns: 2) {
                    for (name, size) in details {
                        Text(name).foregroundColor(.secondary)
                        Text(size).multilineTextAlignment(.trailing)
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

/// What the widget has shown last, in its defaults.
private struct SpaceCache {
    private static let key = "space"
    private let defaults: WidgetDefaults
    /// The cache counts only for this path: another path may be on another file system.
    private let path: String

    init(_ defaults: WidgetDefaults, path: String) {
        self.defaults = defaults
        self.path = path
    }

    /// Nil if the defaults have no valid value for the path.
    var space: DiskSpace? {
        guard let values = defaults.dictionary(forKey: Self.key), values["path"] == .string(path),
            case .int(let total)? = values["total"], case .int(let free)? = values["free"], total > 0, free >= 0
        else { return nil }
        return DiskSpace(total: UInt64(total), free: UInt64(free))
    }

    /// Whether the last snapshot shows the sizes. A new process does not show them again; it only learns from this that it
    /// has to draw a collapsed snapshot.
    var isDrawnExpanded: Bool { defaults.dictionary(forKey: Self.key)?["expanded"] == .bool(true) }

    func save(_ space: DiskSpace, isDrawnExpanded: Bool) throws(TodayError) {
        let values: [String: DefaultsValue] = [
            "path": .string(path), "rate": .double(space.rate), "total": .int(Int(clamping: space.total)),
            "free": .int(Int(clamping: space.free)), "expanded": .bool(isDrawnExpanded),
        ]
        try defaults.set(values, forKey: Self.key)
    }
}
