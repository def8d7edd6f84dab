// SPDX-License-Identifier: MIT
import Testing
import TodayModel

private func at(_ seconds: Int64) -> WallTime { WallTime(microseconds: (1_700_000_000 + seconds) * 1_000_000) }

/// A machine that booted at second -1000 and has slept for 400 seconds since.
private func moment(_ seconds: Int64) -> Moment {
    Moment(
        boot: BootTime(microseconds: (seconds + 1_000) * 1_000_000),
        awake: AwakeTime(microseconds: (seconds + 600) * 1_000_000), wall: at(seconds))
}

private func boot(_ seconds: Int64) -> BootTime { moment(seconds).boot }

private let own = Layers.Own(Content(text: "own"), taken: at(-60), confirmed: at(-10))

private func dated(_ entries: [(Int64, String)], base: String = "now") -> Content {
    var content = Content(text: base)
    content.timeline = Timeline(entries.map { Timeline.Entry(date: at($0.0), content: Content(text: $0.1)) })
    return content
}

/// One entry, which is already valid.
private func timeline(of entry: Content) -> Content {
    var content = Content(text: "before")
    content.timeline = Timeline([Timeline.Entry(date: at(-5), content: entry)])
    return content
}

private func relevant(until seconds: Int64) -> Content {
    var content = Content(text: "now")
    content.relevance = Relevance(0.5, until: at(seconds))
    return content
}

/// What is shown is a pure function of the layers and the time.
@Suite struct LayersTests {
    struct Row: CustomTestStringConvertible {
        var name: String
        var layers: Layers
        /// The second from which the widget's own answer is stale, on the clock that stops during sleep.
        var freshUntil: Int64?
        var text: String?
        var source: Layers.Source = .own
        var isStale = false
        var changes: Int64?
        var testDescription: String { name }
    }

    private static let pushed = Layers.Pushed(Content(text: "pushed"), taken: at(-5), expires: at(30), by: "user 1")
    private static let draft = Layers.Draft(Content(text: "draft"), touched: boot(-100))
    private static let ending: Layers.Draft = {
        var draft = Self.draft
        draft.isEnding = true
        return draft
    }()

    /// At second 0.
    static let rows = [
        Row(name: "nothing", layers: Layers()),
        Row(name: "own", layers: Layers(own: own), freshUntil: 20, text: "own", changes: 20),
        Row(name: "own that is stale", layers: Layers(own: own), freshUntil: 0, text: "own", isStale: true),
        Row(name: "own for ever", layers: Layers(own: own), text: "own"),
        Row(
            name: "pushed above own", layers: Layers(pushed: pushed, own: own), freshUntil: 40, text: "pushed",
            source: .pushed, changes: 30),
        Row(
            name: "pushed is never stale", layers: Layers(pushed: pushed, own: own), freshUntil: -1, text: "pushed",
            source: .pushed, changes: 30),
        Row(
            name: "pushed until it is taken back",
            layers: Layers(pushed: Layers.Pushed(Content(text: "pushed"), taken: at(-5)), own: own), text: "pushed",
            source: .pushed),
        Row(
            name: "pushed for a time that is over",
            layers: Layers(pushed: Layers.Pushed(Content(text: "p"), taken: at(-5), expires: at(0)), own: own),
            text: "own"),
        Row(
            name: "pushed for a time that is over, alone",
            layers: Layers(pushed: Layers.Pushed(Content(text: "p"), taken: at(-5), expires: at(0)))),
        Row(
            name: "draft above all", layers: Layers(draft: draft, pushed: pushed, own: own), freshUntil: 500,
            text: "draft", source: .draft, changes: 200),
        Row(
            name: "draft makes nothing fresh", layers: Layers(draft: draft, own: own), freshUntil: -1, text: "draft",
            source: .draft, isStale: true, changes: 200),
        Row(
            name: "draft with a timeline",
            layers: Layers(draft: Layers.Draft(dated([(7, "later")], base: "draft"), touched: boot(-100)), own: own),
            text: "draft", source: .draft, changes: 7),
        Row(
            name: "draft without content", layers: Layers(draft: Layers.Draft(touched: boot(-1)), own: own),
            text: "own"),
        Row(name: "draft that ends", layers: Layers(draft: ending, own: own), text: "own"),
        Row(
            name: "draft that no host has touched for five minutes",
            layers: Layers(draft: Layers.Draft(Content(text: "d"), touched: boot(-300)), own: own), text: "own"),
        Row(
            name: "placeholder", layers: Layers(placeholder: Content(text: "--")), text: "--", source: .placeholder),
        Row(name: "placeholder below own", layers: Layers(own: own, placeholder: Content(text: "--")), text: "own"),
        Row(
            name: "timeline before its first entry", layers: Layers(own: .init(dated([(7, "later")]), taken: at(-9))),
            text: "now", changes: 7),
        Row(
            name: "timeline at an entry",
            layers: Layers(own: .init(dated([(9, "last"), (0, "first")]), taken: at(-9))), text: "first", changes: 9),
        Row(
            name: "timeline after its last entry",
            layers: Layers(own: .init(dated([(-5, "a"), (-2, "b")]), taken: at(-9))), text: "b"),
        Row(
            name: "two entries of one date", layers: Layers(own: .init(dated([(-5, "a"), (-5, "b")]), taken: at(-9))),
            text: "b"),
        Row(
            name: "timeline with an entry that is relevant for a while",
            layers: Layers(own: .init(timeline(of: relevant(until: 3)), taken: at(-9))), text: "now", changes: 3),
        Row(
            name: "timeline that was pushed",
            layers: Layers(pushed: .init(dated([(7, "later")]), taken: at(-9), expires: at(5))), text: "now",
            source: .pushed, changes: 5),
        Row(
            name: "relevant for a while", layers: Layers(own: .init(relevant(until: 3), taken: at(-9))), text: "now",
            changes: 3),
        Row(
            name: "relevant no longer", layers: Layers(own: .init(relevant(until: 0), taken: at(-9))), text: "now"),
    ]

