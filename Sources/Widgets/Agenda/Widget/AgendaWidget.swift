// SPDX-License-Identifier: MIT
import AgendaStore
import Platform
import TodayKit

/// Shows the items that are due today or overdue, each with a button that marks it done. The widget gives later items in
/// advance, as entries of a timeline: todayd shows them from the midnight of their day on, and runs no program for that.
/// While there is nothing to do at all, the widget hides itself, until its app adds an item: `agenda add "Call Ada"`.
@main
final class AgendaWidget: TodayWidget {
    private static let showsItemsKey = "showsItems"
    /// How many midnights the timeline has. todayd runs the widget again at the last one.
    private static let daysInAdvance = 7

    /// All items that are still to be done.
    private var items: [AgendaItem] = []
    /// What the last snapshot of this process shows; nil before the first one.
    private var drawn: Picture?
    /// Whether the last snapshot shows items. An earlier process may have drawn that snapshot.
    private var showsItems = WidgetDefaults.standard.bool(forKey: showsItemsKey)

    private struct Picture: Equatable {
        let today: CivilDay
        let items: [AgendaItem]
    }

    func viewDidLoad() {
        extensionContext.widgetLargestAvailableDisplayMode = .expanded
        // The database serves as the cache. If it cannot be read, the update reports why.
        items = (try? AgendaStore.shared().items()) ?? []
    }

    func widgetPerformUpdate() async throws -> NCUpdateResult { try refresh(try AgendaStore.shared()) }

    func widgetPerformAction(_ action: String) async throws -> NCUpdateResult {
        guard let number = AgendaAction.doneItem(of: action) else {
            throw WidgetFailure("there is no action of this name; the widget has 'done' and the number of an item")
        }
        let store = try AgendaStore.shared()
        do throws(AgendaError) {
            _ = try store.markDone(number)
        } catch {
            // The app has removed the item while a host still showed its button: nothing is left to do.
            guard case .noSuchItem = error else { throw error }
        }
        return try refresh(store)
    }

    private func refresh(_ store: AgendaStore) throws -> NCUpdateResult {
        items = try AgendaVisibility.update(readItems: { try store.items() }, setHasContent: Self.setHasContent)
        if items.isEmpty {
            drawn = nil
            // An empty snapshot replaces one that shows items. Otherwise hosts would show those items for a moment when the
            // app sets the has-content flag to true again.
            guard showsItems else { return .noData }
            save(showsItems: false)
            return .newData
        }
        let picture = Picture(today: today, items: items)
        if drawn == picture { return .noData }
        drawn = picture
        if !showsItems { save(showsItems: true) }
        return .newData
    }

    /// Sets the flag only in a process that todayd has started: a preview must not hide the widget.
    private nonisolated static func setHasContent(_ flag: Bool) throws(TodayError) {
        guard let identifier = EnvironmentVariables.process["TODAY_WIDGET"] else { return }
        try NCWidgetController().setHasContent(flag, forWidgetWithBundleIdentifier: identifier)
    }

    private func save(showsItems flag: Bool) {
        showsItems = flag
        do throws(TodayError) {
            try WidgetDefaults.standard.set(flag, forKey: Self.showsItemsKey)
        } catch {
            print("the widget cannot save what it shows: \(error)")
        }
    }

    // MARK: What is shown

    /// The day for which the body is drawn: today, or the day of a timeline entry.
    private var today: CivilDay { CivilDay(localAtSecondsSince1970: extensionContext.entryDate.seconds) }

    private var dueItems: [AgendaItem] {
        let today = today
        return items.filter { $0.isDue(on: today) }
    }

    /// One entry for each midnight: the words change every day, and more items may be due.
    var timeline: Timeline? {
        if items.isEmpty { return nil }
        let today = today
        let days = (1...Self.daysInAdvance).map { CivilDay(number: today.number + $0) }
        return Timeline(entries: days.map { TimelineEntry(date: Timestamp(secondsSince1970: $0.localBeginning)) })
    }

    var summary: WidgetSummary {
        let (today, items) = (today, dueItems)
        guard let first = items.first else { return WidgetSummary() }
        let isOverdue = first.state(on: today) == .overdue
        return WidgetSummary(
            items.count == 1 ? first.shownTitle : "\(items.count) to do: \(first.shownTitle)", short: "\(items.count)",
            severity: isOverdue ? .warning : .info, icon: "🗓",
            tooltip: items.prefix(20).map { "\($0.shownTitle), \($0.dueText(on: today))" }.joined(separator: "\n"))
    }

    var body: some View {
        let (today, page) = (today, AgendaPage(items: dueItems, rows: contentSize.rows))
        if !page.shown.isEmpty {
            ByDisplayMode {
                Grid(columns: 2) {
                    for item in page.shown {
                        title(of: item, on: today)
                        doneButton(for: item)
                    }
                }
                if let more = page.more { Text(more).font(.caption) }
            } expanded: {
                Grid(columns: 3) {
                    for item in page.shown {
                        title(of: item, on: today)
                        Text(item.dueText(on: today)).foregroundColor(.secondary)
                        doneButton(for: item)
                    }
                }
                if let more = page.more { Text(more).font(.caption) }
            }
        }
    }

    private func title(of item: AgendaItem, on today: CivilDay) -> some View {
        Text(item.shownTitle).lineLimit(1)
            .foregroundColor(item.state(on: today) == .overdue ? .warning : .primary)
    }

    private func doneButton(for item: AgendaItem) -> some View { Button("done", action: AgendaAction.done(item)) }
}
