// SPDX-License-Identifier: MIT
import JSON
import QueryService
import Reactor
import TodayModel
import Varlink

/// A backend whose widgets a test sets. It records the calls that it gets.
@LoopActor
final class MemoryBackend: Backend {
    var order: [WidgetID] = []
    var shown: [WidgetID: ShownItem] = [:]
    var flags: [WidgetID: Bool] = [:]
    var groups: [AppGroup: JSONObject] = [:]
    var looks: [[WidgetID]] = []
    /// How many jobs posted to the loop at earlier looks had run by then.
    var looksBefore: [Int] = []
    private var posted = 0
    /// The widgets that hosts follow, as the service has told.
    var followed: Set<WidgetID> = []
    var lookChanges = 0
    var requests: [Change] = []
    var interactions: [Interaction] = []
    /// What `Update` answers at once, by widget; `started` where the test sets nothing.
    var updateAnswers: [WidgetID: UpdateAnswer.Answer] = [:]
    weak var listener: (any UpdateListener)? { didSet { if listener != nil { listened += 1 } } }
    var listened = 0
    /// The refusal with which changes complete.
    var refusal: Refusal?
    /// What the machine's policy says, if there is one; nil lets the client wait.
    var policy: ((PolicyQuestion) -> PolicyAnswer?)?
    private(set) var questions: [PolicyQuestion] = []
    private(set) var questionsTakenBack = 0
    var mayChange = true
    /// The subjects for which clients needed permission.
    var asked: [ChangeSubject] = []
    var askers: [PeerCredentials] = []
    /// How often the service asked whether a client belongs to a run, and for the values of a group.
    var runQuestions = 0
    var groupQuestions = 0
    var catchUps = 0
    /// Changes on disk that `catchUp` finds.
    var onCatchUp: () -> Void = {}
    var history: [RunRecord] = []
    var displayName = "N"
    /// The answers that the listener gets before an update or an interaction returns.
    var earlyAnswers: [UpdateAnswer] = []
    var clientsAreWidgets = false
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

    /// Completes the last changes once more, which no method should do.
    func completeAgain() { for item in completed { item() } }

    private func complete(_ change: Change, _ then: @escaping Completion<Void>) {
        let work: @LoopActor () -> Void = { [weak self] in
            guard let self else { return }
            if let refusal { return then(.failure(refusal)) }
            requests.append(change)
            if case .choice(let id, .hasContent(let flag)) = change { flags[id] = flag }
            then(.success(()))
        }
        guard holdsCompletions else { return work() }
        held.append(work)
        onHeld()
    }

    private func start(_ widgets: [WidgetID], _ listener: (any UpdateListener)?) -> [UpdateAnswer] {
        self.listener = listener
        for answer in earlyAnswers { listener?.receive(answer) }
        return widgets.map { UpdateAnswer(id: $0, answer: updateAnswers[$0] ?? .started) }
    }

    // MARK: Backend

    func catchUp() {
        catchUps += 1
        onCatchUp()
    }
    func widgets() -> [WidgetID] { order }
    func hasWidget(_ id: WidgetID) -> Bool { shown[id] != nil }
    func item(_ id: WidgetID) -> ShownItem? { shown[id] }
    func defaults(of group: AppGroup) -> JSONObject? {
        groupQuestions += 1
        return groups[group]
    }
    func hostLooked(at widgets: [WidgetID]) {
        looks.append(widgets)
        looksBefore.append(posted)
        EventLoop.shared.post { [weak self] in self?.posted += 1 }
    }
    func looksChanged(began: Set<WidgetID>, ended: Set<WidgetID>) {
        followed = followed.union(began).subtracting(ended)
        lookChanges += 1
    }
    func mayChange(_ subject: ChangeSubject, peer: PeerCredentials) -> Bool {
        asked.append(subject)
        askers.append(peer)
        return mayChange
    }
    func hasPolicy(for peer: PeerCredentials) -> Bool { policy != nil }
    func askPolicy(
        _ question: PolicyQuestion, then: @escaping @LoopActor (PolicyAnswer) -> Void
    ) -> @LoopActor () -> Void {
        questions.append(question)
        EventLoop.shared.post { [policy] in if let answer = policy?(question) { then(answer) } }
        return { [weak self] in self?.questionsTakenBack += 1 }
    }
    func isOfRun(_ peer: PeerCredentials) -> Bool {
        runQuestions += 1
        return clientsAreWidgets
    }

    func daemonStatus() -> DaemonStatus {
        DaemonStatus(
            version: "1.2", instance: .user, pid: 7, started: WallTime(microseconds: 5), socket: "/s",
            stateDirectory: "/d")
    }

    func status(of id: WidgetID) -> WidgetStatus? {
        guard order.contains(id) else { return nil }
        var status = WidgetStatus(id: id.text, name: displayName, state: .ready)
        status.history = history
        return status
    }
}

/// Methods of each kind of answer, in the words of org.todayd.Today: changes that complete later, runs, and what is read
/// at once.
extension MemoryBackend {
    var methods: [Method] {
        [
            change("Enable") { widget, _ in .choice(widget, .enabled(true)) },
            change("Disable") { widget, _ in .choice(widget, .enabled(false)) },
            change("SetHasContent", ["hasContent"]) { widget, call throws(VarlinkError) in
                .choice(widget, .hasContent(try call.parameters.bool("hasContent")))
            },
            Method("HasContent", ["id"]) { [unowned self] call throws(VarlinkError) in
                .parameters(["hasContent": .bool(flags[try call.widget()] ?? true)])
            },
            Method("Update", ["id"]) { [unowned self] call throws(VarlinkError) in
                let widgets = try call.parameters.optionalString("id") == nil ? order : [try call.changeableWidget()]
                return try call.answer(streams: true, { ["answers": .array($0.map(\.json))] }) { [unowned self] in
                    start(widgets, $0)
                }
            },
            Method("PerformAction", ["id", "action"]) { [unowned self] call throws(VarlinkError) in
                let action = try call.parameters.string("action")
                let widget = try call.changeableWidget()
                return try call.answer({ ["answer": $0.first?.json ?? .null] }) { [unowned self] in
                    interactions.append(.action(action))
                    return start([widget], $0)
                }
            },
        ]
    }

    var contextMethods: [Method] {
        [
            Method("Describe") { call throws(VarlinkError) in .parameters(["id": .string(try call.own().text)]) },
            Method("SetHasContent", ["hasContent"]) { [unowned self] call throws(VarlinkError) in
                let change = Change.choice(try call.own(), .hasContent(try call.parameters.bool("hasContent")))
                return .afterwards { self.complete(change, $0) }
            },
            Method("HasContent") { [unowned self] call throws(VarlinkError) in
                .parameters(["hasContent": .bool(flags[try call.own()] ?? true)])
            },
            Method("GetDefaults", ["group"]) { call throws(VarlinkError) in call.defaults(of: try call.group()) },
            Method("SetDefaults", ["group", "key", "value"]) { [unowned self] call throws(VarlinkError) in
                let change = Change.defaults(
                    group: try call.group(), key: try call.parameters.string("key"),
                    value: try call.parameters.boxedValue("value"), writer: try call.own())
                return .afterwards { self.complete(change, $0) }
            },
        ]
    }

    private func change(
        _ name: String, _ parameterNames: [String] = [],
        _ read: @escaping @LoopActor @Sendable (WidgetID, MethodCall) throws(VarlinkError) -> Change
    ) -> Method {
        Method(name, ["id"] + parameterNames) { [unowned self] call throws(VarlinkError) in
            let change = try read(try call.changeableWidget(), call)
            return .afterwards { self.complete(change, $0) }
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
