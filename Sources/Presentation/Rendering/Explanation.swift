// SPDX-License-Identifier: MIT

import Spelling
import TodayModel

/// Why a widget shows what it shows, in sentences, the most important first. A pure function of what todayd says about it.
package struct Explanation {
    package struct Sentence: Hashable, Sendable {
        package enum Kind: String, Hashable, Sendable {
            case shown, trouble, run, quote, next, complaint
        }
        package let kind: Kind
        package let text: String

        init(_ kind: Kind, _ text: String) {
            self.kind = kind
            self.text = text
        }
    }

    let status: WidgetStatus
    let item: Item?
    let now: WallTime

    /// - Parameter item: the item that hosts get; nil if todayd has none.
    package init(_ status: WidgetStatus, _ item: Item?, now: WallTime) {
        self.status = status
        self.item = item
        self.now = now
    }

    package var sentences: [Sentence] {
        let parts: [[Sentence]] = [
            [shown], hidden, layer, freshness, complaints, lastRun, notes, failuresInARow, program, next, change,
        ]
        return Array(parts.joined())
    }

    package func lines(_ presentation: Presentation) -> [StyledLine] {
        sentences.enumerated().flatMap { index, sentence -> [StyledLine] in
            guard sentence.kind == .quote else {
                let style: Style =
                    sentence.kind == .trouble || sentence.kind == .complaint ? .meaning(.warning) : .plain
                return presentation.line(sentence.text, index == 0 ? .bold : style)
                    .wrapped(presentation.width)
            }
            return presentation.line(sentence.text).wrapped(max(presentation.width - 4, 10)).map { piece in
                var line = presentation.line("  ")
                line.append(presentation.glyph("│ ", ascii: "| "), .dim)
                line.append(piece)
                return line
            }
        }
    }

    // MARK: What is shown

    private var shown: Sentence {
        let name = status.name.utf8.elementsEqual(status.id.utf8) ? status.id : "\(status.id) (\(status.name))"
        let reason = status.reason.map { ": \($0)" } ?? ""
        let text =
            switch status.state {
            case .ready where status.reason != nil: "is not shown\(reason)"
            case .ready: "is shown"
            case .failing: "is failing: its last run brought no answer"
            case .waiting: "waits for its first answer"
            case .empty: "is left out of the view\(reason)"
            case .hidden: "is hidden, and not run\(reason)"
            case .disabled: "is disabled, and not run\(reason)"
            case .invalid: "is invalid, and not run\(reason)"
            case .masked: "is masked, and not run\(reason)"
            }
        let cure = status.remedy ?? otherRemedy
        return Sentence(.shown, ended("\(name) \(text)") + (cure.map { " \(capitalized($0))." } ?? ""))
    }

    /// A reason may end with a question, such as "did you mean json?".
    private func ended(_ text: String) -> String { text.last == "?" ? text : "\(text)." }

    /// The places for which the widget is made but in which the user does not want it.
    private var hidden: [Sentence] {
        let places = status.points.filter { $0 != .lockScreen && !status.places.contains($0) }
        guard status.state.isVisible, !status.places.isEmpty, let first = places.first else { return [] }
        let names = places.map(\.name).joined(separator: " and ")
        return [
            Sentence(
                .shown,
                "The user has hidden it from \(names); 'todayctl enable --on \(first.name) \(status.id)' shows it there."
            )
        ]
    }

    /// What changes that, if no choice of the user does.
    private var otherRemedy: String? {
        switch status.state {
        case .invalid: wrongFile.map { "correct \($0), which todayd then reads by itself" }
        case .masked: status.source.map { "remove \($0) to show it" }
        case .empty where status.contentProtocol == "push":
            "'todayctl push \(status.id) --text TEXT' gives it something"
        default: nil
        }
    }

    /// The drop-in that the first complaint, an error, is about, or the manifest.
    private var wrongFile: String? {
        status.dropIns.first { status.complaints.first?.hasPrefix("\($0):") == true } ?? status.source
    }

    private func capitalized(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }

    private var layer: [Sentence] {
        let text: String
        switch status.shows {
        case nil: return []
        case .own: text = "Its content is its own last answer"
        case .placeholder: text = "Its content is what it draws before its first answer"
        case .draft: text = "Its content is what the user edits; 'todayctl edit --done \(status.id)' keeps it"
        case .pushed:
            let sender = status.pushedBy.map { " by \($0)" } ?? ""
            let end =
                status.expires.map { "for \(($0 - now).countdown) more" }
                ?? "until the next push or 'todayctl push --unset \(status.id)'"
            text = "Its content was pushed\(sender), \(end)"
        }
        return [Sentence(.shown, text + summary + ".")]
    }

    private var summary: String {
        guard let text = item?.content?.text, !text.isEmpty else { return "" }
        return ": \"\(text)\""
    }

    private var freshness: [Sentence] {
        guard let item, let taken = item.taken, status.shows == .own || status.shows == .draft else { return [] }
        var text = "It was taken \(ago(taken))"
        if let confirmed = item.confirmed, confirmed > taken { text += " and confirmed \(ago(confirmed))" }
        guard item.stale else { return [Sentence(.shown, text + ".")] }
        let since = status.freshUntil.flatMap { $0 <= now ? " since \((now - $0).span)" : nil } ?? ""
        let reason = status.stream == nil ? "no run has confirmed it in time" : "its program has been silent for longer"
        return [Sentence(.trouble, "\(text), and is stale\(since): \(reason).")]
    }

    // MARK: Runs

    /// The complaints, without the one that makes the widget invalid.
    private var complaints: [Sentence] {
        status.complaints.filter { complaint in
            !(status.state == .invalid && status.reason.map { complaint.hasSuffix($0) } ?? false)
        }.map { Sentence(.complaint, $0) }
    }

    private var lastRun: [Sentence] {
        guard let run = status.history.first else {
            let isPushed = status.contentProtocol == "push"
            return isPushed ? [] : [Sentence(.run, "It has not run yet.")]
        }
        if let fleet = status.fleet {
            let text = "\(fleet.member) ran it last for the fleet, at revision \(fleet.revision)"
            guard run.result == .failed else { return [Sentence(.run, "\(text).")] }
            return [Sentence(.trouble, ended("\(text). It has failed: \(run.failure ?? "no machine said why")"))]
        }
        var text = "It ran last \(ago(run.started)), \(words(for: run.reason)),"
        switch run.result {
        case .newData: text += " and gave new content after \(run.duration.duration)"
        case .noData: text += " and had nothing new after \(run.duration.duration)"
        case .failed: text += " and failed after \(run.duration.duration): \(run.failure ?? "it did not say why")"
        }
        var sentences = [Sentence(run.result == .failed ? .trouble : .run, ended(text))]
        if run.result == .failed { sentences += printed }
        sentences += unknownStatus(of: run)
        sentences += quotes(run.errorOutput, after: "The end of its standard error:")
        return sentences
    }

    private func words(for reason: RunReason) -> String {
        guard reason == .schedule else { return reason.inWords }
        if status.history.count == 1, status.activity.runs <= 1 { return "because it was added" }
        if status.stream != nil { return "because its program had ended, or its file had changed" }
        return status.interval == nil ? "because it was added or had changed" : reason.inWords
    }

    private var printed: [Sentence] {
        guard let printed = status.printed else { return [] }
        if printed.bytes == 0 { return [Sentence(.run, "It printed nothing to standard output.")] }
        let title =
            "It printed \(printed.bytes.counted("byte")) to standard output\(printed.isCut ? ", which begin" : ""):"
        return quotes(printed.beginning, after: title, fromTheEnd: false)
    }

    private var notes: [Sentence] {
        quotes(status.notes.joined(separator: "\n"), after: "Notes on its output:")
    }

    /// The program of a stream, which outlives its run.
    private var program: [Sentence] {
        guard let stream = status.stream, let started = stream.started, status.state.runs else { return [] }
        var text = stream.isRunning ? "Its program was started \(ago(started))" : "Its program does not run now"
        let updates = stream.updates.counted("update")
        text +=
            stream.restarts == 0
            ? "; it has given \(updates)"
            : "; todayd has started \(stream.restarts + 1) programs, which have given \(updates) in all"
        var sentences = [Sentence(.run, text + ".")]
        if let end = stream.lastEnd, let time = stream.lastEndAt {
            sentences.append(Sentence(.run, "The program before ended \(ago(time)): \(end)."))
        }
        return sentences
    }

    private static let mostLines = 8

    private func quotes(_ text: String, after title: String, fromTheEnd: Bool = true) -> [Sentence] {
        let lines = text.split(separator: "\n")
        if lines.isEmpty { return [] }
        let shown = fromTheEnd ? lines.suffix(Self.mostLines) : lines.prefix(Self.mostLines)
        return [Sentence(.run, title)] + shown.map { Sentence(.quote, String($0)) }
    }

    private var failuresInARow: [Sentence] {
        let count = status.activity.failuresInARow
        return count > 1 ? [Sentence(.trouble, "These were \(count) failures in a row.")] : []
    }

    // MARK: What comes next

    private var next: [Sentence] {
        let activity = status.activity
        if status.stream?.isRunning == true, status.state.runs {
            return [Sentence(.next, "It prints an update whenever it has one; a further run starts it again.")]
        }
        if activity.isRunning { return [Sentence(.next, "It runs now.")] }
        if let time = activity.nextRun {
            let left = (time - now).countdown
            let text = left == "now" ? "It is due now" : "It runs next in \(left)"
            if let reason = activity.waitingFor { return [Sentence(.next, "\(text); it waits for \(reason).")] }
            return [Sentence(.next, "\(text)\(cause(ofRunIn: time - now)).")]
        }
        if !status.state.runs { return [] }
        if status.contentProtocol == "push" {
            return [Sentence(.next, "It has no program: it shows what is pushed to it.")]
        }
        return activity.waitingFor.map { [Sentence(.next, "It does not run by itself; it waits for \($0).")] } ?? []
    }

    private func cause(ofRunIn left: TimeSpan) -> String {
        guard let interval = status.interval else { return "" }
        // todayd postpones runs by part of the interval, to bring them together or to spread them.
        let isLater = left.microseconds / 5 > interval.microseconds / 4
        return isLater ? ", as its last answer asks" : ", by its interval of \(interval.text)"
    }

    private var change: [Sentence] {
        guard let time = status.changes, time > now else { return [] }
        let cause: String =
            switch status.shows {
            case .pushed where isAbout(status.expires, time): "because the push ends"
            case .draft: "because editing ends, or by its timeline"
            case .own where isAbout(status.freshUntil, time): ""
            default: "by its timeline"
            }
        // An answer that becomes stale is not a change of content.
        if cause.isEmpty { return [] }
        return [Sentence(.next, "What it shows changes in \((time - now).countdown) without a run, \(cause).")]
    }

    /// todayd converts between clocks that it reads one after another, so two dates of one event differ by microseconds.
    private func isAbout(_ date: WallTime?, _ time: WallTime) -> Bool {
        guard let date else { return false }
        return date - time < .seconds(1) && time - date < .seconds(1)
    }

    private func ago(_ time: WallTime) -> String {
        let age = (now - time).age
        switch age {
        case "now": return "just now"
        case "in the future": return "in the future, as the clock was set back"
        default: return "\(age) ago"
        }
    }
}

extension TimeSpan {
    /// A duration in one unit: `40 s`, `3 min`.
    fileprivate var span: String { microseconds < 60_000_000 ? "\(max(microseconds, 0) / 1_000_000) s" : age }
}

extension RunReason {
    /// The end of a sentence about a run in the past.
    fileprivate var inWords: String {
        switch self {
        case .boot: "because todayd had started"
        case .schedule: "because its interval had passed"
        case .appear: "because a host began to look"
        case .request: "because a client asked for it"
        case .action: "because a button was pressed"
        case .editing: "because the user edited it"
        case .mode: "for another display mode"
        case .wake: "because the machine had slept"
        case .retry: "because the run before had failed"
        case .behind: "because its program, its settings, its defaults or its display mode had changed"
        }
    }
}