    @Test(arguments: rows) func showsTheUppermostLayer(_ row: Row) {
        let freshUntil = row.freshUntil.map { AwakeTime(microseconds: ($0 + 600) * 1_000_000) }
        let shown = row.layers.shown(at: moment(0), freshUntil: freshUntil)
        #expect(shown?.content.text == row.text)
        #expect(shown?.content.timeline == nil)
        guard let shown else { return }
        #expect(shown.source == row.source)
        #expect(shown.isStale == row.isStale)
        #expect(shown.changes == row.changes.map(boot))
    }

    /// A view with a time of change differs from that time on, and not earlier.
    @Test(arguments: rows) func changesWhenItSays(_ row: Row) throws {
        let freshUntil = row.freshUntil.map { AwakeTime(microseconds: ($0 + 600) * 1_000_000) }
        func look(_ seconds: Int64, _ microseconds: Int64 = 0) -> Layers.Shown? {
            let span = TimeSpan(microseconds: microseconds)
            let base = moment(seconds)
            var shown = row.layers.shown(
                at: Moment(boot: base.boot + span, awake: base.awake + span, wall: base.wall + span),
                freshUntil: freshUntil)
            shown?.changes = nil
            return shown
        }
        guard let change = row.changes else {
            #expect(look(0) == look(100_000))
            return
        }
        #expect(look(0) == look(change, -1))
        #expect(look(change, -1) != look(change))
    }

    @Test func agesAreThoseOfTheWidgetsAnswer() throws {
        let draft = try #require(Layers(draft: Self.draft, pushed: Self.pushed, own: own).shown(at: moment(0)))
        #expect((draft.taken, draft.confirmed) == (at(-60), at(-10)))
        let pushed = try #require(Layers(pushed: Self.pushed, own: own).shown(at: moment(0)))
        #expect((pushed.taken, pushed.confirmed) == (at(-5), at(-5)))
        let waiting = try #require(Layers(placeholder: Content(text: "--")).shown(at: moment(0)))
        #expect((waiting.taken, waiting.confirmed) == (nil, nil))
        #expect(!waiting.isStale)
    }
}

/// How runs change the layers.
@Suite struct LayerChangeTests {
    struct Row: CustomTestStringConvertible {
        var name: String
        var result: RunOutcome.Result
        var interaction: Interaction?
        var isEditing = false
        var before = Layers(own: own)
        var after: Layers
        var change = Layers.OwnChange.none
        var testDescription: String { name }
    }

    private static let new = Content(text: "new")
    private static func aged(_ content: Content, confirmed: Int64 = -10) -> Layers.Own {
        Layers.Own(content, taken: at(-60), confirmed: at(confirmed))
    }
    private static let open = Layers.Draft(touched: boot(0))
    private static let drawn = Layers.Draft(new, touched: boot(0))
    private static let ending: Layers.Draft = {
        var draft = Self.open
        draft.isEnding = true
        return draft
    }()

