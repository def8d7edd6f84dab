// SPDX-License-Identifier: MIT
import AgendaStore
import Glibc
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
        items = (try? AgendaStore().items()) ?? []
    }

    func widgetPerformUpdate() async throws -> NCUpdateResult { try refresh(try AgendaStore()) }

    func widgetPerformAction(_ action: String) async throws -> NCUpdateResult {
        let words = action.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 2, words[0] == "done", let number = Int(words[1]) else {
            throw WidgetFailure("there is no such action; the widget has 'done' and the number of an item")
        }
        let store = try AgendaStore()
        // The app may have removed the item while a host still showed its button: nothing is left to do then.
        _ = try store.markDone(number)
        return try refresh(store)
    }

    private func refresh(_ store: AgendaStore) throws -> NCUpdateResult {
        items = try store.items()
        if items.isEmpty {
            try setHasContent(false)
            // The app may have added an item after the widget had read the agenda, and have set the flag to true before the
            // widget set it to false. If the app adds one after this look, its own true comes last.
            items = try store.items()
            if !items.isEmpty { try setHasContent(true) }
        }
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
    private func setHasContent(_ flag: Bool) throws(TodayError) {
        guard let identifier = getenv("TODAY_WIDGET") else { return }
        try NCWidgetController().setHasContent(flag, forWidgetWithBundleIdentifier: String(cString: identifier))
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
    private var today: CivilDay { CivilDay(local: extensionContext.entryDate) }

    private var dueItems: [AgendaItem] {
        let today = today
        return items.filter { $0.isDue(on: today) }
    }

    /// One entry for each midnight: the words change every day, and more items may be due.
    var timeline: Timeline? {
        if items.isEmpty { return nil }
        let today = today
        let days = (1...Self.daysInAdvance).map { today.advanced(by: $0) }
        return Timeline(entries: days.map { TimelineEntry(date: $0.localBeginning) })
    }

    var summary: WidgetSummary {
        let (today, items) = (today, dueItems)
        guard let first = items.first else { return WidgetSummary() }
        return WidgetSummary(
            items.count == 1 ? first.title : "\(items.count) to do: \(first.title)", short: "\(items.count)",
            severity: first.isOverdue(on: today) ? .warning : .info, icon: "🗓",
            tooltip: items.prefix(20).map { "\($0.title), \($0.dueText(on: today))" }.joined(separator: "\n"))
    }

    var body: some View {
        let (today, due) = (today, dueItems)
        // One row for each item; the last row counts the items that do not fit.
        let rows = max(contentSize.rows, 2)
        let shown = due.count > rows ? due.prefix(rows - 1) : due[...]
        for item in shown {
            HStack {
                Button("○", action: "done \(item.number)")
                Text(item.title).lineLimit(1)
                Spacer()
                Text(item.dueText(on: today)).foregroundColor(item.isOverdue(on: today) ? .warning : .secondary)
            }
        }
        if shown.count < due.count { Text("and \(due.count - shown.count) more: agenda list").font(.caption) }
    }
}
