// SPDX-License-Identifier: MIT
import Arguments
import Glibc
import GreetingStore
import TodayKit
import TodayModel

/// The containing app of the widget Greeting: chooses the text and the person, and shows the one whom the widget's button
/// names.
struct GreetingApp {
    /// What a script can tell from its end; its help lists them.
    enum ExitCode: Int32 {
        case ok = 0
        case noSuchPerson = 1
        case usage = 2
        case notStored = 3
        case notTold = 4
    }

    private struct Failure: Error {
        let reason: String
        let code: ExitCode
    }

    func run(_ arguments: [String]) -> ExitCode {
        do {
            let parsed = try Self.command.parse(arguments)
            if parsed.isHelpRequested {
                print(Self.command.help(for: parsed.path), terminator: "")
                return .ok
            }
            defer { if parsed.has("wait"), isatty(STDIN_FILENO) == 1 { _ = readLine() } }
            try perform(parsed)
            return .ok
        } catch let failure as Failure {
            complain(failure.reason)
            return failure.code
        } catch let error as UsageError {
            _ = Terminal.write("\(error)\n", to: STDERR_FILENO)
            return .usage
        } catch {
            complain("the people cannot be read or changed: \(error)")
            return .notStored
        }
    }

    private func perform(_ arguments: ParsedArguments) throws {
        let words = arguments.positionals("TEXT").joined(separator: " ")
        switch arguments.path.first {
        case "text":
            try tell(DefaultsValue.string(try Self.checked(words)), forKey: PeopleStore.textKey)
        case "add":
            if GroupContainer.isHiddenFromWidgets {
                throw Failure(
                    reason: """
                        the widget cannot see people: its todayd runs as another user, who may not open your database. Run \
                        one of your own: systemctl --user enable --now todayd
                        """, code: .notTold)
            }
            let note = try arguments.value("note").map(Self.checked) ?? ""
            let person = try PeopleStore.shared().add(try Self.checked(words), note: note)
            print("\(person.name) is number \(person.number).")
            try tell(.int(person.number), forKey: PeopleStore.personKey)
        default:
            let text = arguments.positional("PERSON") ?? ""
            guard let number = GreetingURL.number(text), let person = try PeopleStore.shared().person(number) else {
                throw Failure(
                    reason: "there is no such person; write a number, or \(GreetingURL.person(1))", code: .noSuchPerson)
            }
            print(person.note.isEmpty ? person.name : "\(person.name): \(person.note)")
        }
    }

    /// Both the widget and a terminal take it as it is.
    private static func checked(_ text: String) throws(Failure) -> String {
        if text.isEmpty { throw Failure(reason: "the text is empty; write one", code: .usage) }
        if let complaint = PlainText.complaint(about: text, allowingLines: false) {
            throw Failure(reason: "the text \(complaint)", code: .usage)
        }
        return text
    }

    /// A change of the group's defaults starts the widget, which then looks into the database as well.
    private func tell(_ value: DefaultsValue, forKey key: String) throws(Failure) {
        do throws(TodayError) {
            if try !PendingCalls(suiteName: PeopleStore.group).setNowOrLater(value, forKey: key) {
                print("todayd does not run; the widget is told when it starts.")
            }
        } catch {
            throw Failure(reason: "the widget is not told: \(error)", code: .notTold)
        }
    }

    private func complain(_ reason: String) {
        let line = PlainText.line("greeting: \(reason)", upTo: 1_000)
        _ = Terminal.write("\(line)\n", to: STDERR_FILENO)
    }
}
