// SPDX-License-Identifier: MIT
import Formats
import Glibc
import Reactor
import Spelling
import TodayModel

/// How a run ended.
struct RunEnding: Hashable, Sendable {
    /// Why the daemon ended the program.
    enum Cause: Hashable, Sendable {
        case timedOut, tooMuchOutput, cancelled(String)
    }

    /// Nil when the program did not exit after SIGKILL.
    var status: ExitStatus?
    var cause: Cause?
    /// Some process of the run did not end after SIGKILL.
    var isAbandoned = false
    var usage: RunUsage?
    /// The kernel has ended processes because all together used more memory than the limit.
    var isOutOfMemory = false
}

extension RunEnding {
    /// How the program ended, in words.
    var exit: String {
        let status = status.map(String.init(describing:)) ?? "did not end when killed"
        return isAbandoned && self.status != nil ? "\(status), leaving processes that do not end when killed" : status
    }

    /// The status with which the program exited by itself; nil when it was killed, or the daemon ended it.
    var ownStatus: Int32? {
        guard cause == nil, case .exited(let code)? = status else { return nil }
        return code
    }

    /// Why the run failed, in words; nil when the program exited by itself with status 0.
    ///
    /// Scripts often print their complaint with `echo`: standard output tells the reason if standard error is empty.
    func failure(of manifest: Manifest, errorOutput: String, output: [UInt8] = []) -> String? {
        switch cause {
        case .timedOut:
            let timeout = manifest.update.timeout
            return "timed out after \(Self.inWords(timeout)) (Timeout=\(timeout.text))"
        case .tooMuchOutput:
            let most = manifest.limits.output
            return "printed more than \(Self.inWords(most)) (OutputMax=\(most.text))"
        case .cancelled(let reason):
            return reason
        case nil:
            break
        }
        if isOutOfMemory, let memory = manifest.limits.memory {
            let peak = usage?.memory.map { ", it had \($0.roughly)" } ?? ""
            return "out of memory (MemoryMax=\(memory.text)\(peak))"
        }
        guard let status, !status.isSuccess else { return status == nil ? exit : nil }
        var words = Self.inWords(status, memory: manifest.limits.memory, errorOutput: errorOutput)
        let isUsual = words == "\(ExitStatus.exited(1))"
        if manifest.sandbox.isClosed { words += " in its sandbox (Level=\(manifest.sandbox.level.rawValue))" }
        func hint(_ reason: String) -> String {
            SandboxHint.words(for: reason, manifest.sandbox).map { "; \($0)" } ?? ""
        }
        if let reason = ErrorOutput.reason(in: errorOutput) {
            // The usual status tells people nothing more than the program does.
            return (isUsual ? reason : "\(words): \(reason)") + hint(reason)
        }
        if case .exited = status, let line = ErrorOutput.reason(in: ErrorTail(output).text), line.first != "{" {
            return "\(words), after it printed: \(line)\(hint(line))"
        }
        guard case .killed(let signal, _) = status, let meaning = SwiftCrash.meaning(of: signal) else { return words }
        return "\(words), \(meaning)"
    }

    /// Shells, env and xargs exit with 126 and 127; see "Exit status" in dash(1) and env(1).
    private static func inWords(_ status: ExitStatus, memory: ByteSize?, errorOutput: String) -> String {
        if let memory, ErrorOutput.mentionsMemory(errorOutput) {
            return "\(status), out of memory (MemoryMax=\(memory.text))"
        }
        return switch status {
        case .exited(126): "\(status), a command in it could not be executed"
        case .exited(127): "\(status), a command in it was not found"
        case .killed(let signal, _) where memory != nil && [SIGKILL, SIGSEGV, SIGABRT, SIGBUS].contains(signal):
            // A program that gets no memory may be killed by one of these signals for other reasons too, hence "perhaps".
            "\(status), perhaps by MemoryMax=\(memory?.text ?? "")"
        case .exited, .killed, .lost: "\(status)"
        }
    }

    /// `1min 30s` of a manifest as `1 min 30 s`.
    static func inWords(_ span: TimeSpan) -> String {
        var words = ""
        for character in span.text {
            if character.isLetter, words.last?.isNumber == true { words.append(" ") }
            words.append(character)
        }
        return words
    }

    /// `1M` of a manifest as `1 MiB`.
    static func inWords(_ size: ByteSize) -> String {
        let text = size.text
        guard let unit = text.last, unit.isLetter else { return "\(text) bytes" }
        return "\(text.dropLast()) \(unit)iB"
    }
}

/// A run: its request, and the times of its start and its end, from which its outcome is made.
///
/// The duration is in awake time, because a program that was suspended with the machine was not slow.
final class StartedRun {
    let request: RunRequest
    private let started = WallTime(microseconds: EventLoop.now(.realtime))
    private let startedAwake = EventLoop.now(.monotonic)
    private var endedAwake: Int64?

    init(_ request: RunRequest) { self.request = request }

    /// The program has done its work. The time until its outcome is made is not the program's.
    func end() { endedAwake = EventLoop.now(.monotonic) }

    func outcome(_ result: RunOutcome.Result, exit: String? = nil, errorOutput: String = "") -> RunOutcome {
        var outcome = RunOutcome(
            widget: request.widget, run: request.run, reason: request.reason, started: started,
            duration: TimeSpan(microseconds: (endedAwake ?? EventLoop.now(.monotonic)) - startedAwake), result: result,
            exit: exit,
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
            let isNew = request.isEditing || !content.looksLike(request.previous?.content)
            result = isNew ? .newData(content) : .noData
            isRepeated = !isNew
        case .noData where request.previous == nil && request.interaction == nil:
            setResult(from: OutputError.nothingKnown)
        case .noData(let wait):
            nextAsk = wait.map(NextAsk.wait) ?? timelineAsk(request)
            result = .noData
        }
    }

    /// Sets the result from the program's output, with notes on what was not understood.
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
        result = .failed(failure.description(afterErrorLine: ErrorOutput.reason(in: errorOutput)))
    }

    /// When the previous timeline says to ask next; nil if that date has passed, or there is no timeline.
    private func timelineAsk(_ request: RunRequest) -> NextAsk? {
        guard let previous = request.previous?.content, previous.timeline != nil else { return nil }
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
