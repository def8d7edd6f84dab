// SPDX-License-Identifier: MIT
import JSON
import Testing
import TodayModel

@testable import follow_widget

/// A widget of another machine: how it is asked for, and what is printed here of what it says.
@Suite struct FollowTests {
    // MARK: The source

    @Test(arguments: ["office", "ada@office", "ssh://ada@office:2222", "10.0.0.5"])
    func otherMachinesAreAskedBySSH(text: String) { #expect(FollowSource(text) == .ssh(text)) }

    @Test(arguments: [("http://office:8080", "http://office:8080"), ("https://a.b/today//", "https://a.b/today")])
    func aURLIsAPage(text: String, page: String) { #expect(FollowSource(text) == .page(page)) }

    @Test(arguments: ["", "-oProxyCommand=x", "a b", "a\nb", "http://a\"b", "\u{7f}"])
    func otherTextIsNoMachine(text: String) { #expect(FollowSource(text) == nil) }

    @Test func theShellThereGetsOneCommand() throws {
        let words = FollowSource.sshArguments("office", widget: "it's", nil)
        #expect(words.suffix(3).prefix(2) == ["--", "office"] && words.contains("BatchMode=yes"))
        let command = try #require(words.last)
        #expect(
            command.hasPrefix("exec sh -c 'PATH=") && command.hasSuffix("'")
                && command.contains("; date +%s; exec todayctl --json watch -- "))
        #expect(!command.contains("perform") && !command.contains("update"))
        let pressed = FollowSource.sshArguments("office", widget: "moon", .action("a 'b'")).last
        #expect(pressed?.contains("todayctl --quiet perform -- ") == true && pressed?.contains("|| exit;") == true)
        let updated = FollowSource.sshArguments("office", widget: "moon", .update).last
        #expect(updated?.contains("todayctl --quiet update -- ") == true && updated?.contains("|| exit;") == false)
    }

    @Test func aPageIsAskedByCurl() throws {
        let id = try #require(WidgetID("org.x@A-b"))
        let stream = FollowSource.streamArguments("http://a", widget: id)
        #expect(stream.last == "http://a/api/stream?widget=org.x@A-b" && stream.contains("--no-buffer"))
        #expect(FollowSource.showArguments("http://a", widget: id).last == "http://a/api/show?widget=org.x@A-b")
        let token = FollowSource.curlConfiguration(token: #"a"b\c"#)
        #expect(token == #"header = "Authorization: Bearer a\"b\\c""# + "\n")
        #expect(FollowSource.curlConfiguration(token: nil).isEmpty)
        #expect(!stream.contains { $0.contains("Bearer") }, "other users can read command lines")
    }

    @Test func aReplyHasTheServersClock() {
        let (now, body) = HTTPReply.parts(
            of: "HTTP/1.1 200 OK\r\nDate: Thu, 26 Nov 2026 09:30:05 GMT\r\nX: y\r\n\r\n{}\n")
        #expect(now == WallTime(microseconds: 1_795_685_405_000_000) && body == "{}\n")
        #expect(HTTPReply.parts(of: "HTTP/1.1 200 OK\r\nDate: soon\r\n\r\n{}").now == nil)
        #expect(HTTPReply.parts(of: "nothing") == (nil, "nothing"))
    }

    // MARK: What is printed

    private static let now = WallTime(microseconds: 1_795_685_400_000_000)

    /// A reply of Show, whose item was confirmed so many seconds ago and is fresh for so many.
    private func reply(
        _ text: String? = "12°", state: WidgetState = .ready, age: Int64 = 60, fresh: Int64? = 540,
        failure: String? = nil,
        via: [String] = [], compact: View? = nil, change: (inout Item) -> Void = { _ in }
    ) throws -> String {
        let id = try #require(WidgetID("org.example.moon"))
        var item = Item(id: id, name: "Moon", points: [.today], position: 0, state: state)
        if let text {
            var content = Content(text: text)
            (content.via, content.compact) = (via, compact)
            item.content = content
            item.source = .own
            item.taken = Self.now - .seconds(age)
            item.confirmed = item.taken
        }
        item.freshUntil = fresh.map { Self.now + .seconds($0) }
        item.failure = failure
        change(&item)
        return JSON.object(["items": [item.json], "removed": []]).text
    }

    private func relay() -> Relay { Relay(host: "office", machine: "m1") }

    @Test func contentHasItsAgeAndTheEndOfItsFreshness() throws {
        var relay = relay()
        let lines = relay.lines(try reply(), now: Self.now)
        #expect(lines.count == 1)
        let printed = try JSON.parse(lines[0])
        #expect(printed["text"] == "12°" && printed["age"] == 60_000_000 && printed["nextUpdate"] == 540_000_000)
        #expect(printed["via"] == ["m1"])
        #expect(relay.lines(try reply(), now: Self.now + .seconds(5)).isEmpty, "nothing is different")
        #expect(relay.lines(try reply(age: 0), now: Self.now).count == 1, "it was confirmed")
        #expect(relay.lines(try reply("13°", age: 0), now: Self.now).first?.contains("13°") == true)
    }

    /// Years are bounded, and a clock that was set back gives no age.
    @Test(
        arguments: [
            (-50, 540, nil, 540_000_000), (60, 0, 60_000_000, 1_000_000), (60, -9, 60_000_000, 1_000_000),
            (60, nil, 60_000_000, 604_800_000_000), (60, 9_999_999, 60_000_000, 604_800_000_000),
        ] as [(Int64, Int64?, Int64?, Int64)])
    func timesHaveBounds(age: Int64, fresh: Int64?, printedAge: Int64?, next: Int64) throws {
        var relay = relay()
        let printed = try JSON.parse(try #require(relay.lines(try reply(age: age, fresh: fresh), now: Self.now).first))
        #expect(printed["age"]?.intValue == printedAge && printed["nextUpdate"]?.intValue == next)
    }

    @Test func troubleIsSaidAfterTheLastGoodAnswer() throws {
        var relay = relay()
        let both = relay.lines(try reply(state: .failing, failure: "no network"), now: Self.now)
        #expect(both.count == 2 && both[0].contains("12°") && both[1] == #"{"failed":"office: no network"}"#)
        #expect(relay.lines(try reply(state: .failing, failure: "no network"), now: Self.now).isEmpty)
        let other = relay.lines(try reply(state: .failing, failure: "no disk"), now: Self.now)
        #expect(other == [#"{"failed":"office: no disk"}"#])
        let over = relay.lines(try reply(), now: Self.now)
        #expect(over.count == 1 && over[0].contains("12°"), "the same content ends the failure")
        #expect(relay.lines(try reply(), now: Self.now).isEmpty)
    }

    @Test func whatIsStaleThereIsTroubleHere() throws {
        var relay = relay()
        let lines = relay.lines(try reply { $0.stale = true }, now: Self.now)
        #expect(lines.count == 2 && lines[1].contains("no newer answer"))
    }

    @Test(arguments: [WidgetState.hidden, .disabled]) func whatIsHiddenThereIsEmptyHere(state: WidgetState) throws {
        var relay = relay()
        _ = relay.lines(try reply(), now: Self.now)
        #expect(relay.lines(try reply(nil, state: state), now: Self.now) == [#"{"empty":true}"#])
        #expect(relay.lines(try reply(nil, state: state), now: Self.now).isEmpty)
        #expect(relay.lines(try reply(), now: Self.now).count == 1)
    }

    @Test func whatIsWrongThereKeepsTheLastAnswer() throws {
        var relay = relay()
        _ = relay.lines(try reply(), now: Self.now)
        let invalid = relay.lines(try reply(nil, state: .invalid, failure: "no ExecStart="), now: Self.now)
        #expect(invalid == [#"{"failed":"office: no ExecStart="}"#])
        #expect(relay.lines(try reply(nil, state: .masked), now: Self.now).first?.contains("masked") == true)
        #expect(relay.lines(try reply(nil, state: .waiting), now: Self.now).isEmpty)
    }

    @Test func anEditorAndAPlaceholderStayThere() throws {
        var relay = relay()
        #expect(relay.lines(try reply { $0.source = .draft }, now: Self.now).isEmpty)
        #expect(relay.lines(try reply(state: .waiting) { $0.source = .placeholder }, now: Self.now).isEmpty)
        #expect(relay.lines(try reply { $0.source = .pushed }, now: Self.now).count == 1)
    }

    @Test func aCircleIsNoticed() throws {
        var relay = relay()
        let lines = relay.lines(try reply(via: ["m0", "m1"]), now: Self.now)
        #expect(lines.count == 1 && lines[0].contains("a circle"))
        let other = try JSON.parse(try #require(relay.lines(try reply(via: ["m0"]), now: Self.now).first))
        #expect(other["via"] == ["m0", "m1"])
    }

    @Test func commandsStayThere() throws {
        var item = View.Item(title: "Run")
        item.command = View.Command(["/bin/rm", "x"], isInTerminal: true)
        var parent = View.Item(title: "More", children: [.item(item)])
        parent.url = "https://a.b"
        var relay = relay()
        let view = View.stack(View.Stack(.vertical, [.item(item), .item(parent)]))
        let line = try #require(relay.lines(try reply(compact: view), now: Self.now).first)
        #expect(!line.contains("command") && !line.contains("terminal") && !line.contains("/bin/rm"))
        #expect(line.contains("https://a.b") && line.contains("Run"))
    }

    @Test(arguments: ["", "x", "[]", "{}", #"{"items":{}}"#, #"{"items":[{}]}"#, #"{"items":[1],"removed":[]}"#])
    func nonsenseIsAFailureInWords(text: String) {
        var relay = relay()
        let lines = relay.lines(text, now: Self.now)
        #expect(lines.count == 1 && lines[0].hasPrefix(#"{"failed":"office: its answer is not understood"#), "\(lines)")
        #expect(relay.lines(text, now: Self.now).isEmpty, "once")
    }

    @Test func aReasonIsOneHarmlessLine() throws {
        var relay = relay()
        let reason = "a\u{1b}[2J\n" + String(repeating: "é", count: 2_000)
        let line = try #require(relay.lines(try reply(nil, state: .failing, failure: reason), now: Self.now).first)
        let said = try #require(JSON.parse(line)["failed"]?.stringValue)
        #expect(said.utf8.count <= ContentLimits.summaryBytes && !said.contains("\u{1b}") && !said.contains("\n"))
    }

    @Test func whatIsGoneIsSaid() {
        var relay = relay()
        let lines = relay.lines(#"{"items":[],"removed":["org.example.moon"]}"#, now: Self.now)
        #expect(lines == [#"{"failed":"office: the widget no longer exists there"}"#])
        #expect(relay.lines(#"{"items":[],"removed":[]}"#, now: Self.now).isEmpty)
    }
}
