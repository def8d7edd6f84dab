// SPDX-License-Identifier: MIT
import JSON
import Testing
import TodayModel

@testable import Rendering

/// How a widget's label, format, width and colours reach each bar.
@Suite struct BarFaceTests {
    private func item(
        _ face: [Face.Key: String], text: String = "38 %", change: (inout Item) -> Void = { _ in }
    ) throws -> Item {
        try Samples.item("org.a.b", "Memory", content: Content(text: text)) {
            for (key, text) in face { $0.face[key] = text }
            $0.content?.icon = "🧠"
            change(&$0)
        }
    }

    private func segment(
        _ face: [Face.Key: String], hasSymbol: Bool = true, change: (inout Item) -> Void = { _ in }
    ) throws -> BarSegment {
        BarSegment(try item(face, change: change), Samples.presentation(60), hasSymbol: hasSymbol)
    }

    private static let lines: [(face: [Face.Key: String], line: String)] = [
        ([:], "🧠 38 %"), ([.label: "MEM"], "🧠 MEM 38 %"), ([.format: "{label}{percentage}", .label: "M"], "M62"),
        ([.format: "{name}: {text}"], "Memory: 38 %"), ([.format: "{short}"], "38"), ([.width: "30"], "🧠 38 %"),
        ([.format: "{label}"], ""),
    ]

    @Test(arguments: lines.indices) func aLineIsItsFormat(index: Int) throws {
        let (face, line) = Self.lines[index]
        let segment = try segment(face) {
            $0.content?.percentage = 62
            $0.content?.short = "38"
        }
        #expect(segment.text == line)
    }

    @Test func aBarWithItsOwnFormatGetsTheTextAlone() throws {
        #expect(try segment([.label: "MEM", .format: "x{text}"], hasSymbol: false).text == "38 %")
    }

    @Test func theAgeStandsBehindTheLine() throws {
        let segment = try segment([.format: "{text}!"]) { ($0.stale, $0.taken) = (true, Samples.now - .minutes(9)) }
        #expect(segment.text == "38 %! (stale, 9 min)")
    }

    private static let face: [Face.Key: String] = [
        .label: "MEM", .width: "14", .color: "#aabbcc", .background: "#101010", .border: "accent", .separator: "no",
    ]

    @Test func i3barGetsAllOfIt() throws {
        let block = try segment(Self.face.merging([.separator: "false"]) { $1 }).i3bar
        let expected: [(String, JSON)] = [
            ("full_text", "🧠 MEM 38 %"), ("color", "#aabbcc"), ("background", "#101010"), ("border", "#6cb6ff"),
            ("separator", false), ("min_width", "00000000000000"),
        ]
        for (key, value) in expected { #expect(block[key] == value, "\(key)") }
        let plain = try segment([:]).i3bar
        for key in ["background", "border", "separator", "min_width"] { #expect(plain[key] == nil) }
    }

    @Test func otherBarsGetColoursAndSpaces() throws {
        let items = [try item(Self.face)]
        func output(_ kind: BarKind) -> String { kind.update(items.map { BarSegment($0, Samples.presentation(60)) }) }
        #expect(output(.polybar) == "%{B#101010}%{F#aabbcc}🧠 MEM 38 %   %{F-}%{B-}\n")
        #expect(output(.tmux) == "#[push-default fg=#aabbcc,bg=#101010]🧠 MEM 38 %   #[default pop-default]\n")
        #expect(output(.key) == "🧠 MEM 38 %   \n")
        #expect(try segment([.background: "#101010"]).color == nil)
    }

    /// A bar shows the icon of a widget that has no content, and not that of content without one.
    @Test func aWidgetWithoutContentHasTheIconOfItsManifest() throws {
        #expect(try segment([:]) { ($0.state, $0.content, $0.icon) = (.failing, nil, "⛅") }.text.hasPrefix("⛅ "))
        let plain = try segment([:]) {
            $0.content?.icon = nil
            $0.icon = "⛅"
        }
        #expect(!plain.text.contains("⛅"))
    }

    /// A widget's own colour and its state come first.
    @Test func theColourIsTheLastChoice() throws {
        let rgb = try #require(Color("#aabbcc"))
        #expect(try segment([.color: "#aabbcc"]).color == rgb)
        #expect(try segment([.color: "#aabbcc"]) { $0.content?.severity = .warning }.color == .meaning(.warning))
        #expect(try segment([.color: "#aabbcc"]) { $0.content?.color = .meaning(.good) }.color == .meaning(.good))
        #expect(try segment([.color: "#aabbcc"]) { $0.stale = true }.color == .meaning(.secondary))
        #expect(try segment([.color: "#aabbcc"]) { $0.state = .failing }.color == .meaning(.critical))
    }
}
