// SPDX-License-Identifier: MIT
import QueryService
import Reactor
import Runner
import TodayModel

@testable import TodayDaemon

@LoopActor
final class SimulatedMonth {
    private(set) var faults: [String] = []
    private(set) var runs = 0
    private(set) var kills = 0
    private(set) var events = 0
    private(set) var checks = (own: 0, pushed: 0, draft: 0, laterEntries: 0, wasBehind: 0)

    private let machine: SimulatedMachine
    private var random: RandomNumbers
    private var widgets: [WidgetID: SimulatedWidget] = [:]
    private let ids: [WidgetID]
    /// The value that the widgets of each group draw.
    private var values: [AppGroup: Int64] = [:]
    /// The setting of each widget, which it draws with the value of its group.
    private var settings: [WidgetID: Int64] = [:]
    /// The value that each run has read when it began.
    private var read: [UInt64: Int64] = [:]
    private var count = 0
    /// The runs that begin before the test knows which answers have survived a kill.
    private var begunAtBoot: [RunRequest] = []
    private var isBooting = false

    init(seed: UInt64, widgets number: Int) throws {
        random = RandomNumbers(seed: seed)
        var manifests: [(name: String, text: String)] = []
        var ids: [WidgetID] = []
        for index in 0..<number {
            guard let id = WidgetID("org.test.w\(index)"), let group = AppGroup("group.g\(index / 10)") else {
                continue
            }
            ids.append(id)
            widgets[id] = SimulatedWidget(id: id, group: group)
            values[group] = 0
            manifests.append(
                (
                    "\(id).widget",
                    """
                    [Widget]
                    AllowsEditing=yes
                    LargestDisplayMode=expanded
                    AppGroups=\(group)
                    [Update]
                    ExecStart=/bin/true
                    Protocol=\(index % 2 == 0 ? "json" : "varlink")
                    Interval=\(1 + index % 12)h
                    [Settings]
                    NUMBER=number default=0
                    """
                ))
        }
        self.ids = ids
        machine = try SimulatedMachine(manifests, configuration: "[Daemon]\nConcurrencyMax=32\n")
        machine.onStart = { [unowned self] in began($0) }
    }

    func run(for span: TimeSpan) async throws {
        await machine.settle()
        let end = machine.now.boot + span
        while machine.now.boot < end, faults.isEmpty {
            try await something()
            await endRuns()
            check()
        }
        await quiet()
    }

    // MARK: What happens

