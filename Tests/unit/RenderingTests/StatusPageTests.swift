// SPDX-License-Identifier: MIT

import Testing
import TodayModel

@testable import Rendering

@Suite struct StatusPageTests {
    @Test func daemonStatusLooksAsInItsGoldenFile() throws {
        var daemon = DaemonStatus(
            version: "0.1", instance: .user, pid: 4711, started: Samples.now - .days(3),
            socket: "/run/user/1000/todayd/todayd.sock", stateDirectory: "/home/me/.local/state/todayd")
        daemon.widgetDirectories = ["/etc/todayd/widgets", "/usr/share/todayd/widgets"]
        daemon.pluginDirectories = ["/etc/todayd/plugins", "/usr/share/todayd/plugins"]
        daemon.storage = "read-only: the disk is full"
        daemon.storageIsFine = false
        (daemon.widgets, daemon.running, daemon.waiting, daemon.concurrency) = (6, 1, 0, 4)
        (daemon.connections, daemon.subscribers) = (3, 1)
        daemon.complaints = ["/etc/todayd/todayd.conf:3: unknown key Intervall=; did you mean Interval=?"]
        let presentation = Samples.presentation(80)
        let page = StatusPage(presentation)
        let lines = page.lines(daemon) + [StyledLine()] + page.table([widget()])
        try expectGolden("status", presentation.text(lines))
    }

    private static let holding: [(limited: Set<RunResource>, words: String)] = [
        (Set(RunResource.allCases), "each in a control group, with limits of memory, tasks, processor"),
        ([.tasks], "each in a control group, with limits of tasks"), ([], "each in a control group, without limits"),
    ]

    @Test(arguments: holding.indices) func theStatusSaysHowRunsAreHeld(index: Int) {
        var daemon = DaemonStatus(
            version: "0.1", instance: .user, pid: 1, started: Samples.now, socket: "/s", stateDirectory: "/d")
        daemon.limited = Self.holding[index].limited
        let lines = StatusPage(Samples.presentation(120)).lines(daemon).map { $0.text() }
        #expect(lines.contains("  Runs        \(Self.holding[index].words)"), "\(lines)")
    }

