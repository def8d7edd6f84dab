// SPDX-License-Identifier: MIT
import JSON
import QueryService
import Reactor
import TodayModel

/// A backend whose widgets a test sets. It records the calls that it gets.
@LoopActor
final class MemoryBackend: Backend {
    var order: [WidgetID] = []
    var shown: [WidgetID: ShownItem] = [:]
    var flags: [WidgetID: Bool] = [:]
    var groups: [AppGroup: JSONObject] = [:]
    var ownGroups: [AppGroup] = []
    var ownSettings: [String: String] = [:]
    var declared: [SettingStatus] = []
    /// What clients have set of settings: `NAME=value`, and `NAME` for what they have removed.
    var settingsSet: [[String]] = []
    var largestModes: [WidgetID: DisplayMode] = [:]
    var looks: [[WidgetID]] = []
    /// How many jobs posted to the loop at earlier looks had run by then.
    var looksBefore: [Int] = []
    private var posted = 0
    /// The widgets that hosts follow, as the service has told.
    var followed: Set<WidgetID> = []
    var lookChanges = 0
    var sizes = DisplaySizes.standard
    var requests: [Change] = []
    var interactions: [Interaction] = []
    var lockedInteractions = 0
    var reloads = 0
    /// What `update` answers at once, by widget; `started` where the test sets nothing.
    var updateAnswers: [WidgetID: UpdateAnswer.Answer] = [:]
    weak var listener: (any UpdateListener)? { didSet { if listener != nil { listened += 1 } } }
    var listened = 0
    /// The refusal with which changes complete.
    var refusal: Refusal?
    var mayChange = true
    /// The subjects for which clients needed permission.
    var asked: [ChangeSubject] = []
    var askers: [PeerCredentials] = []
    /// How often the service asked whether a client belongs to a run, for an item, and for the values of a group.
    var runQuestions = 0
    var itemQuestions = 0
    var groupQuestions = 0
    var catchUps = 0
    /// Changes on disk that `catchUp` finds.
    var onCatchUp: () -> Void = {}
    var history: [RunRecord] = []
    var numbers = History()
    /// The widgets whose status the service asked for, and what happens then.
    var statusQuestions: [WidgetID] = []
    var onStatusQuestion: () -> Void = {}
    var displayName = "N"
    /// The answers that the listener gets before an update or an interaction returns.
    var earlyAnswers: [UpdateAnswer] = []
    var clientsAreWidgets = false
    /// The widget to which every client belongs.
    var client: WidgetID?
    /// Whether changes wait until the test completes them.
    var holdsCompletions = false
    private var held: [@LoopActor () -> Void] = []
    private var completed: [@LoopActor () -> Void] = []
    let onHeld: @Sendable () -> Void

    init(onHeld: @escaping @Sendable () -> Void = {}) { self.onHeld = onHeld }

    func put(_ item: Item, validUntil: BootTime? = nil) {
        if shown[item.id] == nil { order.append(item.id) }
        shown[item.id] = ShownItem(item, validUntil: validUntil)
        if flags[item.id] == nil { flags[item.id] = true }
    }

    func remove(_ id: WidgetID) {
        order.removeAll { $0 == id }
        shown[id] = nil
        flags[id] = nil
    }

    func completeHeld() {
        completed = held
        held = []
        for item in completed { item() }
    }

    /// Completes the last changes once more, which no backend should do.
    func completeAgain() { for item in completed { item() } }

    private func complete<Success>(
        _ then: @escaping Completion<Success>, _ success: @escaping @LoopActor () -> Success
    ) {
        let work: @LoopActor () -> Void = { [weak self] in
            if let refusal = self?.refusal { then(.failure(refusal)) } else { then(.success(success())) }
        }
        guard holdsCompletions else { return work() }
        held.append(work)
        onHeld()
    }

    // MARK: Backend