    private func something() async throws {
        events += 1
        guard let id = ids.randomElement(using: &random), let widget = widgets[id] else { return }
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<15: await machine.pass(.seconds(Int64.random(in: 1...120, using: &random)))
        case 15..<40: await machine.pass(.minutes(Int64.random(in: 1...90, using: &random)))
        case 45..<48: await machine.pass(.hours(Int64.random(in: 1...9, using: &random)), asleep: true)
        case 48..<49: await machine.setClock(by: .minutes(Int64.random(in: -90...90, using: &random)))
        case 49..<56: await write(widget.group)
        case 56..<59: await set(id)
        case 59..<66: await hide(widget)
        case 66..<70: await disable(widget)
        case 70..<78: await push(widget)
        case 78..<82: await takeBack(widget)
        case 40..<45, 82..<92: await edit(widget)
        case 92..<96: await press(widget)
        case 96..<98: await quiet()
        default: try await kill()
        }
    }

    private func write(_ group: AppGroup) async {
        let value = (values[group] ?? 0) + 1
        values[group] = value
        if let refusal = await machine.change(.defaults(group: group, key: "value", value: .int(value), writer: nil)) {
            faults.append("defaults refused: \(refusal)")
        }
    }

    private func set(_ id: WidgetID) async {
        let value = random.chance(80) ? Int64.random(in: 1..<1_000, using: &random) : nil
        settings[id] = value
        await machine.change(.settings(id, ["NUMBER": value.map { SettingValue("\($0)") }]))
    }

    /// What a widget draws that is not behind.
    private func value(of widget: SimulatedWidget) -> Int64 {
        (values[widget.group] ?? 0) * 1_000 + (settings[widget.id] ?? 0)
    }

    private func hide(_ widget: SimulatedWidget) async {
        if widget.isHidden { widgets[widget.id]?.isHidden = false }
        await machine.change(.choice(widget.id, .hasContent(widget.isHidden)))
        // The widget may begin to run until the change is acknowledged.
        if !widget.isHidden { obstruct(widget.id) { $0.isHidden = true } }
    }

    private func disable(_ widget: SimulatedWidget) async {
        if widget.isDisabled { widgets[widget.id]?.isDisabled = false }
        await machine.change(.choice(widget.id, .enabled(widget.isDisabled)))
        if !widget.isDisabled { obstruct(widget.id) { $0.isDisabled = true } }
    }

    private func obstruct(_ id: WidgetID, _ change: (inout SimulatedWidget) -> Void) {
        guard var widget = widgets[id] else { return }
        change(&widget)
        widget.edited = nil
        widgets[id] = widget
    }

    private func push(_ widget: SimulatedWidget) async {
        count += 1
        let content = Content(text: "pushed \(count)")
        let ttl: TimeSpan? = random.chance(70) ? .minutes(Int64.random(in: 1...600, using: &random)) : nil
        let now = machine.now.wall
        widgets[widget.id]?.pushed = (content, now, ttl.map { now + $0 })
        await machine.push(content, to: widget.id, for: ttl)
    }

    private func takeBack(_ widget: SimulatedWidget) async {
        widgets[widget.id]?.pushed = nil
        await machine.change(.takeBack(widget.id))
    }

    private func edit(_ widget: SimulatedWidget) async {
        guard widget.mayRun else { return }
        if isEdited(widget) {
            widgets[widget.id]?.edited = nil
            await machine.perform(.endEditing(isCancelled: random.chance(50)), of: widget.id)
            if random.chance(30) { await begin(widget) }
        } else {
            await begin(widget)
        }
    }

    private func begin(_ widget: SimulatedWidget) async {
        widgets[widget.id]?.edited = (machine.now.boot, nil)
        await machine.perform(.beginEditing, of: widget.id)
    }

    private func press(_ widget: SimulatedWidget) async {
        guard widget.mayRun, let item = machine.item(widget.id), let action = item.content?.actions.first else {
            return
        }
        if isEdited(widget) { widgets[widget.id]?.edited?.touched = machine.now.boot }
        await machine.perform(.action(action), of: widget.id)
    }

    private func kill() async throws {
        kills += 1
        read = [:]
        for id in ids {
            widgets[id]?.edited = nil
            widgets[id]?.placeholder = nil
        }
        isBooting = true
        try await machine.kill()
        isBooting = false
        for id in ids {
            // Acknowledged changes are there; the widget's last own answers may be lost.
            let layers = machine.daemon.store.layers(of: id)
            let own = layers.own.map {
                SimulatedWidget.Answer(content: $0.content, taken: $0.taken, confirmed: $0.confirmed)
            }
            if widgets[id]?.earlier.contains(own) != true { faults.append("\(id) came back as it never was") }
            widgets[id]?.own = own
            widgets[id]?.earlier = [own]
            widgets[id]?.lastRunFailed = machine.daemon.store.lastUpdate(of: id)?.result == .failed
        }
        for request in begunAtBoot {
            if let widget = widgets[request.widget] { checkIsKnown(request, widget) }
        }
        begunAtBoot = []
    }

    // MARK: Runs

    private func began(_ request: RunRequest) {
        runs += 1
        guard let widget = widgets[request.widget] else { return }
        if !widget.mayRun { faults.append("\(request.widget) runs, though it is hidden or disabled") }
        if isBooting { begunAtBoot.append(request) } else { checkIsKnown(request, widget) }
        let setting = request.settings["NUMBER"].flatMap { Int64($0) } ?? -1
        read[request.run] = (values[widget.group] ?? 0) * 1_000 + setting
        if request.reason == .behind { checks.wasBehind += 1 }
    }

    private func checkIsKnown(_ request: RunRequest, _ widget: SimulatedWidget) {
        if (request.previous != nil) != (widget.own != nil) {
            faults.append("\(request.widget) is wrongly told that it is known")
        }
    }

    /// Ends most runs at once, and some after the next event.
    private func endRuns(all: Bool = false, failing: Bool = true) async {
        var rounds = 0
        while rounds < 40 {
            rounds += 1
            let ending = machine.runner.running.keys.sorted().filter { _ in all || random.chance(85) }
            if ending.isEmpty { return }
            for run in ending { await end(run, failing: failing) }
        }
    }

    private func end(_ run: UInt64, failing: Bool) async {
        guard let request = machine.runner.running[run]?.request, let widget = widgets[request.widget] else { return }
        let (result, ask) = answer(request, failing: failing)
        apply(result, of: request, to: widget)
        // The daemon may continue only afterwards, because it then begins other runs.
        await machine.finish(run, result, nextAsk: ask)
    }

    private func answer(_ request: RunRequest, failing: Bool) -> (RunOutcome.Result, NextAsk?) {
        if failing, random.chance(12) {
            return (.failed("no network"), random.chance(30) ? .wait(.minutes(16)) : nil)
        }
        let value = read[request.run] ?? -1
        let isOld = request.previous.map { Self.value(of: $0.content) != value } ?? true
        if !isOld, request.interaction == nil, random.chance(40) { return (.noData, nil) }
        count += 1
        var content = Content(text: "\(request.isEditing ? "editor" : "own") \(count) value \(value)")
        content.compact = .button(.init(title: "press", action: "press"))
        if !request.isEditing, random.chance(40) {
            content.timeline = Timeline(
                (1...4).map { index in
                    var later = Content(text: "own \(count) value \(value) entry \(index)")
                    later.compact = content.compact
                    return Timeline.Entry(date: machine.now.wall + .minutes(Int64(index) * 50), content: later)
                }, policy: [.end, .never, .after(machine.now.wall + .hours(5))].randomElement(using: &random) ?? .end)
        }
        return (.newData(content), content.nextAsk)
    }

    /// `own 12 value 7 entry 1`
    private static func value(of content: Content) -> Int64? {
        let words = content.text.split(separator: " ")
        return words.count > 3 ? Int64(words[3]) : nil
    }

    private func apply(_ result: RunOutcome.Result, of request: RunRequest, to widget: SimulatedWidget) {
        let id = widget.id
        let isFailure = if case .failed = result { true } else { false }
        // Content that is drawn during editing belongs to the editor.
        let isUpdate = request.interaction == nil && (isFailure || !request.isEditing)
        let now = machine.now.wall
        if isUpdate { widgets[id]?.lastRunFailed = isFailure }
        switch result {
        case .failed:
            if request.interaction == .beginEditing { widgets[id]?.edited = nil }
        case .noData:
            if isUpdate { widgets[id]?.own?.confirmed = now }
        case .newData(let content):
            if request.isEditing {
                if widget.edited != nil { widgets[id]?.edited?.content = content }
            } else if isUpdate {
                widgets[id]?.own = .init(content: content, taken: now, confirmed: now)
            } else if widget.own != nil {
                widgets[id]?.own?.content = content
            } else {
                widgets[id]?.placeholder = content
            }
        }
        if widgets[id]?.own != nil { widgets[id]?.placeholder = nil }
        let own = widgets[id]?.own
        widgets[id]?.earlier.append(own)
    }

    // MARK: What holds

    private func isEdited(_ widget: SimulatedWidget) -> Bool {
        widget.edited.map { $0.touched + .minutes(5) > machine.now.boot } ?? false
    }

    private func check() {
        for id in ids {
            guard let widget = widgets[id], let item = machine.item(id) else { continue }
            if !isEdited(widget) { widgets[id]?.edited = nil }
            let now = machine.now.wall
            var expected: (text: String, taken: WallTime?, confirmed: WallTime?)?
            if isEdited(widget), let content = widget.edited?.content {
                expected = (content.text, widget.own?.taken, widget.own?.confirmed)
                checks.draft += 1
            } else if let pushed = widget.pushed, pushed.expires.map({ $0 > now }) ?? true {
                expected = (pushed.content.text, pushed.taken, pushed.taken)
                checks.pushed += 1
            } else if let own = widget.own {
                let entry = own.content.timeline?.entries.last { $0.date <= now }
                expected = (entry?.content.text ?? own.content.text, own.taken, own.confirmed)
                checks.own += 1
                if entry != nil { checks.laterEntries += 1 }
            } else if let placeholder = widget.placeholder {
                expected = (placeholder.text, nil, nil)
            }
            if item.content?.text != expected?.text {
                faults.append(
                    "\(id) shows \(item.content?.text ?? "nothing") instead of \(expected?.text ?? "nothing")")
            }
            if (item.taken, item.confirmed) != (expected?.taken, expected?.confirmed) {
                faults.append(
                    "\(id) is \(String(describing: item.taken)) instead of \(String(describing: expected?.taken))")
            }
            if item.isEdited != isEdited(widget) { faults.append("\(id) is wrongly said to be edited or not") }
            let state: WidgetState? = widget.isDisabled ? .disabled : widget.isHidden ? .hidden : nil
            if let state, item.state != state { faults.append("\(id) is \(item.state) instead of \(state)") }
            if state == nil, (item.state == .failing) != widget.lastRunFailed {
                faults.append(
                    "\(id) is \(item.state), and its last run \(widget.lastRunFailed ? "failed" : "succeeded")")
            }
        }
    }

    /// For a while no events happen and all runs succeed: then no widget that may run is behind.
    private func quiet() async {
        // A widget that fails is retried at its own time.
        let failing = Set(ids.filter { widgets[$0]?.lastRunFailed == true })
        // Shorter than any interval.
        for _ in 0..<20 {
            await machine.pass(.minutes(1))
            await endRuns(all: true, failing: false)
        }
        check()
        for id in ids {
            guard let widget = widgets[id], widget.mayRun, !failing.contains(id) else { continue }
            guard let own = widget.own, !isEdited(widget) else {
                faults.append("\(id) has no answer")
                continue
            }
            if Self.value(of: own.content) != value(of: widget) {
                let seen = machine.daemon.store.memory(of: id).seen.map { "\($0)" } ?? "nothing"
                faults.append(
                    "\(id) is behind: \(own.content.text), the value is \(value(of: widget)), seen \(seen)")
            }
        }
    }
}