    /// A value has 20 columns, also if the terminal is narrower.
    @Test func aValueHasRoomForWords() {
        var daemon = DaemonStatus(
            version: "0.1", instance: .user, pid: 1, started: Samples.now, socket: "/s", stateDirectory: "/d")
        daemon.storage = [String](repeating: "a", count: 15).joined(separator: " ")
        for (width, letters) in [(10, 10), (34, 10), (36, 11)] {
            let lines = StatusPage(Samples.presentation(width)).lines(daemon).map { $0.text() }
            #expect(
                lines.contains { $0.hasSuffix("  " + [String](repeating: "a", count: letters).joined(separator: " ")) },
                "\(lines)")
        }
    }

    @Test func whatARunTookIsAfterIt() {
        var status = widget()
        (status.unheld, status.sandbox) = (["CPUQuota=5% does not hold"], "strict")
        status.history[1].usage = RunUsage(processor: .milliseconds(35), memory: ByteSize("12M"))
        let lines = StatusPage(Samples.presentation(120)).lines(status).map { $0.text() }
        #expect(lines.contains { $0.hasSuffix("newData in 42 ms (processor 35 ms, 12 MiB)") }, "\(lines)")
        #expect(lines.contains("  Not held    CPUQuota=5% does not hold"))
        #expect(lines.contains("  Sandbox     strict"))
        status.history[1].usage?.memory = ByteSize("100K")
        #expect(StatusPage(Samples.presentation(120)).lines(status).contains { $0.text().hasSuffix(", 100 KiB)") })
        status.history[1].usage?.memory = nil
        #expect(
            StatusPage(Samples.presentation(120)).lines(status).contains { $0.text().hasSuffix("(processor 35 ms)") })
    }

    @Test func widgetStatusLooksAsInItsGoldenFile() throws {
        let presentation = Samples.presentation(80)
        try expectGolden("status-widget", presentation.text(StatusPage(presentation).lines(widget())))
    }

    /// Whether a stream's program runs, when it was started, why and when the one before ended, and the text.
    static let streams: [(runs: Bool, started: Int64?, end: String?, endedAt: Int64, words: String)] = [
        (false, nil, nil, 0, "has not been started"),
        (true, 300, nil, 0, "started 5 min ago, 7 updates, 1 restart"),
        (
            true, 0, "killed by SIGKILL", 3_600,
            "started just now, 7 updates, 1 restart; ended 1 h ago: killed by SIGKILL"
        ),
        (
            false, 300, "exited with status 0", 1,
            "does not run, 7 updates, 1 restart; ended just now: exited with status 0"
        ),
    ]

    @Test(arguments: streams) func statusTellsOfTheProgramOfAStream(
        runs: Bool, started: Int64?, end: String?, endedAt: Int64, words: String
    ) {
        var status = widget()
        var stream = StreamStatus()
        stream.isRunning = runs
        stream.started = started.map { Samples.now - .seconds($0) }
        (stream.updates, stream.restarts) = (7, 1)
        stream.lastEnd = end
        stream.lastEndAt = end.map { _ in Samples.now - .seconds(endedAt) }
        status.stream = stream
        let lines = StatusPage(Samples.presentation(200)).lines(status).map { $0.text() }
        #expect(lines.first { $0.hasPrefix("  Stream ") } == "  Stream      \(words)")
    }

    /// The state, the complaint, the failure of the last run, and the text in the table.
    static let events: [(state: WidgetState, complaint: String?, failure: String?, words: String)] = [
        (.ready, nil, nil, "newData in 1.0 s"), (.ready, "unknown key", nil, "unknown key"),
        (.failing, "unknown key", "printed nothing", "printed nothing"),
        (.failing, nil, "printed nothing", "printed nothing"),
        (.invalid, "no program", "printed nothing", "no program"), (.masked, nil, nil, "why not"),
        (.disabled, nil, "printed nothing", "printed nothing"),
    ]

    @Test(arguments: events) func theTableShowsAComplaintOrTheLastRun(
        state: WidgetState, complaint: String?, failure: String?, words: String
    ) throws {
        var status = WidgetStatus(id: "org.example.btc", name: "Bitcoin", state: state)
        status.complaints = complaint.map { [$0] } ?? []
        status.reason = "why not"
        status.history = [
            RunRecord(
                started: Samples.now, duration: .seconds(1), reason: .schedule,
                result: failure == nil ? .newData : .failed,
                failure: failure, exit: nil, errorOutput: "")
        ]
        let line = try #require(StatusPage(Samples.presentation(120)).table([status]).last?.text())
        #expect(line.contains(words), "\(line)")
    }

    /// Failures of long ago are no trouble.
    @Test(arguments: [(0, false), (1, true)]) func failuresInARowAreRed(inARow: Int, isRed: Bool) throws {
        var status = WidgetStatus(id: "org.example.btc", name: "Bitcoin", state: .ready)
        (status.activity.failures, status.activity.failuresInARow) = (17, inARow)
        let page = StatusPage(Samples.presentation(120, .unicode, .sixteen))
        let line = try #require(page.table([status]).last?.text(.sixteen))
        #expect(line.contains("\u{1B}[31m17\u{1B}[0m") == isRed, "\(line.debugDescription)")
    }

    @Test(
        arguments: [
            ("a b", "'a b'"), ("50%", "50%"), ("a|b", "'a|b'"), ("$HOME", "'$HOME'"), ("it's", #"'it'\''s'"#),
            ("a\\b c", "'a\\b c'"), ("", "''"),
        ])
    func theCommandIsQuotedAsForAShell(word: String, written: String) {
        var status = widget()
        status.command = ["/x", word]
        let lines = StatusPage(Samples.presentation(200)).lines(status).map { $0.text() }
        #expect(lines.contains("  Command     /x \(written)"))
    }

    @Test func theFilesOfAWidgetAreListed() {
        var status = widget()
        (status.source, status.dropIns) = ("/a.widget", ["/d/1.conf", "/d/2.conf"])
        let lines = StatusPage(Samples.presentation(200)).lines(status).map { $0.text() }
        let start = lines.firstIndex { $0.hasPrefix("  Manifest") } ?? 0
        #expect(
            lines[start..<(start + 3)] == [
                "  Manifest    /a.widget", "  Drop-ins    /d/1.conf", "              /d/2.conf",
            ])
        status.source = "/p/cpu.5m.sh"
        #expect(
            StatusPage(Samples.presentation(200)).lines(status).contains { $0.text() == "  Plugin      /p/cpu.5m.sh" })
    }

    private func widget() -> WidgetStatus {
        var widget = WidgetStatus(id: "org.example.btc", name: "Bitcoin", state: .failing)
        widget.description = "Price of one bitcoin in US dollars, with thirty days of history, and quite a long text"
        widget.source = "/etc/todayd/widgets/org.example.btc.widget"
        widget.command = ["/usr/libexec/crypticker/btc-widget", "--days=30"]
        widget.contentProtocol = "json"
        (widget.points, widget.places) = ([.today, .statusBar], [.today, .statusBar])
        widget.interval = .minutes(5)
        widget.timeout = .seconds(10)
        widget.shows = .own
        widget.activity.nextRun = Samples.now + .minutes(4)
        widget.activity.waitingFor = "backing off after 1 failure"
        (widget.activity.runs, widget.activity.failures, widget.activity.failuresInARow) = (12, 2, 1)
        let failed = RunRecord(
            started: Samples.now - .minutes(1), duration: .seconds(10), reason: .schedule, result: .failed,
            failure: "timed out after 10 s (Timeout=10s)", exit: "killed by SIGKILL",
            errorOutput: "connecting\u{1B}[31m…\nstill connecting\n")
        let good = RunRecord(
            started: Samples.now - .minutes(6), duration: .milliseconds(42), reason: .request, result: .newData,
            failure: nil, exit: "exited with status 0", errorOutput: "warning: the price is an hour old\n")
        widget.history = [failed, good]
        return widget
    }
}
