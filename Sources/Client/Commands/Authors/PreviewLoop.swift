// SPDX-License-Identifier: MIT

import Console
import Files
import Glibc
import Link
import Rendering
import TodayModel

/// `preview --watch`: runs the widget again whenever one of its files is saved, until the user ends it.
final class PreviewLoop {
    private let preview: Preview
    private let author: AuthorProgram
    private let output: CommandOutput
    private var files: WatchedFiles

    init(_ preview: Preview, _ author: AuthorProgram, _ output: CommandOutput) {
        self.preview = preview
        self.author = author
        self.output = output
        files = WatchedFiles([preview.file])
    }

    func run() throws -> ExitCode {
        let isLive = output.isLive && preview.form == .terminal
        let screen = isLive ? try LiveScreen(output) : nil
        defer { screen?.leave() }
        let signals = screen == nil ? try SignalPipe([SIGINT, SIGTERM, SIGHUP, SIGQUIT]) : nil
        let interruption = WatchInterruption(screen, signals) { [unowned self] in files.haveChanged }
        while !interruption.isEnded {
            // Before the run, so that a change during it is not missed.
            files.look()
            let report = try preview.once(author, until: interruption)
            if let report {
                files.add(report.command.filter { $0.hasPrefix("/") })
                try show(report, on: screen)
            }
            while !interruption.isEnded, report != nil, !files.haveChanged {
                interruption.wait()
                if let report, interruption.takeRedraw() { try show(report, on: screen) }
            }
        }
        return .ok
    }

    private func show(_ report: FileReport, on screen: LiveScreen?) throws {
        guard let screen else {
            try preview.print(report, to: output)
            return
        }
        let presentation = output.presentation
        let drawing = PreviewDrawing(report, mode: preview.mode, isNumbered: preview.isNumbered)
        let remarks = drawing.remarks.map { presentation.line($0.text, $0.isTrouble ? .meaning(.warning) : .dim) }
        screen.draw(
            drawing.lines(presentation) + [StyledLine()] + remarks, presentation,
            command: "todayctl preview \(preview.file)")
    }
}

/// Files whose change causes another run.
struct WatchedFiles {
    private var marks: [String: FileMark?] = [:]

    init(_ paths: [String]) { add(paths) }

    mutating func add(_ paths: [String]) {
        for path in paths where marks[path] == nil { marks[path] = .some(FileMark(at: path)) }
    }

    /// Remembers the present state of the files.
    mutating func look() {
        for path in marks.keys { marks[path] = .some(FileMark(at: path)) }
    }

    /// Whether one has been saved. Editors remove a file before they write it, so a missing file does not count yet.
    var haveChanged: Bool {
        marks.contains { path, mark in FileMark(at: path).map { $0 != mark } ?? false }
    }
}

/// Ends a run when the user ends the watch, or a file is saved meanwhile.
private final class WatchInterruption: Interruption {
    private let screen: LiveScreen?
    private let signals: SignalPipe?
    private let hasChanged: () -> Bool
    private(set) var isEnded = false
    private var wantsRedraw = false

    init(_ screen: LiveScreen?, _ signals: SignalPipe?, hasChanged: @escaping () -> Bool) {
        self.screen = screen
        self.signals = signals
        self.hasChanged = hasChanged
    }

    var descriptors: [Int32] { screen?.descriptors ?? signals.map { [$0.descriptor] } ?? [] }

    func asked() -> Int32? {
        look()
        return isEnded || hasChanged() ? SIGINT : nil
    }

    /// Waits half a second, or for a key or a signal.
    func wait() {
        var polls = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        poll(&polls, nfds_t(polls.count), 500)
        look()
    }

    func takeRedraw() -> Bool {
        defer { wantsRedraw = false }
        return wantsRedraw
    }

    private func look() {
        if let signals, !signals.received().isEmpty { isEnded = true }
        switch screen?.readInput() {
        case .quit: isEnded = true
        case .redraw: wantsRedraw = true
        case nil: break
        }
    }
}
