// SPDX-License-Identifier: MIT
import TodayModel

/// The programs of a stream, one after another: whether one runs, and when the next one starts.
///
/// A program that has ended starts again after 1 s, 2 s, 4 s … and at most 5 min, so that one that dies at once costs little.
/// After a program has run for a minute, the next one starts after 1 s again.
struct StreamCourse: Hashable, Sendable {
    static let shortestDelay = TimeSpan.seconds(1)
    static let longestDelay = TimeSpan.minutes(5)
    /// A program that has run this long counts as working.
    static let steadyLife = TimeSpan.minutes(1)

    /// The run that started the present program.
    private(set) var run: UInt64?
    private var started: BootTime?
    private var delay = shortestDelay
    /// The time before which it is of no use to start the program again, by its own words.
    var statedWait: DueTime?

    /// A run starts, and with it a new program.
    mutating func runBegan(at now: BootTime) {
        run = nil
        started = now
        statedWait = nil
    }

    /// The run is over, and the program stays.
    mutating func stayed(_ run: UInt64) { self.run = run }

    /// The program has ended. Returns when the next one is due.
    mutating func ended(isFailure: Bool, now: Moment) -> DueTime {
        if let started, now.boot - started >= Self.steadyLife { delay = Self.shortestDelay }
        (run, started) = (nil, nil)
        let due = DueTime.after(delay, since: now.boot, because: isFailure ? .retry : .schedule)
        delay = min(delay * 2, Self.longestDelay)
        defer { statedWait = nil }
        guard let statedWait, statedWait.time > due.time else { return due }
        return statedWait
    }

    /// The machine has slept, so the reason why programs ended may be gone.
    mutating func forgetEnds() { delay = Self.shortestDelay }
}

// MARK: - One widget

extension TimetableEntry {
    /// Counts a run of a stream that has ended. It is due again when its program has ended.
    ///
    /// - Parameter stays: the program runs on.
    mutating func recordStreamRun(
        _ run: Running, _ result: Timetable.RunResult, nextAsk: NextAsk?, age: TimeSpan, stays: Bool, now: Moment
    ) {
        counts.runs += 1
        let isUpdate = run.ticket.interaction == nil
        if isUpdate {
            base = run.started
            switch result {
            case .failure:
                counts.failures += 1
                counts.failuresInARow += 1
            case .silence: counts.failuresInARow = 0
            case .content, .confirmation, .editorContent: break
            }
        }
        recordStreamUpdate(isUpdate ? result : .editorContent, nextAsk: nextAsk, age: age, now: now)
        if stays {
            stream.stayed(run.ticket.run)
            due = DueTime(.never, because: .schedule)
        } else {
            due = stream.ended(isFailure: result == .failure, now: now)
        }
        if run.isOutdated { due = DueTime(now.boot, because: .schedule) }
    }

    /// Each update renews the answer.
    mutating func recordStreamUpdate(
        _ result: Timetable.RunResult, nextAsk: NextAsk?, age: TimeSpan = .zero, now: Moment
    ) {
        switch result {
        case .content, .confirmation:
            counts.failuresInARow = 0
            stream.statedWait = nil
            let ask = nextAsk.map { Self.bounded($0, now: now) }
            // A stream says how long its content is good from now on; the fleet says it from the start of the run.
            lastAnswer =
                plan.fleet == nil
                ? LastAnswer(ask, cadence, now: now)
                : LastAnswer(StoredAnswer(age: age, nextAsk: ask), cadence, now: now)
        case .failure: stream.statedWait = nextAsk.map { .stated($0, cadence, now: now) }
        case .silence, .editorContent: break
        }
    }

    mutating func recordStreamEnd(isFailure: Bool, nextAsk: NextAsk?, now: Moment) {
        if isFailure {
            counts.failures += 1
            counts.failuresInARow += 1
            if let nextAsk { stream.statedWait = .stated(nextAsk, cadence, now: now) }
        }
        let isDueAnyway = due.time != .never
        let next = stream.ended(isFailure: isFailure, now: now)
        // The widget may be due already, because it is behind or its manifest has changed.
        if !isDueAnyway { due = next }
    }
}

// MARK: - The timetable

extension Timetable {
    /// The program of a stream has given a further update. Returns false if a later run has replaced it.
    package mutating func streamUpdated(
        _ widget: WidgetID, run: UInt64, _ result: RunResult, nextAsk: NextAsk? = nil, age: TimeSpan = .zero,
        at now: Moment
    ) -> Bool {
        guard entries[widget]?.stream.run == run else { return false }
        entries[widget]?.recordStreamUpdate(result, nextAsk: nextAsk, age: age, now: now)
        return true
    }

    /// The program of a stream has ended. Returns false if a later run has replaced it.
    package mutating func streamEnded(
        _ widget: WidgetID, run: UInt64, isFailure: Bool, nextAsk: NextAsk? = nil, at now: Moment
    ) -> Bool {
        guard entries[widget]?.stream.run == run else { return false }
        entries[widget]?.recordStreamEnd(isFailure: isFailure, nextAsk: nextAsk, now: now)
        updateQueue(for: widget)
        return true
    }

    /// The machine has slept: programs that wait for their restart start soon.
    mutating func restartStreams(_ now: Moment) {
        for (widget, entry) in entries.dictionary
        where entry.plan.stays && entry.awaitsDueTime && entry.stream.run == nil {
            entries[widget]?.stream.forgetEnds()
            let soon = now.boot + Self.wakeDelay
            guard entry.due.time > soon, !entry.due.isStatedWait else { continue }
            entries[widget]?.due.putOff(to: soon)
            updateQueue(for: widget)
        }
    }
}
