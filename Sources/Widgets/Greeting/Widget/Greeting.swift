// SPDX-License-Identifier: MIT
import GreetingStore
import TodayKit

/// Shows a greeting and the date, and a larger greeting in expanded mode. The widget and its app share the group's
/// defaults, which have the greeting, and a database, which has the person's name. A button opens the app with the number
/// of the person, and the expanded mode shows the picture of the person that the app has.
@main
final class Greeting: TodayWidget {
    private static let openAction = "open"

    private let defaults = GroupDefaults(suiteName: PeopleStore.group)
    private var greeting = WidgetDefaults.standard.string(forKey: "greeting") ?? "Hello"
    private var person: Person?
    /// From the app's files.
    private var picture: [UInt8]?
    private var date = "--"

    func viewDidLoad() {
        extensionContext.widgetLargestAvailableDisplayMode = .expanded
    }

    func widgetPerformUpdate() async throws -> NCUpdateResult {
        let before = (text, picture, date)
        person = try chosenPerson()
        picture = try person.flatMap { PeopleStore.bytes(ofPicture: try PeopleStore.picture(of: $0.number)) }
        greeting = defaults.string(forKey: PeopleStore.textKey) ?? "Hello"
        date = Timestamp.now.text("%A, %-d %B")
        if text == before.0, picture == before.1, date == before.2 { return .noData }
        try WidgetDefaults.standard.set(greeting, forKey: "greeting")
        return .newData
    }

    func widgetPerformAction(_ action: String) async throws -> NCUpdateResult {
        guard action == Self.openAction, let person = try chosenPerson() else {
            throw WidgetFailure("no person is greeted; add one: greeting add Ada")
        }
        extensionContext.open(person.url) { isAccepted in
            if !isAccepted { print("the app does not open") }
        }
        return .noData
    }

    private func chosenPerson() throws -> Person? {
        let number = defaults.integer(forKey: PeopleStore.personKey)
        return number > 0 ? try PeopleStore().person(number) : nil
    }

    // MARK: What is shown

    private var text: String { person.map { "\(greeting), \($0.name)" } ?? greeting }

    var summary: WidgetSummary { WidgetSummary(text, icon: "👋", tooltip: date) }

    var body: some View {
        ByDisplayMode {
            Text(text)
            Text(date).font(.caption)
        } expanded: {
            if let picture { Image(png: picture, label: "a picture of \(person?.name ?? "")") }
            Text(text).font(.title).foregroundColor(.accent)
            Spacer()
            Spacer()
            Text(date)
        }
        if let person { Button("About \(person.name)", action: Self.openAction) }
    }
}
