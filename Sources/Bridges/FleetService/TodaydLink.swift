// SPDX-License-Identifier: MIT
import FleetProtocol
import JSON
import LoopLink
import Reactor
import TodayModel

/// What today-fleet asks of todayd: to list the fleet's widgets, to run them, and to take what the fleet has accepted.
@LoopActor
final class TodaydLink {
    enum Event {
        case offers([FleetOffer], defaults: [AppGroup: JSON], isNew: Bool)
        case wanted([WidgetID])
        case lost(String)
    }

    struct Refusal: Error, CustomStringConvertible {
        let description: String
    }

    /// What todayd is told about a widget.
    struct News {
        var parameters: JSONObject

        init(_ record: FleetRecord, age: TimeSpan, revision: Int64) {
            parameters = [
                "member": .string(record.member.name), "revision": .int(revision),
                "age": .int(max(0, age.microseconds)),
            ]
            parameters["content"] = record.content
            if record.kind == .failed {
                parameters["failure"] = .string("\(record.member.name): \(record.failure ?? "failed")")
            }
            parameters["wait"] = record.wait.map { .int($0.microseconds) }
        }

        init(failure: String, member: String) {
            parameters = ["member": .string(member), "revision": 0, "failure": .string(failure)]
        }
    }

    private struct Topic: Hashable {
        let method: String
        let id: WidgetID
    }

    private struct Telling {
        let parameters: JSONObject
        let onRefusal: @LoopActor (Refusal) -> Void
    }

    var onEvent: @LoopActor (Event) -> Void = { _ in }

    private let path: String
    private var feed: TodayConnection?
    private var runs: [Int: TodayConnection] = [:]
    private var lastRun = 0
    /// The calls under way: one for each topic. Of those that come meanwhile, the last one follows it.
    private var underWay: [Topic: TodayConnection] = [:]
    private var next: [Topic: Telling] = [:]
    private var timer: TimerSource?
    private var wait = TimeSpan.seconds(1)
    private var isNew = true

    /// todayd itself ends a run that takes too long.
    private static let patienceForRuns: Int64 = 24 * 3_600

    init(_ path: String) throws {
        self.path = path
        timer = try TimerSource(.monotonic) { [weak self] in self?.follow() }
    }

    func follow() {
        isNew = true
        do {
            feed = try TodayConnection(to: path, "Fleet", [:], more: true) { [weak self] event in self?.take(event) }
        } catch {
            lose("\(error)")
        }
    }

    private func take(_ event: TodayConnection.Event) {
        switch event {
        case .reply(let reply): read(reply)
        case .end: lose("its stream has ended")
        case .failed(.unreachable(let reason)): lose(reason)
        case .failed(.refused(let error)): lose("\(error)")
        }
    }

    private func read(_ reply: JSONObject) {
        let field = JSONField(root: .object(reply))
        do throws(JSONMismatch) {
            if let widgets = try field.optional("widgets") {
                let offers = try [FleetOffer].read(widgets)
                wait = .seconds(1)
                var defaults: [AppGroup: JSON] = [:]
                for (name, values) in try field.required("defaults").members() {
                    if let group = AppGroup(name) { defaults[group] = values.value }
                }
                onEvent(.offers(offers, defaults: defaults, isNew: isNew))
                isNew = false
            }
            let wanted = try field.optional("wanted")?.strings() ?? []
            if !wanted.isEmpty { onEvent(.wanted(wanted.compactMap { WidgetID($0) })) }
        } catch {
            feed?.cancel()
            lose("\(error)")
        }
    }

    private func lose(_ reason: String) {
        feed = nil
        onEvent(.lost(reason))
        timer?.arm(after: wait.microseconds)
        wait = min(wait * 2, .seconds(15))
    }

    func stop() {
        timer?.cancel()
        feed?.cancel()
    }

    // MARK: Calls

    func run(_ id: WidgetID, then: @escaping @LoopActor (Result<FleetResult, Refusal>) -> Void) {
        lastRun += 1
        let number = lastRun
        func end(_ result: Result<FleetResult, Refusal>) {
            guard let connection = runs.removeValue(forKey: number) else { return }
            connection.cancel()
            then(result)
        }
        do {
            runs[number] = try TodayConnection(
                to: path, "RunForFleet", ["id": .string(id.text)], patience: Self.patienceForRuns
            ) { event in
                switch event {
                case .reply(let reply):
                    do throws(JSONMismatch) {
                        end(.success(try FleetResult(JSONField(root: .object(reply)))))
                    } catch {
                        end(.failure(Refusal(description: "\(error)")))
                    }
                case .failed(.refused(let error)): end(.failure(Refusal(description: "\(error)")))
                case .failed(.unreachable(let reason)): end(.failure(Refusal(description: reason)))
                case .end: end(.failure(Refusal(description: "todayd has not answered")))
                }
            }
        } catch {
            EventLoop.shared.post { then(.failure(Refusal(description: "\(error)"))) }
        }
    }

    /// Changes a value that all machines share.
    func take(_ name: SharedValues.Name, _ value: JSON, instead old: JSON?) {
        switch name {
        case .hasContent(let path): call("SetHasContent", ["id": .string(path.id.text), "hasContent": value])
        case .defaults(let group):
            let (new, old) = (value.objectValue ?? [:], old?.objectValue ?? [:])
            for key in Set(new.keys).union(old.keys).sorted() where new[key] != old[key] {
                var parameters: JSONObject = ["group": .string(group.text), "key": .string(key)]
                parameters["value"] = new[key]
                call("SetDefaults", parameters)
            }
        }
    }

    private func call(_ method: String, _ parameters: JSONObject) {
        lastRun += 1
        let number = lastRun
        runs[number] = try? TodayConnection(to: path, method, parameters) { [weak self] event in
            if case .reply = event { return }
            self?.runs.removeValue(forKey: number)?.cancel()
        }
    }

    func accept(_ news: News, of id: WidgetID) {
        tell(Topic(method: "AcceptFromFleet", id: id), Telling(parameters: news.parameters) { _ in })
    }

    func push(_ push: FleetPush, to id: WidgetID, onRefusal: @escaping @LoopActor (Refusal) -> Void) {
        tell(Topic(method: "Push", id: id), Telling(parameters: push.parameters, onRefusal: onRefusal))
    }

    private func tell(_ topic: Topic, _ telling: Telling) {
        guard underWay[topic] == nil else { return next[topic] = telling }
        var parameters = telling.parameters
        parameters["id"] = .string(topic.id.text)
        underWay[topic] = try? TodayConnection(to: path, topic.method, parameters) { [weak self] event in
            if case .reply = event { return }
            if case .failed(.refused(let error)) = event { telling.onRefusal(Refusal(description: "\(error)")) }
            self?.told(topic)
        }
    }

    private func told(_ topic: Topic) {
        underWay.removeValue(forKey: topic)?.cancel()
        if let telling = next.removeValue(forKey: topic) { tell(topic, telling) }
    }
}
