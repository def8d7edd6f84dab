// SPDX-License-Identifier: MIT
import Formats
import Reactor
import TodayModel

/// A run in progress: its request and the time of its start, from which its outcome is made.
///
/// The duration is in awake time, because a program that was suspended with the machine was not slow.
struct StartedRun {
    let request: RunRequest
    private let started = WallTime(microseconds: EventLoop.now(.realtime))
    private let startedAwake = EventLoop.now(.monotonic)

    init(_ request: RunRequest) { self.request = request }

    func outcome(_ result: RunOutcome.Result, exit: String? = nil, errorOutput: String = "") -> RunOutcome {
        var outcome = RunOutcome(
            widget: request.widget, run: request.run, reason: request.reason, started: started,
            duration: TimeSpan(microseconds: EventLoop.now(.monotonic) - startedAwake), result: result, exit: exit,
            errorOutput: errorOutput)
        outcome.interaction = request.interaction
        outcome.isEditing = request.isEditing
        return outcome
    }
}

extension RunOutcome {
    private var ended: WallTime { started + duration }

    /// Sets the result from the widget's answer, compared with the content that the daemon already has.
    mutating func setResult(from answer: WidgetAnswer, for request: RunRequest) {
        switch answer {
        case .newData(let content):
            nextAsk = content.nextAsk
            // Content that looks like the previous content counts as noData, so that no host is woken. While
            // the widget is edited, hosts show a draft instead of the previous content, so everything is new.
            let isNew = request.isEditing || !content.looksLike(request.previous)
            result = isNew ? .newData(content) : .noData
            isRepeated = !isNew
        case .noData where request.previous == nil && request.interaction == nil:
            setResult(from: OutputError.nothingKnown)
        case .noData(let wait):
            nextAsk = wait.map(NextAsk.wait) ?? timelineAsk(request)
            result = .noData
        }
    }

    /// Sets the result from what the program printed, with what was not understood of it.
    mutating func read(_ output: ProgramOutput, for request: RunRequest) {
        do throws(OutputError) {
            let contentProtocol = request.manifest.update.contentProtocol
            if let answer = try contentProtocol.statedNoData(in: output) {
                return setResult(from: answer, for: request)
            }
            let read = try contentProtocol.content(from: output).notingURLs(of: request.manifest)
            notes = read.lines
            age = read.age
            setResult(from: .newData(read.content), for: request)
        } catch {
            setResult(from: error)
        }
    }

    /// Sets the result from the reason why the run gave no content.
    mutating func setResult(from failure: OutputError) {
        nextAsk = failure.wait.map(NextAsk.wait)
        result = .failed(failure.description(afterErrorLine: RunEnding.reasonLine(of: errorOutput)))
    }

    /// When the previous timeline says to ask next; nil if that date has passed, or there is no timeline.
    private func timelineAsk(_ request: RunRequest) -> NextAsk? {
        guard let previous = request.previous, previous.timeline != nil else { return nil }
        let ask = previous.nextAsk
        if case .date(let date) = ask, date <= ended { return nil }
        return ask
    }
}

extension Content {
    /// Whether hosts show the same for both, now and later. `nextUpdate` is not compared because hosts do not show it:
    /// a widget may count it down with every answer.
    fileprivate func looksLike(_ other: Content?) -> Bool {
        guard var other else { return false }
        other.nextUpdate = nextUpdate
        return self == other
    }
}
