// SPDX-License-Identifier: MIT
import JSON
import Reactor
import TodayModel
import Varlink

/// The answers to one `Update`: the latest one of each widget.
@LoopActor
final class UpdateProgress: UpdateListener {
    private(set) var answers: [UpdateAnswer] = []
    private var indices: [WidgetID: Int] = [:]
    private var pending = 0
    private var hasBegun = false
    private var onAnswer: (@LoopActor (UpdateAnswer) -> Void)?

    var isFinished: Bool { hasBegun && pending == 0 }

    /// Takes the answers that `update` returned. An answer that the listener has already received is newer and stays.
    func begin(with initial: [UpdateAnswer], onAnswer: @escaping @LoopActor (UpdateAnswer) -> Void) {
        for answer in initial where indices[answer.id] == nil { put(answer) }
        hasBegun = true
        self.onAnswer = onAnswer
    }

    func receive(_ answer: UpdateAnswer) {
        // A final answer stays, and an equal answer is not a change.
        if let index = indices[answer.id], answers[index].isFinal || answers[index] == answer { return }
        put(answer)
        onAnswer?(answer)
    }

    /// Stops calling `onAnswer`: the client no longer waits.
    func end() { onAnswer = nil }

    private func put(_ answer: UpdateAnswer) {
        if let index = indices[answer.id] {
            if answer.isFinal { pending -= 1 }
            answers[index] = answer
        } else {
            if !answer.isFinal { pending += 1 }
            indices[answer.id] = answers.count
            answers.append(answer)
        }
    }
}

/// Waits until all answers are final, but not longer than clients wait.
@LoopActor
final class UpdateWait {
    private let progress: UpdateProgress
    private var onEnd: (@LoopActor () -> Void)?
    private var timer: TimerSource?

    /// Keeps itself alive until it has called `onEnd`, once.
    init(for progress: UpdateProgress, patience: TimeSpan, onEnd: @escaping @LoopActor () -> Void) {
        self.progress = progress
        self.onEnd = onEnd
        do throws(ReactorError) {
            let timer = try TimerSource(.monotonic) { self.end() }
            timer.arm(after: patience.microseconds)
            self.timer = timer
        } catch {
            // Without a timer the client must not wait.
            end()
        }
    }

    /// Ends without calling `onEnd`: the client no longer waits.
    func cancel() {
        onEnd = {}
        end()
    }

    func end() {
        guard let onEnd else { return }
        self.onEnd = nil
        timer?.cancel()
        timer = nil
        progress.end()
        onEnd()
    }
}

/// The answers to one `Update` with `more`, sent as they come.
@LoopActor
final class UpdateFeed: Feed {
    private let progress: UpdateProgress
    private var news: [WidgetID: UInt64] = [:]

    init(_ progress: UpdateProgress) {
        self.progress = progress
        super.init()
    }

    override var isFinished: Bool { progress.isFinished }

    func note(_ answer: UpdateAnswer) {
        version += 1
        news[answer.id] = version
    }

    override func reply(since seen: UInt64) -> [UInt8]? {
        let all = progress.answers
        let answers = seen == Self.nothingSeen ? all : all.filter { news[$0.id].map { $0 > seen } ?? false }
        let parameters: JSONObject = ["answers": .array(answers.map(\.json))]
        return VarlinkReply(parameters, continues: !isFinished).encoded()
    }
}

extension MethodCall {
    /// Answers with what becomes of runs.
    ///
    /// - Parameters:
    ///   - streams: whether a client that wants more gets the answers as they come.
    ///   - reply: the only reply, made when all answers are final or the client has waited for long enough.
    ///   - start: requests the runs, and returns the first answer of each. The listener gets the later ones.
    package func answer(
        streams: Bool = false, _ reply: @escaping @LoopActor ([UpdateAnswer]) -> JSONObject,
        _ start: ((any UpdateListener)?) throws(VarlinkError) -> [UpdateAnswer]
    ) throws(VarlinkError) -> Answer {
        // The service keeps no state for a client that does not wait, because such a client can send any number of
        // calls.
        guard wantsReply else {
            _ = try start(nil)
            return .parameters([:])
        }
        let progress = UpdateProgress()
        let initial = try start(progress)
        if streams, wantsMore {
            let feeds = service.feeds
            let feed = UpdateFeed(progress)
            progress.begin(with: initial) { [weak feed] answer in
                guard let feed else { return }
                feed.note(answer)
                feeds.markChanged(feed)
            }
            return .stream(feed)
        }
        return .stoppable { [patience = service.limits.updatePatience] done in
            let wait = UpdateWait(for: progress, patience: patience) { done(.success(reply(progress.answers))) }
            // The reference is weak: `UpdateWait` ends at once if it has no timer, and nothing else would break the
            // cycle.
            progress.begin(with: initial) { [weak progress, weak wait] _ in
                if let progress, progress.isFinished { wait?.end() }
            }
            if progress.isFinished { wait.end() }
            return { wait.cancel() }
        }
    }
}
