// SPDX-License-Identifier: MIT
import TodayModel

/// Decides what happens in the life of a stream's program, without a process, a pipe or a clock.
///
///     phase     event                  next phase
///     starting  an update is complete  staying: the run ends with it
///     starting  timed out              staying: the run ends, the program is silent
///     starting  dismissed              leaving: the run ends as that of a silent program
///     staying   dismissed              leaving
///     starting  broken, cancelled      leaving: the run fails when the program has ended
///     staying   broken, cancelled      leaving
///     any       ended                  over
///
/// Reading is paced: after each read the pipes rest for a while. A program that prints every millisecond therefore wakes the
/// daemon ten times a second, one that prints without end waits for the daemon, and while nothing is printed no timer runs. An
/// update that comes after a rest is reported at once; of those that come during a rest, the newest at its end.
struct StreamStateMachine: Sendable {
    enum Event: Sendable {
        /// The program has printed something, which may have completed an update.
        case printed(isUpdate: Bool)
        /// The rest is over.
        case rested
        /// The result of reading after a rest: whether there was anything, and whether it or the silence has completed an
        /// update.
        case looked(found: Bool, isUpdate: Bool)
        case timedOut
        /// The program has printed something that ends it.
        case broken(String)
        case cancelled(String)
        /// The program is no longer needed, which is not a failure.
        case dismissed(String)
        case ended
    }

    enum Action: Hashable, Sendable {
        /// Read neither pipe, and report `rested` after this time.
        case rest(TimeSpan)
        /// Read both pipes once, and report `looked`.
        case look
        /// Read the pipes whenever they have data.
        case watch
        /// Report the newest update: with it the run ends.
        case endRun
        /// Report that the run has ended without an update.
        case endRunInSilence
        /// Report the newest update.
        case update
        /// End the program.
        case end(String)
    }

    /// At most ten updates a second: people read no faster.
    static let rest = TimeSpan.milliseconds(100)

    private enum Phase: Hashable, Sendable { case starting, staying, leaving, over }

    private var phase = Phase.starting
    private var isResting = false
    /// An update came during the rest.
    private var hasNews = false
    /// Whether the run still waits for its end.
    private(set) var isRunOpen = true
    /// Whether updates count: the program is not being ended.
    var isListening: Bool { phase == .starting || phase == .staying }
    /// Why the daemon ends the program, which has not failed.
    private(set) var cause: String?

    mutating func handle(_ event: Event) -> [Action] {
        switch event {
        case .printed(let isUpdate): return handlePrinted(isUpdate)
        case .rested: return phase == .over ? [] : [.look]
        case .looked(let found, let isUpdate): return handleLooked(found, isUpdate)
        case .timedOut:
            guard phase == .starting else { return [] }
            return endRunInSilence()
        case .broken(let reason), .cancelled(let reason):
            guard isListening else { return [] }
            if case .cancelled = event, !isRunOpen { cause = reason }
            phase = .leaving
            return [.end(reason)]
        case .dismissed(let reason):
            guard isListening else { return [] }
            cause = reason
            let silence = isRunOpen ? endRunInSilence() : []
            phase = .leaving
            return silence + [.end(reason)]
        case .ended:
            phase = .over
            return []
        }
    }

    /// What to do with the last update of a program that has ended, before its end is reported.
    mutating func reportLast() -> [Action] { report() }

    private mutating func handlePrinted(_ isUpdate: Bool) -> [Action] {
        if isResting {
            hasNews = hasNews || isUpdate
            return []
        }
        isResting = true
        return (isUpdate ? report() : []) + [.rest(Self.rest)]
    }

    private mutating func handleLooked(_ found: Bool, _ isUpdate: Bool) -> [Action] {
        guard phase != .over else { return [] }
        if hasNews || isUpdate {
            hasNews = false
            return report() + [.rest(Self.rest)]
        }
        if found { return [.rest(Self.rest)] }
        isResting = false
        return [.watch]
    }

    private mutating func report() -> [Action] {
        switch phase {
        case .starting:
            (phase, isRunOpen) = (.staying, false)
            return [.endRun]
        case .staying: return [.update]
        case .leaving, .over: return []
        }
    }

    private mutating func endRunInSilence() -> [Action] {
        (phase, isRunOpen) = (.staying, false)
        return [.endRunInSilence]
    }
}
