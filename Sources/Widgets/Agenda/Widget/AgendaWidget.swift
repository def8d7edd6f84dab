// SPDX-License-Identifier: MIT
import AgendaStore
import TodayKit

/// What is due today or overdue, each with a button that marks it done. With nothing due it hides itself, until its app adds
/// something: `agenda add "Call Ada"`.
@main
final class AgendaWidget: TodayWidget {
    private static let showsItemsKey = "showsItems"

    private var today = CivilDay.today
    private var items: [AgendaItem] = []
    /// What the last snapshot of this process shows; nil while there is none.
    private var drawn: Picture?
    /// Whether the last snapshot of all shows items, which may be another process's.
    private var showsItems = WidgetDefaults.standard.bool(forKey: showsItemsKey)

    private struct Picture: Equatable {
        let today: CivilDay
        let items: [AgendaItem]
    }

    func viewDidLoad() {
        extensionContext.widgetLargestAvailableDisplayMode = .expanded
        // The database is the cache. What is wrong with it the update says.
        items = (try? AgendaStore.shared().due(on: today)) ?? []
    }

    func widgetPerformUpdate() async throws -> NCUpdateResult { try refresh(try AgendaStore.shared()) }

    func widgetPerformAction(_ action: String) async throws -> NCUpdateResult {
        guard let number = AgendaAction.itemToDo(action) else {
            throw WidgetFailure("there is no action of this name; the widget has 'done' and the number of an item")
        }
        let store = try AgendaStore.shared()
        do throws(AgendaError) {
            _ = try store.markDone(number)
        } catch {
            // Removed by the app while its button was still shown: gone is as good as done.
            guard case .noSuchItem = error else { throw error }
        }
        return try refresh(store)
    }

    private func refresh(_ store: AgendaStore) throws -> NCUpdateResult {
        let day = CivilDay.today
        today = day
        items = try Visibility.settle(due: { try store.due(on: day) }, setHasContent: Self.setHasContent)
        if items.isEmpty {
            drawn = nil
            // Where items are still to be seen, they would be for a moment when the widget is shown again.
            guard showsItems else { return .noData }
            remember(showsItems: false)
            return .newData
        }
        let picture = Picture(today: today, items: items)
        if drawn == picture { return .noData }
        drawn = picture
        if !showsItems { remember(showsItems: true) }
        return .newData
    }

    /// Only of the widget that this process is: a preview hides nobody.
    private nonisolated static func setHasContent(_ flag: Bool) throws(TodayError) {
        guard let identifier = Variables.process["TODAY_WIDGET"] else { return }
        try NCWidgetController().setHasContent(flag, forWidgetWithBundleIdentifier: identifier)
    }

    private func remember(showsItems flag: Bool) {
        showsItems = flag
        do throws(TodayError) {
            try WidgetDefaults.standard.set(flag, forKey: Self.showsItemsKey)
        } catch {
            print("what was shown is not remembered: \(error)")
        }
    }

    // MARK: What is shown

    var summary: WidgetSummary {
        guard let first = items.first else { return WidgetSummary() }
        let isLate = first.standing(on: today) == .overdue
        return WidgetSummary(
            items.count == 1 ? first.shownTitle : "\(items.count) to do: \(first.shownTitle)", short: "\(items.count)",
            severity: isLate ? .warning : .info, icon: "🗓",
            tooltip: items.prefix(20).map { "\($0.shownTitle), \($0.words(on: today))" }.joined(separator: "\n"))
    }

    var body: some View {
        let page = AgendaPage(items: items, rows: contentSize.rows)
        if !items.isEmpty {
            ByDisplayMode {
                Grid(columns: 2) {
                    for item in page.shown {
                        title(of: item)
                        done(item)
                    }
                }
                if let more = page.more { Text(more).font(.caption) }
            } expanded: {
                Grid(columns: 3) {
                    for item in page.shown {
                        title(of: item)
                        Text(item.words(on: today)).foregroundColor(.secondary)
                        done(item)
                    }
                }
                if let more = page.more { Text(more).font(.caption) }
            }
        }
    }

    private func title(of item: AgendaItem) -> some View {
        Text(item.shownTitle).lineLimit(1)
            .foregroundColor(item.standing(on: today) == .overdue ? .warning : .primary)
    }

    private func done(_ item: AgendaItem) -> some View { Button("done", action: AgendaAction.done(item)) }
}
