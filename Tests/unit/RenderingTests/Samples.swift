// SPDX-License-Identifier: MIT

import Glibc
import Testing
import TodayModel

@testable import Rendering

/// Widgets for the golden files, with most states and all kinds of views.
enum Samples {
    static let now = WallTime(microseconds: 1_800_000_000_000_000)

    static func presentation(_ width: Int, _ charset: Charset = .unicode, _ colors: ColorDepth = .none) -> Presentation
    {
        Presentation(width: width, charset: charset, colors: colors, now: now)
    }

    static func item(
        _ id: String, _ name: String, state: WidgetState = .ready, mode: DisplayMode = .expanded,
        age: TimeSpan? = .zero,
        content: Content? = nil, change: (inout Item) -> Void = { _ in }
    ) throws -> Item {
        let id = try #require(WidgetID(id))
        var item = Item(id: id, name: name, points: [.today], position: 0, state: state, mode: mode)
        item.content = content
        item.taken = age.map { now - $0 }
        change(&item)
        return item
    }

    static var disk: Content {
        var content = Content(text: "3.6 of 5.9 TB used")
        content.icon = "💾"
        content.severity = .warning
        let volumes: [(String, Double, Color.Meaning)] = [
            ("/", 0.424, .good), ("/home", 0.91, .warning), ("/srv/über", 0.999, .critical), ("/mnt/空", 0, .good),
        ]
        var children: [View] = [.text(.init("3.6 of 5.9 TB used"))]
        for (label, value, tint) in volumes {
            var progress = View.Progress(value: value)
            progress.label = label
            progress.tint = .meaning(tint)
            children.append(.progress(progress))
        }
        content.expanded = .stack(.init(.vertical, children))
        return content
    }

    static var bitcoin: Content {
        var content = Content(text: "67,234 USD")
        content.icon = "₿"
        content.severity = .good
        var price = View.Text("67,234 USD")
        price.style = .title
        var change = View.Text("+2.1%")
        change.color = .meaning(.good)
        let points = (0..<90).map { day -> Double in
            let noise = Double((day * 7919) % 23) * 90
            return 62_000 + 60 * Double(day) + noise
        }
        var chart = View.Chart(points: points)
        chart.label = "30 days"
        chart.baseline = 64_000
        let buttons: [View] = [
            .button(.init(title: "Refresh", action: "refresh")),
            .link(.init(title: "Exchange", url: "https://example.org/btc")),
        ]
        let title: [View] = [.text(price), .spacer, .text(change)]
        content.expanded = .stack(
            .init(
                .vertical,
                [.stack(.init(.horizontal, title)), .chart(chart), .divider, .stack(.init(.horizontal, buttons))]))
        return content
    }

    static var weather: Content {
        var content = Content(text: "Sonnig, 24 °C")
        content.icon = "weather-clear"
        let days: [(String, String, String)] = [("Mo", "☀️", "24°"), ("火", "🌧️", "18°"), ("Mi", "⛅", "9°")]
        var cells: [View] = days.map { .text(.init($0.0)) }
        cells += days.map { .image(.init(.symbol($0.1))) }
        cells += days.map { .text(.init($0.2)) }
        content.expanded = .grid(.init(columns: 3, cells))
        return content
    }

    static var outline: Content {
        var content = Content(text: "2 units failed")
        content.severity = .critical
        content.icon = "👩‍👩‍👧‍👦"
        var first = View.Item(title: "backup.service", children: [.text(.init("exited with status 3"))])
        first.action = "restart backup"
        content.expanded = .stack(.init(.vertical, [.item(first), .item(.init(title: "fstrim.service"))]))
        return content
    }

    static var placeholder: Content {
        var content = Content(text: "--")
        content.compact = .text(.init("--"))
        content.compactRows = 2
        return content
    }

    static var editor: Content {
        var content = Content(text: "2 clocks")
        content.expanded = .stack(
            .init(
                .vertical,
                [
                    .button(.init(title: "Remove Zürich", action: "remove zurich")),
                    .button(.init(title: "Remove 東京", action: "remove tokyo")),
                ]))
        return content
    }

    static func all() throws -> [Item] {
        [
            try item("org.todayd.disk", "Disk use", age: .minutes(3), content: disk),
            try item("org.example.btc", "Bitcoin", content: bitcoin) { $0.urlSchemes = ["https"] },
            try item("org.example.weather", "Wetter in Zürich", age: .hours(2), content: weather) { $0.stale = true },
            try item("org.todayd.units", "Failed units", state: .failing, age: .days(5), content: outline) {
                $0.failure = "timed out after 10 s (Timeout=10s)"
            },
            try item("org.example.new", "新しいウィジェット", state: .waiting, age: nil),
            try item("org.example.first", "First look", state: .waiting, mode: .compact, age: nil, content: placeholder)
            {
                $0.source = .placeholder
                $0.largestMode = .expanded
            },
            try item("org.example.clock", "Clocks", mode: .expanded, age: .minutes(1), content: editor) {
                $0.source = .draft
                $0.largestMode = .expanded
                ($0.allowsEditing, $0.isEdited) = (true, true)
            },
            try item("org.example.wrong", "Wrong", state: .invalid, age: nil) {
                $0.failure = "/etc/todayd/widgets/org.example.wrong.widget:7: Interval=: “often” is not a time span"
            },
        ]
    }
}

extension Presentation {
    /// The lines as one text, each with a line feed.
    func text(_ lines: [StyledLine]) -> String {
        lines.reduce(into: "") { $0 += $1.text(colors) + "\n" }
    }
}

/// Compares text with a file in Tests/Fixtures/Golden. With TODAY_UPDATE_GOLDEN=1 it writes the file instead: review the
/// difference before you commit it.
func expectGolden(
    _ name: String, _ text: String, file: String = #filePath, sourceLocation: SourceLocation = #_sourceLocation
) throws {
    let tests = file.split(separator: "/").dropLast(3).joined(separator: "/")
    let path = "/\(tests)/Fixtures/Golden/\(name).txt"
    if getenv("TODAY_UPDATE_GOLDEN") != nil {
        let stream = try #require(fopen(path, "we"))
        fputs(text, stream)
        fclose(stream)
        return
    }
    let stream = try #require(fopen(path, "re"), "\(path) is missing", sourceLocation: sourceLocation)
    defer { fclose(stream) }
    var bytes: [UInt8] = []
    while case let byte = fgetc(stream), byte != EOF {
        bytes.append(UInt8(truncatingIfNeeded: byte))
    }
    #expect(text == String(decoding: bytes, as: UTF8.self), "\(name).txt", sourceLocation: sourceLocation)
}
