// SPDX-License-Identifier: MIT
import AgendaStore
import Glibc
import TodayKit
import TodayTerminal

// The containing app of the widget Agenda: changes the agenda, and tells todayd.
private let usage = """
    usage: agenda [list [--all]]                 what is to be done, in the order of its days
           agenda add [--due DAY] TITLE...       DAY is today, tomorrow or as 2026-11-21
           agenda done N | agenda remove N       an item by its number
           agenda refresh                        lets the widget look again, after another program's change
    """

await Terminal.run("agenda", perform)

@MainActor func perform(_ arguments: [String]) throws {
    var words = arguments.dropFirst()
    switch arguments.first {
    case "--help", "-h": Terminal.print(usage)
    case nil, "list":
        let isAll = words.first == "--all"
        if words.count > (isAll ? 1 : 0) { throw Terminal.Usage.unknown(to: "agenda") }
        show(try AgendaStore().items(all: isAll))
    case "add":
        var due = CivilDay.today
        if let option = words.firstIndex(of: "--due") {
            guard option + 1 < words.endIndex else { throw Terminal.Usage.unknown(to: "agenda") }
            due = try day(words[option + 1])
            words.removeSubrange(option...option + 1)
        }
        if words.isEmpty { throw Terminal.Usage.unknown(to: "agenda") }
        let item = try AgendaStore().add(words.joined(separator: " "), due: due)
        Terminal.print("Added \(item.number): \(item.title), due \(item.dueText(on: .today)).")
        try tell(showsWidget: true)
    case "done" where words.count == 1:
        let item = try found(try AgendaStore().markDone(try number(words[1])), words[1])
        Terminal.print("Done: \(item.title).")
        try tell(showsWidget: false)
    case "remove" where words.count == 1:
        let item = try found(try AgendaStore().remove(try number(words[1])), words[1])
        Terminal.print("Removed: \(item.title).")
        try tell(showsWidget: false)
    case "refresh" where words.isEmpty: try tell(showsWidget: try !AgendaStore().items().isEmpty)
    default: throw Terminal.Usage.unknown(to: "agenda")
    }
}

@MainActor func show(_ items: [AgendaItem]) {
    if items.isEmpty {
        Terminal.print("Nothing to do.")
        return
    }
    Terminal.show {
        Grid(columns: 3) {
            for item in items {
                Text("\(item.number)").multilineTextAlignment(.trailing)
                Text(item.dueText(on: .today)).foregroundColor(item.isOverdue(on: .today) ? .warning : .secondary)
                Text(item.title)
            }
        }
    }
}

func day(_ text: String) throws(Terminal.Usage) -> CivilDay {
    switch text {
    case "today": return .today
    case "tomorrow": return CivilDay.today.advanced(by: 1)
    default:
        if let day = CivilDay(text) { return day }
        throw Terminal.Usage("--due: '\(text)' is not a day; write it as 2026-11-21, today or tomorrow")
    }
}

func number(_ text: String) throws(Terminal.Usage) -> Int {
    if let number = Int(text), number > 0 { return number }
    throw Terminal.Usage("'\(text)' is not the number of an item; 'agenda list' shows them")
}

func found(_ item: AgendaItem?, _ number: String) throws -> AgendaItem {
    if let item { return item }
    throw WidgetFailure("there is no item \(number); 'agenda list --all' shows the numbers")
}

/// Tells todayd that the agenda has changed. Without todayd there is no widget to tell; once one starts, the widget reads the
/// agenda.
///
/// - Parameter showsWidget: whether to set the has-content flag to true, because there is something to do.
func tell(showsWidget: Bool) throws {
    do throws(TodayError) {
        let group = GroupDefaults(suiteName: AgendaStore.group)
        if GroupContainer.isHiddenFromWidgets {
            // Throws if that todayd has no such group, and so no such widget.
            _ = try group.values()
            Terminal.printError(
                """
                agenda: the widget cannot see this: its todayd runs as another user, who may not open your agenda. Run one \
                of your own: systemctl --user enable --now todayd
                """)
            exit(1)
        }
        if showsWidget {
            try NCWidgetController().setHasContent(true, forWidgetWithBundleIdentifier: "org.todayd.agenda")
        }
        // todayd launches the widgets of a group when a value of it changes. A request to update would not be enough: a run
        // that has already read the agenda may answer it.
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        try group.set("\(now.tv_sec).\(now.tv_nsec)", forKey: "changed")
    } catch {
        switch error {
        case .unavailable, .noSuchWidget, .noSuchGroup: break
        default: throw WidgetFailure("the agenda is changed, but the widget is not told: \(error)")
        }
    }
}
