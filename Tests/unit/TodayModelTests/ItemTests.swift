// SPDX-License-Identifier: MIT
import JSON
import Testing
import TodayModel

/// What a host gets of a widget, on the wire and back.
@Suite struct ItemTests {
    private let id = WidgetID("org.example.a")

    private func plain() throws -> Item {
        Item(id: try #require(id), name: "A", points: [.today], position: 0, state: .ready)
    }

    /// An item in which each field has another value than in `plain`.
    private func full() throws -> Item {
        var item = Item(
            id: try #require(WidgetID("org.example.b")), name: "B", points: [.lockScreen], position: 3, state: .failing,
            mode: .expanded, largestMode: .expanded)
        (item.places, item.allowsEditing, item.isEdited) = ([.statusBar, .lockScreen], true, true)
        (item.urlSchemes, item.size) = (["https", "agenda"], Size(columns: 80, rows: 7))
        (item.content, item.source) = (Content(text: "x"), .pushed)
        (item.pushedBy, item.expires) = ("user 7", WallTime(microseconds: 9))
        (item.taken, item.confirmed) = (WallTime(microseconds: 1), WallTime(microseconds: 2))
        (item.stale, item.freshUntil, item.failure) = (true, WallTime(microseconds: 3), "timed out")
        (item.isLive, item.icon) = (true, "☂")
        item.cure = .showOnLockScreen
        for (key, text) in [(Face.Key.label, "MEM"), (.width, "7"), (.separator, "false")] { item.face[key] = text }
        return item
    }

    @Test func anItemSurvivesTheWire() throws {
        for item in [try plain(), try full()] { #expect(try Item(JSONField(root: item.json)) == item) }
    }

    /// A host turns an item stale by itself.
    @Test func freshnessEndsAtItsTime() throws {
        var item = try plain()
        item.freshUntil = WallTime(microseconds: 3)
        #expect(!item.at(WallTime(microseconds: 2)).stale && item.at(WallTime(microseconds: 3)).stale)
        item.freshUntil = nil
        #expect(!item.at(WallTime(microseconds: .max)).stale)
    }

    /// A new field has to be in `full`, so that the test above sees whether it survives.
    @Test func everyFieldIsTested() throws {
        let fields = zip(Mirror(reflecting: try plain()).children, Mirror(reflecting: try full()).children)
        for (plain, full) in fields {
            #expect("\(plain.value)" != "\(full.value)", "'full' has no other \(plain.label ?? "")")
        }
    }

    /// Clients compute with these numbers, so they must be in range.
    @Test(arguments: [(-5, 4), (19, 4), (501, 4), (.max, 4), (60, 0), (60, 201), (60, -1)])
    func aSizeIsOneThatTodaydMayHave(columns: Int, rows: Int) throws {
        let item = Item(id: try #require(id), name: "A", points: [.today], position: 0, state: .ready)
        var json = try #require(item.json.objectValue)
        (json["columns"], json["rows"]) = (JSON(columns), JSON(rows))
        let changed = json
        #expect(throws: JSONMismatch.self) { _ = try Item(JSONField(root: .object(changed))) }
    }

    /// An older daemon sends fewer members.
    @Test func whatAnOlderDaemonDoesNotSayIsLeftAsItIs() throws {
        let item = Item(id: try #require(id), name: "A", points: [.today], position: 0, state: .ready)
        var json = try #require(item.json.objectValue)
        for key in ["allowsEditing", "editing", "urlSchemes", "columns"] { json[key] = nil }
        #expect(try Item(JSONField(root: .object(json))) == item)
        json["source"] = "hologram"
        #expect(try Item(JSONField(root: .object(json))) == item)
    }

    static let places: [(state: WidgetState, points: [ExtensionPoint], allowed: Bool, shownAt: [ExtensionPoint])] = [
        (.ready, [.today], false, [.today]),
        (.invalid, [.today, .statusBar], false, [.today, .statusBar]),
        (.hidden, [.today, .lockScreen], true, []),
        (.ready, [.today, .lockScreen], false, [.today]),
        (.ready, [.today, .lockScreen], true, [.today, .lockScreen]),
        (.ready, [.statusBar], false, [.statusBar]),
    ]

    @Test(arguments: places)
    func aLockScreenShowsOnlyWhatTheUserHasAllowed(
        _ state: WidgetState, _ points: [ExtensionPoint], _ allowed: Bool, _ shownAt: [ExtensionPoint]
    ) throws {
        var item = Item(id: try #require(id), name: "A", points: points, position: 0, state: state)
        var choices = Choices()
        if allowed { choices.places[.lockScreen] = true }
        item.places = choices.places(of: points)
        #expect(ExtensionPoint.allCases.filter(item.isShown) == ExtensionPoint.allCases.filter(shownAt.contains))
    }

    /// A newer daemon may send more members. One strange widget must not hide the others.
    private enum Light: String, CaseIterable { case normal, warning, critical }

    @Test(arguments: [
        ("warning", nil), ("disk", #"expected "normal" or "warning" or "critical", found "disk""#),
        ("warnign", #"expected "normal" or "warning" or "critical", found "warnign"; did you mean "warning"?"#),
    ])
    func aWordIsOneOfAnEnumeration(word: String, reason: String?) throws {
        let field = JSONField(root: .string(word))
        guard let reason else { return #expect(try field.choice(Light.self) == .warning) }
        #expect(throws: JSONMismatch(path: "", reason: reason)) { try field.choice(Light.self) }
    }

    @Test func whatIsNotUnderstoodIsLeftOutOrSaid() throws {
        let item = Item(id: try #require(id), name: "A", points: [.today], position: 0, state: .ready)
        var json = try #require(item.json.objectValue)
        json["new"] = 1
        json["content"] = ["text": "x", "new": 1, "compact": ["type": "text", "text": "y", "glow": true]]
        var read = try Item(JSONField(root: .object(json), isTolerant: true))
        #expect(read.failure == nil)
        #expect(read.content?.compact == .text(.init("y")))
        json["content"] = ["text": "x", "compact": ["type": "hologram"]]
        read = try Item(JSONField(root: .object(json), isTolerant: true))
        #expect(read.content == nil)
        #expect(read.failure?.hasPrefix("its content is not understood here: content.compact.type: expected") == true)
    }
}
