// SPDX-License-Identifier: MIT
import Glibc
import GreetingStore
import TodayKit
import TodayTerminal

// The containing app of the widget Greeting: sets the text and the person of the greeting, and shows the person in the URL
// that the widget's button opens.
private let usage = """
    usage: greeting text TEXT...                 the greeting
           greeting add NAME [NOTE...]           a person, who is greeted from now on
           greeting picture PERSON FILE.png      the picture of a person, which More shows
           greeting show PERSON                  a person by number, or by greeting://person/1
    """

await Terminal.run("greeting", scheme: "greeting", perform)

@MainActor func perform(_ arguments: [String]) throws {
    let group = GroupDefaults(suiteName: PeopleStore.group)
    let words = arguments.dropFirst()
    if let complaint = words.lazy.compactMap({ Text.complaint(aboutLine: $0) }).first {
        throw WidgetFailure("the text \(complaint)")
    }
    switch arguments.first {
    case "--help", "-h": Terminal.print(usage)
    case "text" where !words.isEmpty:
        try group.set(words.joined(separator: " "), forKey: PeopleStore.textKey)
    case "add" where !words.isEmpty:
        // If the widget cannot be told about a person, the person is not added.
        _ = try group.values()
        if GroupContainer.isHiddenFromWidgets {
            throw WidgetFailure(
                """
                the widget cannot see people: its todayd runs as another user, who may not open your database. Run one of \
                your own: systemctl --user enable --now todayd
                """)
        }
        let person = try PeopleStore().add(words[1], note: words.dropFirst().joined(separator: " "))
        Terminal.print("\(person.name) is number \(person.number).")
        try group.set(person.number, forKey: PeopleStore.personKey)
    case "picture" where words.count == 2:
        let person = try person(words[1])
        guard let bytes = PeopleStore.bytes(ofPicture: words[2]), bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) else {
            throw WidgetFailure("\(words[2]) is not a PNG file of \(PeopleStore.pictureLimit >> 10) KiB at most")
        }
        let path = try PeopleStore.picture(of: person.number)
        guard let file = fopen("\(path).new", "w"), fwrite(bytes, 1, bytes.count, file) == bytes.count,
            fclose(file) == 0, rename("\(path).new", path) == 0
        else { throw WidgetFailure("\(path) cannot be written") }
        // todayd launches the widgets of a group when a value of it changes.
        try group.set(Timestamp.now.seconds, forKey: "changed")
    case "show" where words.count == 1:
        let person = try person(words[1])
        Terminal.show {
            Text(person.name).font(.title)
            if !person.note.isEmpty { Text(person.note) }
        }
    default:
        throw Terminal.Usage.unknown(to: "greeting")
    }
}

func person(_ text: String) throws -> Person {
    guard let number = Person.number(in: text), let person = try PeopleStore().person(number) else {
        throw WidgetFailure("there is no such person; write a number, or greeting://person/1")
    }
    return person
}
