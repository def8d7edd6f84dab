// SPDX-License-Identifier: MIT
import Glibc
import JSON
import TestSupport
import Testing
import TodayModel

@testable import used_space_widget

/// The real used-space-widget, called as todayd calls it.
@Suite struct UsedSpaceProgramTests {
    private let state = TemporaryDirectory()

    private func start(_ environment: [String: String] = [:]) throws -> WidgetProgram {
        let usual = ["TODAYD": "1", "TODAY_STATE_DIRECTORY": state.path, "USED_SPACE_PATH": "/"]
        return try WidgetProgram(
            "used-space-widget", environment: usual.merging(environment) { $1 }, isService: true)
    }

    private func request(
        _ mode: DisplayMode, known: Bool = true, reason: String = "schedule", action: String? = nil
    ) -> JSONObject {
        let rows = mode.maximumSize.rows
        var parameters: JSONObject = [
            "request": [
                "reason": .string(reason), "mode": .string(mode.rawValue), "columns": 60, "rows": JSON(rows),
                "known": .bool(known), "editing": false,
            ]
        ]
        parameters["action"] = action.map(JSON.string)
        return parameters
    }

    private func content(_ reply: JSONObject) throws -> Content {
        try #require(reply["update"]?["result"] == "newData", "\(reply)")
        return try Content(JSONField(root: try #require(reply["update"]?["content"])))
    }

    private func press(_ widget: WidgetProgram, _ action: String, _ mode: DisplayMode) throws -> Content {
        try content(try widget.call("PerformAction", request(mode, reason: "action", action: action)))
    }

    /// Writes a cached rate that is far from the real one of any disk.
    private func cache(used: Int = 1, of total: Int = 1_000) throws {
        let cache: JSON = ["space": ["path": "/", "total": JSON(total), "free": JSON(total - used)]]
        try state.write(cache.text, to: "defaults.json")
    }

    private func bar(_ view: View?) throws -> View.Progress {
        guard case .stack(let area) = view, case .progress(let bar) = area.children.first else {
            throw WidgetProgram.Failure()
        }
        return bar
    }

    // MARK: What is shown

    @Test func thePercentageIsShownOnceRightOfTheBar() throws {
        let widget = try start()
        let content = try content(try widget.call("PerformUpdate", request(.compact, known: false)))
        let digits = try #require(content.short?.dropLast())
        #expect(try bar(content.compact).text == content.short)
        #expect(try bar(content.compact).label == nil)
        #expect(digits.split(separator: ".").count == 2 && digits.suffix(2).first == ".", "one decimal, as in 50.0%")
        #expect(content.compact?.texts == [] && content.expanded == nil, "no other text in either mode")
        let percentage = try #require(content.percentage)
        #expect(abs(percentage - (Double(String(digits)) ?? -1)) < 0.051, "\(percentage)")
        #expect(widget.finish().status == 0)
        let saved = try state.read("defaults.json")
        #expect(saved.contains("\"rate\"") && saved.contains("\"path\""), "an update keeps the value, too: \(saved)")
    }

    @Test func aTapAsksForTheExpandedHeightAndFillsThreeLines() throws {
        let widget = try start()
        let collapsed = try content(try widget.call("PerformUpdate", request(.compact, known: false)))
        // Collapsed the widget asks for 37 points, expanded for 106, and for a bottom margin of 10 in both.
        #expect(collapsed.compactRows == 2)
        var margins = Insets.standard
        margins.bottom = 1
        #expect(collapsed.insets == margins, "the left one is kept")
        let expanded = try press(widget, "show", .compact)
        #expect(expanded.compactRows == 5)
        let words = try #require(expanded.compact).texts
        #expect(words.count == 6 && expanded.expanded == nil, "More has nothing to add")
        #expect([words[0], words[2], words[4]] == ["Used:", "Free:", "Total:"])
        #expect(String(describing: expanded.compact).contains("columns: 2"))
        let again = try press(widget, "hide", .compact)
        #expect(again.compactRows == 2 && again.compact?.texts == [])
        #expect(widget.finish().status == 0)
    }

    @Test func aNewProcessStartsCollapsed() throws {
        let widget = try start()
        #expect(try press(widget, "show", .compact).compact?.texts.isEmpty == false)
        #expect(widget.finish().status == 0)
        // The disk has not changed, but the snapshot shows the sizes: the new process replaces it.
        let next = try start()
        let closed = try content(try next.call("PerformUpdate", request(.compact)))
        #expect(closed.compact?.texts == [])
        #expect(closed.compactRows == 2)
        #expect(next.finish().status == 0)
        // A new process performs the action of an area that another process has drawn.
        let last = try start()
        #expect(try press(last, "hide", .compact).compact?.texts == [])
        #expect(last.finish().status == 0)
    }

    // MARK: The cache

    @Test(.enabled(if: SlowDisk.isPossible, "needs a C compiler"))
    func theCachedValueIsDrawnWhileTheDiskDoesNotAnswer() throws {
        try cache()
        let disk = try SlowDisk(in: state)
        let widget = try start(disk.environment)
        var shown: [String?] = []
        let connection = try #require(widget.connection)
        try connection.stream("org.todayd.Widget.PerformUpdate", request(.compact, known: false), pause: .seconds(20)) {
            shown.append(try content($0).short)
            // The cached value has arrived; let the disk answer.
            if shown.count == 1 { disk.answer() }
            return true
        }
        #expect(shown.count == 2)
        #expect(shown.first == "0.1%")
        #expect(shown.last != "0.1%")
        #expect(widget.finish().status == 0)
    }

    /// Delays statvfs(3) in the widget until the test calls `answer`.
    private struct SlowDisk {
        private static let compiler = ["cc", "gcc", "clang"].lazy.compactMap { BuiltPrograms.installed($0) }.first
        static var isPossible: Bool { BuiltPrograms.isContinuousIntegration || compiler != nil }

        let environment: [String: String]
        private let fifo: String

        init(in directory: TemporaryDirectory) throws {
            let source = #filePath.split(separator: "/").dropLast(3).map { "/\($0)" }.joined() + "/Fixtures/slow_disk.c"
            let library = directory("slow_disk.so")
            let compiler = try #require(Self.compiler)
            try #require(system("\(compiler) -shared -fPIC -o '\(library)' '\(source)' -ldl") == 0)
            try directory.makePipe("disk")
            fifo = directory("disk")
            environment = ["LD_PRELOAD": library, "SLOW_DISK": fifo]
        }

        /// Lets the disk answer. Waits until the widget has asked it.
        func answer() { close(open(fifo, O_WRONLY | O_CLOEXEC)) }
    }
}
