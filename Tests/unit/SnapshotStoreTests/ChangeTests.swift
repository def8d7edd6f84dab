// SPDX-License-Identifier: MIT
import JSON
import TestSupport
import Testing
import TodayModel

@testable import SnapshotStore

struct ChangeTests {
    private static func choices(_ edit: (inout Choices) -> Void) -> Choices {
        var choices = Choices()
        edit(&choices)
        return choices
    }

    static let table: [(change: Change, choices: Choices)] = [
        (.choice(id("a"), .enabled(true)), choices { $0.enabled = true }),
        (.choice(id("a"), .enabled(false)), choices { $0.enabled = false }),
        (.choice(id("a"), .hasContent(false)), choices { $0.hasContent = false }),
        (.choice(id("a"), .displayMode(.expanded)), choices { $0.mode = .expanded }),
        (
            .choice(id("a"), .shown(.lockScreen, true)),
            choices { ($0.enabled, $0.places) = (true, [.lockScreen: true]) }
        ),
        (.choice(id("a"), .shown(.today, false)), choices { $0.places = [.today: false] }),
        (.choice(id("a"), .shown(.statusBar, true)), choices { ($0.enabled, $0.places) = (true, [.statusBar: true]) }),
        (.move(id("a"), .first, among: [id("a")]), choices { $0.rank = 0 }),
    ]

    @Test(arguments: table)
    func aChangeIsMadeOnceAndTellsItsRow(_ row: (change: Change, choices: Choices)) throws {
        var state = StoredState()
        #expect(try row.change.apply(to: &state) == [.choices(id("a"), row.choices)])
        #expect(state == StoredState(choices: [id("a"): row.choices]))
        #expect(try row.change.apply(to: &state) == [])
    }

    @Test func whatIsTheCaseAnywayIsNoChange() throws {
        var state = StoredState()
        #expect(try Change.choice(id("a"), .hasContent(true)).apply(to: &state) == [])
        #expect(state == StoredState())
    }

    @Test func defaultsAreSetReplacedAndRemoved() throws {
        var state = StoredState()
        for (value, revision) in [("x", 1), (.null, 2), (["deep": [1, 2.5, true]], 3)] as [(JSON?, Int64)] {
            let rows = try Change.defaults(group: "g.g", key: "k", value: value).apply(to: &state)
            #expect(rows == [.value(group: "g.g", key: "k", value), .revision("g.g", revision)])
            #expect(state.defaults["g.g"]?.values == ["k": value ?? nil])
        }
        _ = try Change.defaults(group: "g.g", key: "k", value: nil).apply(to: &state)
        // The removal counts as one more change.
        #expect(state == StoredState(revisions: ["g.g": 4]))
    }

    static let refused: [(key: String, value: JSON, reason: String)] = [
        ("", 1, "the key is empty"),
        (String(repeating: "k", count: 257), 1, "the key is longer than 256 bytes"),
        ("k", .string(String(repeating: "é", count: 32_768)), "the value has 65538 bytes as JSON"),
    ]

    @Test(arguments: refused)
    func defaultsBeyondTheLimitsAreRefused(_ row: (key: String, value: JSON, reason: String)) throws {
        let refusal = try #require(Change.defaults(group: "g.g", key: row.key, value: row.value).refusal)
        #expect(refusal.isRefused)
        #expect(refusal.description.hasPrefix(row.reason))
    }

    @Test func theLargestValueIsAccepted() {
        let value = JSON.string(String(repeating: "a", count: StoreLimits.valueBytes - 2))
        #expect(Change.defaults(group: "g.g", key: "k", value: value).refusal == nil)
    }

    @Test func aKeyIsItsBytes() throws {
        var state = StoredState()
        for (key, value) in [("e\u{301}", 1), ("\u{e9}", 2)] as [(String, JSON)] {
            let rows = try Change.defaults(group: "g.g", key: key, value: value).apply(to: &state)
            #expect(rows.first == .value(group: "g.g", key: key, value))
        }
        #expect(state.defaults["g.g"]?.values == ["e\u{301}": 1, "\u{e9}": 2])
        // The same letters in another encoding are another value.
        #expect(try Change.defaults(group: "g.g", key: "k", value: "\u{e9}").apply(to: &state).count == 2)
        #expect(try Change.defaults(group: "g.g", key: "k", value: "e\u{301}").apply(to: &state).count == 2)
    }

    @Test func aGroupHasABoundedSize() throws {
        var state = StoredState()
        let value = JSON.string(String(repeating: "v", count: StoreLimits.valueBytes - 2))
        let most = StoreLimits.bytesPerGroup / (StoreLimits.valueBytes + 3)
        for number in 0..<most {
            _ = try Change.defaults(group: "g.g", key: "k\(10 + number)", value: value).apply(to: &state)
        }
        #expect {
            _ = try Change.defaults(group: "g.g", key: "one", value: value).apply(to: &state)
        } throws: { error in
            "\(error)" == "g.g would have more than the 1048576 bytes of one group"
        }
        // A replaced or removed value frees its room.
        _ = try Change.defaults(group: "g.g", key: "k10", value: value).apply(to: &state)
        _ = try Change.defaults(group: "g.g", key: "k11", value: nil).apply(to: &state)
        _ = try Change.defaults(group: "g.g", key: "one", value: value).apply(to: &state)
    }

    @Test func aGroupHasABoundedNumberOfKeys() throws {
        var state = StoredState()
        for number in 0..<StoreLimits.keysPerGroup {
            _ = try Change.defaults(group: "g.g", key: "\(number)", value: 1).apply(to: &state)
        }
        #expect {
            _ = try Change.defaults(group: "g.g", key: "more", value: 1).apply(to: &state)
        } throws: { error in
            "\(error)" == "g.g already has 1000 keys, the most there may be"
        }
        _ = try Change.defaults(group: "g.g", key: "7", value: 2).apply(to: &state)
        _ = try Change.defaults(group: "g.other", key: "more", value: 1).apply(to: &state)
        #expect(state.defaults["g.g"]?.values.count == 1_000)
    }
}
