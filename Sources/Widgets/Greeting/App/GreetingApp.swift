// SPDX-License-Identifier: MIT
import Arguments
import Files
import Glibc
import GreetingStore
import Platform
import TodayKit
import TodayModel

/// The containing app of the widget Greeting. It sets the text and the person of the greeting, and shows the person in the
/// URL that the widget's button opens.
struct GreetingApp {
    /// The exit statuses, which the help explains.
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

    /// - Parameter arguments: without the program's name.
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
            writeError(failure.reason)
            return failure.code
        } catch let error as UsageError {
            _ = Descriptor.writeAll(Array("\(error)\n".utf8), to: STDERR_FILENO)
            return .usage
        } catch {
            writeError("the people cannot be read or changed: \(error)")
            return .notStored
        }
    }

    private func perform(_ arguments: ParsedArguments) throws {
        let words = arguments.positionals("TEXT").joined(separator: " ")
        switch arguments.path.first {
        case "text":
            try setDefault(.string(try Self.checked(words)), forKey: PeopleStore.textKey)
        case "add":
            if GroupContainer.isHiddenFromWidgets {
                throw Failure(
                    reason: """
                        the widget cannot see people: its todayd runs as another user, who may not open your database. Run \
                        one of your own: systemctl --user enable --now todayd
                        """, code: .notTold)
            }
            let note = try arguments.value("note").map(Self.checked) ?? ""
            let picture = try arguments.value("picture").map(Self.picture)
            let name = try Self.checked(words)
            // A person whom the widget cannot be told of is not added.
            try tell { () throws(TodayError) in _ = try GroupDefaults(suiteName: PeopleStore.group).values() }
            let person = try PeopleStore.shared().add(name, note: note)
            if let picture { try PeoplePictures.write(picture, of: person.number) }
            print("\(person.name) is number \(person.number).")
            try setDefault(.int(person.number), forKey: PeopleStore.personKey)
        default:
            let text = arguments.positional("PERSON") ?? ""
            guard let number = GreetingURL.number(in: text), let person = try PeopleStore.shared().person(number) else {
                throw Failure(
                    reason: "there is no such person; write a number, or \(GreetingURL.person(1))", code: .noSuchPerson)
            }
            print(person.note.isEmpty ? person.name : "\(person.name): \(person.note)")
        }
    }

    /// The bytes of a PNG file that content may have.
    private static func picture(_ path: String) throws(Failure) -> [UInt8] {
        guard case .bytes(let bytes) = FileContents(at: path, limit: PeoplePictures.mostBytes) else {
            let reason =
                "\(path) cannot be the picture: it is a file of \(PeoplePictures.mostBytes / 1_024) KiB at most"
            throw Failure(reason: reason, code: .usage)
        }
        // What every PNG file begins with.
        guard bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) else {
            throw Failure(reason: "\(path) cannot be the picture: it is not a PNG file", code: .usage)
        }
        return bytes
    }

    /// Accepts only text that todayd accepts, which is also safe to print to a terminal.
    private static func checked(_ text: String) throws(Failure) -> String {
        if text.isEmpty { throw Failure(reason: "the text is empty; write one", code: .usage) }
        if let complaint = PlainText.complaint(about: text, allowingLines: false) {
            throw Failure(reason: "the text \(complaint)", code: .usage)
        }
        return text
    }

    /// Sets a value of the group's defaults. todayd launches the widget for the change, and the widget then reads the
    /// database as well.
    private func setDefault(_ value: DefaultsValue, forKey key: String) throws(Failure) {
        try tell { () throws(TodayError) in try GroupDefaults(suiteName: PeopleStore.group).set(value, forKey: key) }
    }

    private func tell(_ call: () throws(TodayError) -> Void) throws(Failure) {
        do throws(TodayError) {
            try call()
        } catch {
            throw Failure(reason: "the widget is not told: \(error)", code: .notTold)
        }
    }

    private func writeError(_ reason: String) {
        let line = PlainText.line("greeting: \(reason)", upTo: 1_000)
        _ = Descriptor.writeAll(Array("\(line)\n".utf8), to: STDERR_FILENO)
    }
}

// MARK: - The command line

extension GreetingApp {
    private static let command = Command(
        "greeting", summary: "whom the Greeting widget greets, and how",
        description: """
            Chooses the text and the person of the widget org.todayd.greeting. The text is in the defaults of the group \
            group.org.todayd.greeting, people are in the database people.sqlite in the group's directory; the widget reads \
            both, and its button opens this program with the URL of the person.

            Exit status: 0 success, 1 no such person, 2 wrong usage, 3 the database cannot be read or changed, 4 the widget \
            cannot be told, because todayd does not run or refuses it.
            """,
        subcommands: [
            Command(
                "text", summary: "choose the greeting",
                positionals: [Positional("TEXT", isRepeating: true, help: "such as Good morning")]),
            Command(
                "add", summary: "add a person, who is greeted from now on",
                options: [
                    Option("note", value: "NOTE", help: "What to remember about the person"),
                    Option("picture", value: "FILE", completion: .files, help: "A PNG file, which More shows"),
                ],
                positionals: [Positional("TEXT", isRepeating: true, help: "The person's name")]),
            Command(
                "show", summary: "show a person",
                options: [Option("wait", help: "Wait for Enter before it ends, in a terminal that would close")],
                positionals: [Positional("PERSON", help: "The number, or a URL such as greeting://person/1")]),
        ],
        examples: [
            .init("greeting text Good morning", "The widget says so at once."),
            .init("greeting add Ada --note 'likes tea'", "It greets Ada."),
            .init("greeting show greeting://person/1", "As the widget's button does."),
        ])
}
