// SPDX-License-Identifier: MIT
import Testing
import TodayModel

@testable import Formats

/// What is noted of content, whatever its format is.
@Suite struct ContentNotesTests {
    static let charts: [(output: String, notes: [String])] = [
        (#"{"text": "a", "metrics": {"load1": 1}, "compact": {"type": "chart", "history": "load1"}}"#, []),
        (#"{"text": "a", "percentage": 1, "expanded": {"type": "chart", "history": "percentage"}}"#, []),
        (#"{"text": "a", "compact": {"type": "chart", "points": [1, 2]}}"#, []),
        (
            #"{"text": "a", "metrics": {"load1": 1}, "expanded": ["b", [{"type": "chart", "history": "lod1"}]]}"#,
            ["history: no number here has the name \"lod1\"; did you mean \"load1\"?"]
        ),
        // The same letter, spelled in another way, is another name.
        (
            "{\"text\": \"a\", \"metrics\": {\"e\u{301}\": 1}, \"compact\": {\"type\": \"chart\", \"history\": \"\u{e9}\"}}",
            ["history: no number here has the name \"\u{e9}\""]
        ),
        (
            #"{"text": "a", "compact": {"type": "chart", "history": "x"}}"#,
            ["history: no number here has the name \"x\""]
        ),
    ]

    @Test(arguments: charts.indices) func aChartOfNoNumberIsNoted(place: Int) throws {
        let (output, notes) = Self.charts[place]
        #expect(try ContentProtocol.json.content(from: ProgramOutput(Array(output.utf8))).lines == notes)
    }

    @Test func aURLThatIsNotOpenedIsNotedOnceForItsScheme() throws {
        let id = try #require(WidgetID("plugin.cpu"))
        var manifest = Manifest(id: id, displayName: "x", update: UpdatePlan(command: ["/x"], contentProtocol: .xbar))
        manifest.urlSchemes = ["https"]
        let output = "a\n---\nb | href=https://a\nc | href=file:///x\n--d | href=file:///y\n--e | href=ssh://z\n"
        let read = try ContentProtocol.xbar.content(from: ProgramOutput(Array(output.utf8)))
        #expect(read.lines.isEmpty)
        let reason = "is not opened: plugin.cpu does not declare the scheme"
        #expect(
            read.notingURLs(of: manifest).lines == [
                "file:///x \(reason) file: URLSchemes= in a drop-in or a manifest (https)",
                "ssh://z \(reason) ssh: URLSchemes= in a drop-in or a manifest (https)",
            ])
        manifest.urlSchemes = ["https", "file", "ssh"]
        #expect(read.notingURLs(of: manifest).lines.isEmpty)
        let link = #"{"text": "a", "compact": {"type": "link", "title": "b", "url": "data:x"}}"#
        let content = try ContentProtocol.json.content(from: ProgramOutput(Array(link.utf8)))
        #expect(
            content.notingURLs(of: manifest).lines == ["data:x is not opened: a URL with the scheme data is a program"])
    }

    /// A device control string that does not end would hide what follows it (console_codes(4)).
    @Test func whatANoteQuotesHidesNoWords() throws {
        let output = Array(#"{"text":"a","\u0090x":1}"#.utf8)
        let notes = try ContentProtocol.waybar.content(from: ProgramOutput(output, status: 0)).lines
        #expect(notes.count == 1)
        #expect(notes.first?.hasPrefix("\u{fffd}x: ") == true && notes.first?.utf8.count ?? 0 > 10)
    }
}