    func catchUp() {
        catchUps += 1
        onCatchUp()
    }
    func widgets() -> [WidgetID] { order }
    func position(of id: WidgetID) -> Int { order.firstIndex(of: id) ?? -1 }
    func neighbours(of id: WidgetID, for placement: Placement) -> [WidgetID] { order.filter { $0 != id } }
    let now = WallTime(microseconds: 1_000)
    func numbers(of id: WidgetID) -> History { numbers }
    func item(_ id: WidgetID) -> ShownItem? {
        itemQuestions += 1
        return shown[id]
    }
    func hasContent(_ id: WidgetID) -> Bool? { flags[id] ?? (item(id) == nil ? nil : true) }
    func defaults(of group: AppGroup) -> JSONObject? {
        groupQuestions += 1
        return groups[group]
    }
    func settings(of id: WidgetID) throws(Refusal) -> [SettingStatus] {
        if let refusal { throw refusal }
        return declared
    }
    func picture(_ name: String, of id: WidgetID) throws(Refusal) -> String {
        if let refusal { throw refusal }
        return "\(name) of \(id)"
    }
    func launch(of command: [String], of id: WidgetID) throws(Refusal) -> CommandLaunch {
        if let refusal { throw refusal }
        return CommandLaunch(directory: "/of/\(id)", environment: ["COMMAND": command.joined(separator: "|")])
    }
    func hostLooked(at widgets: [WidgetID]) {
        looks.append(widgets)
        looksBefore.append(posted)
        EventLoop.shared.post { [weak self] in self?.posted += 1 }
    }
    func mayChange(_ subject: ChangeSubject, peer: PeerCredentials) -> Bool {
        asked.append(subject)
        askers.append(peer)
        return mayChange
    }
    func isOfRun(_ peer: PeerCredentials) -> Bool {
        runQuestions += 1
        return clientsAreWidgets
    }
    func widget(of peer: PeerCredentials) -> WidgetID? { client }

    func description(of widget: WidgetID) -> WidgetDescription? {
        shown[widget].map {
            WidgetDescription(
                mode: $0.item.mode, largestMode: largestModes[widget] ?? .expanded, sizes: sizes,
                groups: ownGroups, schemes: ["example"], settings: ownSettings)
        }
    }
    func setLargestDisplayMode(_ mode: DisplayMode, of widget: WidgetID, context: SessionID) {
        largestModes[widget] = mode
    }
    func looksChanged(began: Set<WidgetID>, ended: Set<WidgetID>) {
        followed = followed.union(began).subtracting(ended)
        lookChanges += 1
    }
    func refusal(ofOpening url: String, for widget: WidgetID) -> String? {
        url.hasPrefix("example:") ? nil : "not declared"
    }
    func openURL(_ url: String, for widget: WidgetID) -> String? { refusal(ofOpening: url, for: widget) }

    func daemonStatus() -> DaemonStatus {
        DaemonStatus(
            version: "1.2", instance: .user, pid: 7, started: WallTime(microseconds: 5), socket: "/s",
            stateDirectory: "/d")
    }

    func widgetStatus(of id: WidgetID) -> WidgetStatus? {
        statusQuestions.append(id)
        onStatusQuestion()
        guard order.contains(id) else { return nil }
        var status = WidgetStatus(id: id.text, name: displayName, state: .ready)
        status.history = history
        return status
    }

    func change(_ change: Change, then: @escaping Completion<Void>) {
        complete(then) {
            self.requests.append(change)
            if case .choice(let id, .hasContent(let flag)) = change { self.flags[id] = flag }
        }
    }

    func setSettings(
        _ texts: [(name: String, text: String)], unset: [String], of id: WidgetID, then: @escaping Completion<Void>
    ) {
        complete(then) { self.settingsSet.append(texts.map { "\($0.name)=\($0.text)" } + unset) }
    }

    func update(
        _ id: WidgetID?, listener: (any UpdateListener)?
    ) -> [UpdateAnswer] {
        self.listener = listener
        for answer in earlyAnswers { listener?.receive(answer) }
        return (id.map { [$0] } ?? order).map { UpdateAnswer(id: $0, answer: updateAnswers[$0] ?? .started) }
    }

    func perform(
        _ interaction: Interaction, of id: WidgetID,
        listener: (any UpdateListener)?
    ) -> Result<UpdateAnswer, Refusal> {
        if let refusal { return .failure(refusal) }
        interactions.append(interaction)
        if case .action(_, isLocked: true) = interaction { lockedInteractions += 1 }
        self.listener = listener
        for answer in earlyAnswers { listener?.receive(answer) }
        return .success(UpdateAnswer(id: id, answer: updateAnswers[id] ?? .started))
    }

    func reload(then: @escaping Completion<ReloadResult>) {
        complete(then) {
            self.reloads += 1
            return ReloadResult(widgets: 2, complaints: ["a.widget:3: unknown key"])
        }
    }
}

extension WidgetID {
    static let disk = WidgetID("org.example.disk") ?? placeholder
    static let load = WidgetID("org.example.load") ?? placeholder
    private static var placeholder: WidgetID { preconditionFailure("not an identifier") }

    static func numbered(_ number: Int) -> WidgetID { WidgetID("org.example.w\(number)") ?? placeholder }
}

extension Item {
    /// An item that shows a text.
    static func showing(_ text: String, _ id: WidgetID = .disk, at points: [ExtensionPoint] = [.today]) -> Item {
        var item = Item(id: id, name: "Name", points: points, position: 0, state: .ready)
        item.content = Content(text: text)
        return item
    }
}
