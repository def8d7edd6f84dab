// SPDX-License-Identifier: MIT

import Spelling
import TodayModel

/// The status of the daemon and its widgets, for people.
package struct StatusPage {
    let presentation: Presentation

    package init(_ presentation: Presentation) {
        self.presentation = presentation
    }

    // MARK: The daemon

    package func lines(_ daemon: DaemonStatus) -> [StyledLine] {
        var title = presentation.line("todayd \(daemon.version)", .bold)
        let up = (presentation.now - daemon.started).age
        title.append(presentation.printable(" (\(daemon.instance.rawValue) instance), process \(daemon.pid), "))
        title.append(presentation.printable(up == "now" ? "just started" : "up \(up)"))
        var rows: [(String, String, Style)] = [
            ("Socket", daemon.socket, .plain),
            ("State", daemon.stateDirectory, .plain),
            ("Storage", daemon.storage, daemon.storageIsFine ? .meaning(.good) : .meaning(.critical)),
            (
                "Widgets",
                "\(daemon.widgets), \(daemon.running) running of at most \(daemon.concurrency), "
                    + "\(daemon.waiting) waiting for a place", .plain
            ),
            ("Clients", "\(daemon.connections), \(daemon.subscribers) following", .plain),
            ("Runs", daemon.holding, .plain),
        ]
        rows += daemon.widgetDirectories.enumerated().map { ($0 == 0 ? "Manifests" : "", $1, .plain) }
        rows += daemon.pluginDirectories.enumerated().map { ($0 == 0 ? "Plugins" : "", $1, .plain) }
        rows += daemon.complaints.enumerated().map { ($0 == 0 ? "Complaints" : "", $1, .meaning(.warning)) }
        return [title] + rows.flatMap { row($0.0, $0.1, $0.2) }
    }

    // MARK: All widgets

    package func table(_ widgets: [WidgetStatus]) -> [StyledLine] {
        var table = Table([
            .init("WIDGET", elastic: true), .init("STATE"), .init("NEXT RUN", trailing: true),
            .init("RUNS", trailing: true, from: 60), .init("FAILED", trailing: true, from: 60),
            .init("LAST RUN", from: 72, elastic: true),
        ])
        for widget in widgets {
            table.append([
                presentation.line(widget.id, .bold),
                presentation.line(widget.state.rawValue, widget.state.style),
                presentation.line(nextRun(widget.activity)),
                presentation.line("\(widget.activity.runs)"),
                presentation.line(
                    "\(widget.activity.failures)", widget.activity.failuresInARow > 0 ? .meaning(.critical) : .plain),
                lastEvent(of: widget),
            ])
        }
        return table.lines(presentation)
    }

    /// The complaint of a widget that cannot run, the last run of a failing one; for others, a complaint or otherwise the last
    /// run.
    private func lastEvent(of widget: WidgetStatus) -> StyledLine {
        let complaint = widget.complaints.first.map { presentation.line($0, .meaning(.warning)) }
        let last = widget.history.first.map { summary($0) }
        switch widget.state {
        case .invalid, .masked:
            return complaint ?? widget.reason.map { presentation.line($0, .meaning(.warning)) }
                ?? presentation.line("-", .dim)
        case .failing: return last ?? complaint ?? presentation.line("-", .dim)
        case .waiting, .ready, .empty, .hidden, .disabled: return complaint ?? last ?? presentation.line("-", .dim)
        }
    }

    private func nextRun(_ activity: WidgetActivity) -> String {
        if activity.isRunning { return "running" }
        return activity.nextRun.map { ($0 - presentation.now).countdown } ?? "-"
    }

    // MARK: One widget

    /// The facts, below the sentences of `Explanation`.
    package func lines(_ widget: WidgetStatus) -> [StyledLine] {
        var rows: [(String, String?)] = [
            ("Description", widget.description),
            (widget.source?.hasSuffix(".widget") == false ? "Plugin" : "Manifest", widget.source),
        ]
        rows += widget.dropIns.enumerated().map { ($0 == 0 ? "Drop-ins" : "", $1) }
        rows += [
            ("Command", widget.command.isEmpty ? nil : ShellWords.text(of: widget.command)),
            ("Protocol", widget.contentProtocol),
            ("Shown in", widget.points.isEmpty ? nil : names(widget.places)),
            ("Made for", widget.points == widget.places ? nil : names(widget.points)),
            ("Belongs to", widget.containingApp),
            ("Interval", widget.interval?.text ?? (widget.timeout == nil ? nil : "once")),
            ("Time-out", widget.timeout?.text),
        ]
        rows.append(("Sandbox", widget.sandbox))
        rows += widget.unheld.enumerated().map { ($0 == 0 ? "Not held" : "", $1) }
        var next = nextRun(widget.activity)
        if !widget.activity.isRunning, let time = widget.activity.nextRun, time > presentation.now {
            next = next == "now" ? next : "in \(next)"
        }
        if let reason = widget.activity.waitingFor {
            next = widget.activity.nextRun == nil ? "waits for \(reason)" : "\(next), \(reason)"
        }
        rows.append(("Next run", next))
        rows.append(("Stream", widget.stream.map(words)))
        let activity = widget.activity
        rows.append(
            (
                "Runs",
                "\(activity.runs), \(activity.failures) failed (\(activity.failuresInARow) in a row), "
                    + "\(activity.skipped) skipped, \(activity.joined) joined"
            ))
        var lines = rows.flatMap { name, value in value.map { row(name, $0, .plain) } ?? [] }
        if !widget.history.isEmpty {
            lines += [StyledLine(), presentation.line("Last runs, newest first", .dim)]
            lines += widget.history.flatMap(self.lines)
        }
        return lines
    }

    /// Since when the program of a stream has been running, and why the previous one ended.
    private func words(_ stream: StreamStatus) -> String {
        func ago(_ time: WallTime) -> String {
            let age = (presentation.now - time).age
            return age == "now" ? "just now" : "\(age) ago"
        }
        var words = "has not been started"
        if let started = stream.started {
            words = stream.isRunning ? "started \(ago(started))" : "does not run"
            words += ", \(stream.updates.counted("update")), \(stream.restarts.counted("restart"))"
        }
        guard let lastEnd = stream.lastEnd, let lastEndAt = stream.lastEndAt else { return words }
        return "\(words); ended \(ago(lastEndAt)): \(lastEnd)"
    }

    private func lines(_ run: RunRecord) -> [StyledLine] {
        var line = presentation.line("  ")
        let age = (presentation.now - run.started).age
        line.append(presentation.line(age == "now" ? "just now" : "\(age) ago").padded(12))
        line.append(presentation.line(run.reason.rawValue, .dim).padded(10))
        line.append(outcome(run))
        if let usage = run.usage {
            let memory = usage.memory.map { ", \($0.roughly)" } ?? ""
            line.append(presentation.printable(" (processor \(usage.processor.duration)\(memory))"), .dim)
        }
        var lines = [presentation.truncated(line, presentation.width)]
        if run.result == .failed {
            // The failure is shown in full length, because people read this page to find it.
            if let failure = run.failure { lines += row("", failure, .plain) }
            if let exit = run.exit, addsToFailure(exit, run.failure) { lines += row("", exit, .dim) }
        }
        // A run that succeeds can also write to standard error.
        for text in Printable.lines(of: run.errorOutput, presentation.charset).suffix(8) where !text.isEmpty {
            for piece in text.wrapped(room - 2) {
                var quoted = StyledLine()
                quoted.appendSpaces(Self.indent)
                quoted.append(presentation.glyph("│ ", ascii: "| "), .dim)
                quoted.append(piece)
                lines.append(quoted)
            }
        }
        return lines
    }

    private func addsToFailure(_ exit: String, _ failure: String?) -> Bool {
        guard let failure else { return true }
        return !failure.utf8.starts(with: exit.utf8) && exit != "exited with status 0"
    }

    private func outcome(_ run: RunRecord) -> StyledLine {
        var line = presentation.line("\(run.result.rawValue) ", run.result == .failed ? .meaning(.critical) : .plain)
        line.append(presentation.printable("in \(run.duration.duration)"), .dim)
        return line
    }

    private func summary(_ run: RunRecord) -> StyledLine {
        var line = outcome(run)
        if let failure = run.failure { line.append(presentation.printable(": \(failure)")) }
        return line
    }

    private static let indent = 14

    private var room: Int { max(presentation.width - Self.indent, 20) }

    /// A name and its value. Lines of a long value are aligned.
    private func names(_ points: [ExtensionPoint]) -> String {
        points.isEmpty ? "no place" : points.map(\.name).joined(separator: ", ")
    }

    private func row(_ name: String, _ value: String, _ style: Style) -> [StyledLine] {
        return presentation.printable(value).wrapped(room).enumerated().map { index, piece in
            var line = presentation.line(index == 0 && !name.isEmpty ? "  \(name)" : "", .dim).padded(Self.indent)
            line.append(piece, style)
            return line
        }
    }
}

extension DaemonStatus {
    /// How the processes of a run are kept together.
    fileprivate var holding: String {
        guard let limited else {
            return "in sessions: todayd has no control groups here, and what leaves its session may outlive its run"
        }
        let words = RunResource.allCases.filter(limited.contains).map(\.rawValue).joined(separator: ", ")
        return "each in a control group, " + (words.isEmpty ? "without limits" : "with limits of \(words)")
    }
}

extension WidgetStatus {
    /// What shows the widget, if a choice of the user or of its app hides it.
    var remedy: String? { cure.map { "'todayctl \($0.command(for: id).joined(separator: " "))' \($0.effect)" } }
}
