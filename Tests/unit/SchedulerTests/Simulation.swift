// SPDX-License-Identifier: MIT
import TodayModel

@testable import Scheduler

/// A timetable with a clock of its own: time passes from deadline to deadline, and runs take as long as the test says.
struct Simulation {
    struct Start: Equatable {
        var seconds: Int
        var widget: String
        var reason: RunReason
    }

    var timetable: Timetable
    var now = Moment(
        boot: BootTime(microseconds: 1_000_000_000), awake: AwakeTime(microseconds: 1_000_000_000),
        wall: WallTime(microseconds: 1_700_000_000_000_000))
    private let beginning: BootTime
    /// How long each run takes; nil runs until the test ends it.
    var duration: TimeSpan? = .milliseconds(100)
    var succeeds: (RunTicket) -> Bool = { _ in true }
    private(set) var starts: [(ticket: RunTicket, at: BootTime)] = []
    private(set) var drops: [(ticket: RunTicket, reason: String)] = []
    /// How often the timetable was advanced.
    private(set) var advances = 0
    private var isStart = true
    private var ends: [(at: BootTime, ticket: RunTicket)] = []

    init(concurrency: Int = 4) {
        timetable = Timetable(concurrency: concurrency)
        beginning = now.boot
    }

    /// The starts so far, in whole seconds since the beginning.
    var log: [Start] {
        starts.map {
            Start(seconds: seconds($0.at), widget: $0.ticket.widget.text, reason: $0.ticket.reason)
        }
    }

    var tickets: [RunTicket] { starts.map(\.ticket) }

    func seconds(_ time: BootTime) -> Int { Int((time - beginning).microseconds / 1_000_000) }

    mutating func add(
        _ name: String, every interval: TimeSpan? = .minutes(1), stored: StoredAnswer? = nil, obstacle: String? = nil,
        updateOnAppear: TimeSpan? = nil
    ) {
        var plan = plan(every: interval)
        plan.updateOnAppear = updateOnAppear
        add(name, plan, stored: stored, obstacle: obstacle)
    }

    /// Adds a widget, or changes its plan. A widget that is added before the timetable is advanced is there at the daemon's
    /// start.
    mutating func add(
        _ name: String, _ plan: UpdatePlan, stored: StoredAnswer? = nil, notBefore: WallTime? = nil,
        obstacle: String? = nil
    ) {
        perform(
            timetable.add(
                id(name), plan, isStart: isStart, stored: stored, notBefore: notBefore, obstacle: obstacle, at: now))
    }

    mutating func request(_ name: String, reason: RunReason = .request, interaction: Interaction? = nil)
        -> RequestAnswer
    {
        isStart = false
        let (answer, actions) = timetable.request(id(name), reason: reason, interaction: interaction, at: now)
        perform(actions)
        return answer
    }

    mutating func markBehind(_ name: String, _ difference: UpdateInputs.Difference = .defaults) {
        timetable.markBehind(id(name), difference, at: now)
        advance()
    }

    mutating func setObstacle(_ obstacle: String?, of name: String) {
        perform(timetable.setObstacle(obstacle, of: id(name), at: now))
    }

    mutating func planUpdate(of name: String, in span: TimeSpan) {
        timetable.planUpdate(of: id(name), in: span, at: now)
    }

    func activity(of name: String) -> WidgetActivity? { timetable.activity(of: id(name), at: now) }

    func isStale(_ name: String) -> Bool { timetable.freshUntil(of: id(name)).map { $0 <= now.awake } ?? false }

    /// - Returns: whether a run has begun for it.
    @discardableResult
    mutating func appeared(_ name: String) -> Bool {
        isStart = false
        let actions = timetable.appeared(id(name), at: now)
        perform(actions)
        return actions.contains { if case .start(let ticket) = $0 { ticket.widget == id(name) } else { false } }
    }

    mutating func perform(_ actions: [Timetable.Action]) {
        for action in actions {
            switch action {
            case .start(let ticket):
                starts.append((ticket, now.boot))
                if let duration { ends.append((now.boot + duration, ticket)) }
            case .drop(let ticket, let reason): drops.append((ticket, reason))
            }
        }
    }

    @discardableResult
    mutating func finish(
        _ ticket: RunTicket, _ result: Timetable.RunResult = .content, nextAsk: NextAsk? = nil, stays: Bool = false
    ) -> Bool {
        let counts = timetable.finished(ticket.widget, run: ticket.run, result, nextAsk: nextAsk, stays: stays, at: now)
        advance()
        return counts
    }

    /// The program of a stream gives a further update.
    @discardableResult
    mutating func update(_ name: String, run: UInt64, _ result: Timetable.RunResult = .content) -> Bool {
        timetable.streamUpdated(id(name), run: run, result, at: now)
    }

    /// The program of a stream ends.
    @discardableResult
    mutating func end(_ name: String, run: UInt64, isFailure: Bool) -> Bool {
        let counts = timetable.streamEnded(id(name), run: run, isFailure: isFailure, at: now)
        advance()
        return counts
    }

    mutating func advance() {
        advances += 1
        isStart = false
        perform(timetable.advance(to: now))
    }

    /// Lets time pass, and advances the timetable at its deadlines and when a run ends.
    mutating func pass(_ span: TimeSpan) {
        let end = now.boot + span
        advance()
        while true {
            let deadline = timetable.nextDeadline?.at
            let next = min(deadline ?? end, ends.map(\.at).min() ?? end)
            guard next < end else { break }
            move(next)
            for ended in ends where ended.at <= now.boot {
                _ = timetable.finished(
                    ended.ticket.widget, run: ended.ticket.run, succeeds(ended.ticket) ? .content : .failure, at: now)
            }
            ends.removeAll { $0.at <= now.boot }
            advance()
        }
        move(end)
    }

    /// Lets time pass without advancing the timetable.
    mutating func lapse(_ span: TimeSpan) { move(now.boot + span) }

    /// Lets the machine sleep.
    mutating func sleep(_ span: TimeSpan) {
        now.boot = now.boot + span
        now.wall = now.wall + span
    }

    private mutating func move(_ time: BootTime) {
        let step = time - now.boot
        guard step > .zero else { return }
        now = Moment(boot: time, awake: now.awake + step, wall: now.wall + step)
    }
}

func id(_ name: String) -> WidgetID {
    guard let id = WidgetID("org.test.\(name)") else { preconditionFailure("\(name) is not a label") }
    return id
}

/// The period of a widget that has an interval.
func period(of interval: TimeSpan, _ name: String) -> TimeSpan {
    Cadence(interval: interval, widget: id(name)).period ?? .zero
}

func plan(every interval: TimeSpan? = .minutes(1)) -> UpdatePlan {
    UpdatePlan(command: ["/bin/true"], contentProtocol: .text, interval: interval)
}
