// SPDX-License-Identifier: MIT
import AgendaStore
import Arguments
import Glibc
import JSON
import Platform
import Rendering
import TodayKit

/// The containing app of the widget Agenda.
struct Agenda {
    /// The exit statuses, which the help explains.
    enum ExitCode: Int32 {
        case ok = 0
        case noSuchItem = 1
        case usage = 2
        case unusable = 3
        case notStored = 4
        case failed = 5
        case notTold = 6
    }

    private let screen: Screen

    init(_ screen: Screen) { self.screen = screen }

    /// - Parameter arguments: without the program's name.
    func run(_ arguments: [String]) -> ExitCode {
        do {
            let parsed = try Self.command.parse(arguments)
            if parsed.isHelpRequested {
                return screen.writeUnchanged(Self.command.help(for: parsed.path)) ? .ok : .failed
            }
            return try perform(parsed)
        } catch let error as UsageError {
            screen.writeError("\(error)")
            return .usage
        } catch {
            screen.writeError("agenda: \(error)")
            return (error as? AgendaError).map(Self.code) ?? .failed
        }
    }

    private static func code(_ error: AgendaError) -> ExitCode {
        switch error {
        case .noSuchItem: .noSuchItem
        case .badTitle: .usage
        case .damaged, .foreign, .newer: .unusable
        case .busy, .notWritable, .noContainer: .notStored
        case .failed: .failed
        }
    }

    private func perform(_ arguments: ParsedArguments) throws -> ExitCode {
        // Check the arguments before the agenda is opened: opening makes its file.
        let today = CivilDay.today
        let command = try AgendaCommand(arguments, today: today)
        let store = try AgendaStore.shared()
        if arguments.has("verbose") { screen.writeError("agenda: the database is \(store.path)") }
        let notice = Notice(screen: screen, isVerbose: arguments.has("verbose"))
        switch command {
        case .add(let title, let due):
            let item = try store.add(title, due: due)
            return finish("Added \(item.number): \(item.title), due \(item.dueText(on: today)).") {
                notice.post(showsWidget: true)
            }
        case .done(let number):
            let item = try store.markDone(number)
            return finish(item.isDone ? "It was done already: \(item.title)." : "Done: \(item.title).") {
                notice.post(showsWidget: false)
            }
        case .remove(let number):
            let item = try store.remove(number)
            return finish("Removed: \(item.title).") { notice.post(showsWidget: false) }
        case .refresh:
            return notice.post(showsWidget: try !store.items().isEmpty) ? .ok : .notTold
        case .list(let all, let isJSON):
            let listing = AgendaListing(items: try store.items(all: all), today: today)
            return (isJSON ? screen.writeUnchanged(listing.json) : screen.write(listing.text)) ? .ok : .failed
        }
    }

    /// Prints what was changed, and then tells todayd.
    private func finish(_ text: String, _ postNotice: () -> Bool) -> ExitCode {
        let isWritten = screen.write(text)
        guard postNotice() else { return .notTold }
        return isWritten ? .ok : .failed
    }
}

/// The items as the app prints them.
struct AgendaListing {
    let items: [AgendaItem]
    let today: CivilDay

    /// Number, day and title in columns.
    var text: String {
        if items.isEmpty { return "Nothing to do." }
        let rows = items.map { ("\($0.number)", $0.dueText(on: today), $0.title) }
        let widths = (rows.map(\.0.count).max() ?? 0, rows.map(\.1.count).max() ?? 0)
        return rows.map { number, day, title in
            let before = String(repeating: " ", count: widths.0 - number.count)
            let after = String(repeating: " ", count: widths.1 - day.count)
            return "\(before)\(number)  \(day)\(after)  \(title)"
        }
        .joined(separator: "\n")
    }

    var json: String {
        let list = items.map { item -> JSON in
            [
                "number": JSON(item.number), "title": .string(item.title), "due": .string(item.due.text),
                "state": .string(item.state(on: today).rawValue),
            ]
        }
        let page: JSON = ["today": .string(today.text), "items": .array(list)]
        return page.pretty + "\n"
    }
}

/// Prints text after it has replaced the characters that a terminal could obey: another program may have written any title.
struct Screen {
    private let charset: Charset

    init(_ variables: EnvironmentVariables) {
        charset = Charset { variables[$0] }
    }

    /// - Returns: whether the text could be written.
    func write(_ text: String) -> Bool { Descriptor.writeAll(Array(printable(text).utf8), to: STDOUT_FILENO) }

    /// Writes text that has no control characters, such as JSON, which escapes them.
    func writeUnchanged(_ text: String) -> Bool { Descriptor.writeAll(Array(text.utf8), to: STDOUT_FILENO) }

    /// Writes to the standard error stream. If that fails, there is no other place to report it.
    func writeError(_ text: String) { _ = Descriptor.writeAll(Array(printable(text).utf8), to: STDERR_FILENO) }

    private func printable(_ text: String) -> String {
        Printable.lines(of: text, charset).reduce(into: "") { $0 += $1.text + "\n" }
    }
}
