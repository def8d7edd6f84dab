// SPDX-License-Identifier: MIT
import Glibc
import JSON
import TestSupport
import Testing
import TodayModel
import UsedSpace

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

    /// A rate that is known from a time before, and far from that of any disk.
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

    private func texts(_ view: View?) -> [String] {
        if case .text(let text) = view { return [text.text] }
        return view?.children.flatMap { texts($0) } ?? []
    }

    // MARK: What is shown

    @Test func thePercentageIsRightOfTheBarAndThereOnce() throws {
        let widget = try start()
        let content = try content(try widget.call("PerformUpdate", request(.compact, known: false)))
        let digits = try #require(content.short?.dropLast())
        #expect(try bar(content.compact).text == content.short)
        #expect(try bar(content.compact).label == nil)
        #expect(digits.split(separator: ".").count == 2 && digits.suffix(2).first == ".", "one decimal, as in 50.0%")
        #expect(texts(content.compact).isEmpty && content.expanded == nil, "no other text in either mode")
        #expect(widget.finish().status == 0)
    }

    @Test func aTapAsksForTheExpandedHeightAndFillsThreeLines() throws {
        let widget = try start()
        let collapsed = try content(try widget.call("PerformUpdate", request(.expanded, known: false)))
        // 37 points and a bottom margin of 10; then 106 and the margin.
        #expect(collapsed.expandedRows == 2)
        #expect(collapsed.insets == Insets(bottom: 1))
        let expanded = try press(widget, "show", .expanded)
        #expect(expanded.expandedRows == 5)
        let words = texts(expanded.expanded)
        #expect(words.count == 6)
        #expect([words[0], words[2], words[4]] == ["Used:", "Free:", "Total:"])
        #expect(texts(expanded.compact).first?.hasPrefix("Used: ") == true)
        let again = try press(widget, "hide", .expanded)
        #expect(again.expandedRows == 2 && texts(again.expanded ?? again.compact).isEmpty)
        #expect(widget.finish().status == 0)
    }

    @Test func itIsAlwaysCollapsedAtStart() throws {
        let widget = try start()
        #expect(try !texts(press(widget, "show", .compact).compact).isEmpty)
        #expect(widget.finish().status == 0)
        // The disk is as it was, but the snapshot is an open one.
        let next = try start()
        let closed = try content(try next.call("PerformUpdate", request(.compact)))
        #expect(texts(closed.compact).isEmpty)
        #expect(closed.compactRows == 2)
        #expect(next.finish().status == 0)
        // A tap on what another process has drawn does what it said.
        let last = try start()
        #expect(try texts(press(last, "hide", .compact).compact).isEmpty)
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
            // The cached value is here; the disk may answer now.
            if shown.count == 1 { disk.answer() }
            return true
        }
        #expect(shown.count == 2)
        #expect(shown.first == "0.1%")
        #expect(shown.last != "0.1%")
        #expect(widget.finish().status == 0)
    }

    /// A disk that answers when the test says so.
    private struct SlowDisk {
        private static let compiler = ["cc", "gcc", "clang"].lazy.compactMap { BuiltPrograms.installed($0) }.first
        static var isPossible: Bool { BuiltPrograms.isContinuousIntegration || compiler != nil }

        let environment: [String: String]
        private let fifo: String

        init(in directory: TemporaryDirectory) throws {
            let source = #filePath.split(separator: "/").dropLast(2).map { "/\($0)" }.joined() + "/Fixtures/slow_disk.c"
            let library = directory("slow_disk.so")
            let compiler = try #require(Self.compiler)
            try #require(system("\(compiler) -shared -fPIC -o '\(library)' '\(source)' -ldl") == 0)
            try directory.makePipe("disk")
            fifo = directory("disk")
            environment = ["LD_PRELOAD": library, "SLOW_DISK": fifo]
        }

        /// Waits until the widget waits for it.
        func answer() { close(open(fifo, O_WRONLY | O_CLOEXEC)) }
    }
}
