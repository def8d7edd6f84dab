// SPDX-License-Identifier: MIT
import AgendaStore
import Arguments
import Platform

/// The containing app of the widget Agenda.
struct Agenda {
    /// What a script can tell from its end; its help lists them.
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
            screen.complain("\(error)")
            return .usage
        } catch {
            screen.complain("agenda: \(error)")
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
        // What was typed wrong is said before anything is opened or made.
        let today = CivilDay.today
        let command = try AgendaCommand(arguments, today: today)
        let store = try AgendaStore.shared()
        if arguments.has("verbose") { screen.complain("agenda: the database is \(store.path)") }
        let notice = Notice(screen: screen, isVerbose: arguments.has("verbose"))
        switch command {
        case .add(let title, let due):
            let item = try store.add(title, due: due)
            return say("Added \(item.number): \(item.title), due \(item.words(on: today)).") {
                notice.post(showing: true)
            }
        case .done(let number):
            let item = try store.markDone(number)
            return say(item.isDone ? "It was done already: \(item.title)." : "Done: \(item.title).") {
                notice.post(showing: false)
            }
        case .remove(let number):
            let item = try store.remove(number)
            return say("Removed: \(item.title).") { notice.post(showing: false) }
        case .refresh:
            return notice.post(showing: try !store.items().isEmpty) ? .ok : .notTold
        case .list(let all, let isJSON):
            let listing = AgendaListing(items: try store.items(all: all), today: today)
            return (isJSON ? screen.writeUnchanged(listing.json) : screen.write(listing.text)) ? .ok : .failed
        }
    }

    /// What was done, and then what todayd made of it.
    private func say(_ text: String, _ post: () -> Bool) -> ExitCode {
        let isWritten = screen.write(text)
        guard post() else { return .notTold }
        return isWritten ? .ok : .failed
    }
}
