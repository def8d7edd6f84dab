// SPDX-License-Identifier: MIT
import AgendaStore
import Platform
import TodayKit

/// What is due today or overdue, each with a button that marks it done. What is due later it gives in advance, as entries
/// of a timeline: it is shown at the midnight of its day, and nothing runs then. With nothing to do at all the widget hides
/// itself, until its app adds something: `agenda add "Call Ada"`.
@main
final class AgendaWidget: TodayWidget {
    private static let showsItemsKey = "showsItems"
    /// At the last of these midnights the widget is asked again.
    private static let daysInAdvance = 7

    /// All that is still to be done.
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
        items = (try? AgendaStore.shared().items()) ?? []
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
        items = try Visibility.settle(open: { try store.items() }, setHasContent: Self.setHasContent)
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

    /// Only of the widget that this process is: a preview hides no widget.
    private nonisolated static func setHasContent(_ flag: Bool) throws(TodayError) {
        guard let identifier = EnvironmentVariables.process["TODAY_WIDGET"] else { return }
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

    /// The day that is drawn: today, or that of an entry of the timeline.
    private var today: CivilDay { CivilDay(localAtSecondsSince1970: extensionContext.entryDate.seconds) }

    private var due: [AgendaItem] {
        let today = today
        return items.filter { $0.isDue(on: today) }
    }

    /// Each day has its own words, and perhaps items of its own.
    var timeline: Timeline? {
        if items.isEmpty { return nil }
        let today = today
        let days = (1...Self.daysInAdvance).map { CivilDay(number: today.number + $0) }
        return Timeline(entries: days.map { TimelineEntry(date: Timestamp(secondsSince1970: $0.localBeginning)) })
    }

    var summary: WidgetSummary {
        let (today, items) = (today, due)
        guard let first = items.first else { return WidgetSummary() }
        let isLate = first.standing(on: today) == .overdue
        return WidgetSummary(
            items.count == 1 ? first.shownTitle : "\(items.count) to do: \(first.shownTitle)", short: "\(items.count)",
            severity: isLate ? .warning : .info, icon: "🗓",
            tooltip: items.prefix(20).map { "\($0.shownTitle), \($0.words(on: today))" }.joined(separator: "\n"))
    }

    var body: some View {
        let (today, page) = (today, AgendaPage(items: due, rows: contentSize.rows))
        if !page.shown.isEmpty {
            ByDisplayMode {
                Grid(columns: 2) {
                    for item in page.shown {
                        title(of: item, on: today)
                        done(item)
                    }
                }
                if let more = page.more { Text(more).font(.caption) }
            } expanded: {
                Grid(columns: 3) {
                    for item in page.shown {
                        title(of: item, on: today)
                        Text(item.words(on: today)).foregroundColor(.secondary)
                        done(item)
                    }
                }
                if let more = page.more { Text(more).font(.caption) }
            }
        }
    }

    private func title(of item: AgendaItem, on today: CivilDay) -> some View {
        Text(item.shownTitle).lineLimit(1)
            .foregroundColor(item.standing(on: today) == .overdue ? .warning : .primary)
    }

    private func done(_ item: AgendaItem) -> some View { Button("done", action: AgendaAction.done(item)) }
}