    /// A run from second 98 to second 100.
    static let rows = [
        Row(
            name: "an update is the new answer", result: .newData(new), after: Layers(own: .init(new, taken: at(100))),
            change: .content),
        Row(
            name: "an update ends the placeholder", result: .newData(new),
            before: Layers(placeholder: Content(text: "--")), after: Layers(own: .init(new, taken: at(100))),
            change: .content),
        Row(
            name: "an update leaves what was pushed", result: .newData(new),
            before: Layers(pushed: .init(new, taken: at(1)), own: own),
            after: Layers(pushed: .init(new, taken: at(1)), own: .init(new, taken: at(100))), change: .content),
        Row(
            name: "noData confirms", result: .noData, after: Layers(own: aged(own.content, confirmed: 100)),
            change: .times),
        Row(name: "noData of nothing", result: .noData, before: Layers(), after: Layers()),
        Row(name: "a failure keeps everything", result: .failed("x"), after: Layers(own: own)),
        Row(
            name: "a button makes nothing younger", result: .newData(new), interaction: .action("a"),
            after: Layers(own: aged(new)), change: .content),
        Row(
            name: "another mode makes nothing younger", result: .newData(new), interaction: .displayMode,
            after: Layers(own: aged(new)), change: .content),
        Row(name: "a button confirms nothing", result: .noData, interaction: .action("a"), after: Layers(own: own)),
        Row(
            name: "a button before the first answer", result: .newData(new), interaction: .action("a"),
            before: Layers(),
            after: Layers(placeholder: new)),
        Row(
            name: "the end of editing makes nothing younger", result: .newData(new),
            interaction: .endEditing(isCancelled: false), after: Layers(own: aged(new)), change: .content),
        Row(
            name: "an editor is a draft", result: .newData(new), interaction: .beginEditing, isEditing: true,
            before: Layers(draft: open, own: own), after: Layers(draft: drawn, own: own)),
        Row(
            name: "a button of an editor", result: .newData(new), interaction: .action("a"), isEditing: true,
            before: Layers(draft: open, own: own), after: Layers(draft: drawn, own: own)),
        Row(
            name: "an update while it is edited", result: .newData(new), isEditing: true,
            before: Layers(draft: open, own: own), after: Layers(draft: drawn, own: own)),
        Row(
            name: "an update while it is edited that finds nothing new", result: .noData, isEditing: true,
            before: Layers(draft: open, own: own), after: Layers(draft: open, own: own)),
        Row(
            name: "an editor after the end of editing", result: .newData(new), interaction: .action("a"),
            isEditing: true,
            before: Layers(draft: ending, own: own), after: Layers(draft: ending, own: own)),
        Row(
            name: "an editor whose draft is gone", result: .newData(new), interaction: .action("a"), isEditing: true,
            after: Layers(own: own)),
        Row(
            name: "an editor that does not open", result: .failed("x"), interaction: .beginEditing, isEditing: true,
            before: Layers(draft: open, own: own), after: Layers(own: own)),
        Row(
            name: "a button of an editor that fails", result: .failed("x"), interaction: .action("a"), isEditing: true,
            before: Layers(draft: drawn, own: own), after: Layers(draft: drawn, own: own)),
    ]

    @Test(arguments: rows) func aRunChangesItsLayerAndNoOther(_ row: Row) throws {
        let id = try #require(WidgetID("org.example.a"))
        var outcome = RunOutcome(
            widget: id, run: 1, reason: row.interaction?.reason ?? .schedule, started: at(98), duration: .seconds(2),
            result: row.result)
        outcome.interaction = row.interaction
        outcome.isEditing = row.isEditing
        var layers = row.before
        let change = layers.apply(outcome)
        #expect(change == row.change)
        #expect(layers == row.after)
    }

    @Test func editingGoesOnWithEachTouchAndBeginsAnew() {
        var layers = Layers(own: own)
        #expect(!layers.isEdited(at: boot(0)))
        layers.edit(at: boot(0))
        layers.draft?.content = Self.new
        layers.edit(at: boot(200))
        #expect(layers.draft?.content == Self.new)
        #expect(layers.isEdited(at: boot(499)))
        #expect(!layers.isEdited(at: boot(500)))
        layers.draft?.isEnding = true
        #expect(!layers.isEdited(at: boot(201)))
        layers.edit(at: boot(202))
        #expect(layers.draft == Layers.Draft(touched: boot(202)))
    }

    /// What another machine has answered is as old here as there.
    @Test func anAnswerThatIsPassedOnHasItsAge() throws {
        let id = try #require(WidgetID("a.b"))
        func outcome(_ result: RunOutcome.Result, age: TimeSpan) -> RunOutcome {
            var outcome = RunOutcome(
                widget: id, run: 1, reason: .schedule, started: at(0), duration: .seconds(2), result: result)
            outcome.age = age
            return outcome
        }
        var layers = Layers()
        #expect(layers.apply(outcome(.newData(Content(text: "a")), age: .hours(3))) == .content)
        #expect(layers.own?.taken == at(2 - 10_800) && layers.own?.confirmed == at(2 - 10_800))
        #expect(layers.apply(outcome(.noData, age: .hours(1))) == .times)
        #expect(layers.own?.taken == at(2 - 10_800) && layers.own?.confirmed == at(2 - 3_600))
    }
}
