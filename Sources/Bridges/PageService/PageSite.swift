// SPDX-License-Identifier: MIT

import JSON
import Link
import LoopLink
import Platform
import Reactor
import Rendering
import TodayModel
import Varlink
import WebPage
import WebServer

/// Answers requests by asking todayd.
@LoopActor
final class PageSite {
    private let path: String
    /// The token of changes; nil if the page allows none.
    let token: Secret?
    private let gate: Gate
    /// Nil if only this machine may ask.
    private var tokenGate: TokenGate?
    let security: SecurityHeaders
    private var feeds: [PageView: OpenFeed] = [:]
    private var calls: [ObjectIdentifier: TodayConnection] = [:]
    private var pulse: TimerSource?
    private var pulses: Pulses

    /// How many views may be streamed and how many calls may wait at once: each is a connection to todayd.
    static let most = 64
    private var feedShares: Shares
    private var callShares: Shares

    /// - Parameter access: the token that every request must show, if other machines may ask.
    init(
        socket path: String, token: Secret?, access: Secret?, names: [String], frames: [String], owners: Set<UInt32>,
        pulses: Pulses = Pulses()
    ) throws {
        self.path = path
        self.pulses = pulses
        feedShares = Shares(Self.most, owners: owners)
        callShares = Shares(Self.most, owners: owners)
        self.token = token
        gate = Gate(names: names, token: token)
        tokenGate = access.map { TokenGate($0) }
        security = SecurityHeaders(frames: frames)
        pulse = try TimerSource(.monotonic) { [weak self] in self?.sendPulses() }
    }

    func handle(_ request: HTTPRequest, _ exchange: WebExchange) {
        let now = SystemClock.monotonic.microseconds
        let refusal =
            gate.refusal(of: request) ?? tokenGate?.answer(to: request, at: now) ?? gate.refusal(ofChange: request)
        if let refusal { return give(refusal, exchange) }
        exchange.trust()
        let route: Route
        do throws(RouteRefusal) {
            route = try Route(request)
        } catch {
            return give(error.answer, exchange)
        }
        switch route {
        case .style: give(HTTPAnswer(200, type: "text/css; charset=utf-8", PageFiles.style), exchange)
        case .script:
            give(HTTPAnswer(200, type: "text/javascript; charset=utf-8", PageFiles.script), exchange)
        case .icon: give(HTTPAnswer(200, type: "image/svg+xml", PageFiles.icon), exchange)
        case .page(let view, let isKiosk): givePage(view, isKiosk: isKiosk, exchange)
        case .list: ask("List", [:], exchange) { Self.json($0) }
        case .offers: ask("Offers", [:], exchange) { Self.json($0) }
        case .settings(let id): ask("Settings", ["id": .string(id.text)], exchange) { Self.json($0) }
        case .show(let view): ask("Show", view.parameters, exchange) { Self.json($0) }
        case .metrics: ask("List", [:], exchange) { try Self.metrics($0) }
        case .picture(let id, let name): givePicture(id, name, exchange)
        case .stream(let view): stream(view, exchange)
        case .change(let change):
            let call = change.call
            ask(call.method, call.parameters, exchange) { Self.json($0) }
        }
    }

    // MARK: Calls

    func call(
        _ method: String, _ parameters: JSONObject, _ exchange: WebExchange,
        _ finish: @escaping @LoopActor (Result<JSONObject, any Error>) -> Void
    ) {
        let peer = exchange.peer
        guard callShares.hasRoom(for: peer) else {
            return finish(.failure(ServiceFailure.unreachable("too many requests wait for todayd")))
        }
        let key = ObjectIdentifier(exchange)
        do {
            let patience = TodayConnection.patience(for: exchange.request.method)
            let connection = try TodayConnection(to: path, method, parameters, patience: patience) {
                [weak self] event in
                switch event {
                case .reply(let reply): finish(.success(reply))
                case .end: break
                case .failed(let failure): finish(.failure(failure))
                }
                self?.callEnded(key, peer)
            }
            calls[key] = connection
            callShares.take(peer)
            exchange.onEnd = { [weak self] in self?.callEnded(key, peer)?.cancel() }
        } catch {
            finish(.failure(ServiceFailure.unreachable("todayd does not answer: \(error)")))
        }
    }

    @discardableResult
    private func callEnded(_ key: ObjectIdentifier, _ peer: Peer) -> TodayConnection? {
        guard let call = calls.removeValue(forKey: key) else { return nil }
        callShares.release(peer)
        return call
    }

    // MARK: Streams

    /// A view that tabs look at, and the peer of its first tab.
    private struct OpenFeed {
        let feed: PageFeed
        let opener: Peer
    }

    private func stream(_ view: PageView, _ exchange: WebExchange) {
        do {
            guard let feed = try feeds[view]?.feed ?? newFeed(view, for: exchange.peer) else {
                return give(HTTPAnswer(503, "there are too many views"), exchange)
            }
            let reader = FeedReader(feed) { [weak self] reader in self?.ended(reader, of: view) }
            feed.add(reader)
            let answer = security.applied(
                to: HTTPAnswer(200, type: EventStream.type, [], headers: [HTTPField("Cache-Control", "no-store")]))
            reader.begin(on: exchange, headers: answer.headers)
            if let due = pulses.streamBegan(at: SystemClock.monotonic.microseconds) { pulse?.arm(at: due) }
        } catch {
            give(HTTPAnswer(503, "\(error)"), exchange)
        }
    }

    private func newFeed(_ view: PageView, for peer: Peer) throws -> PageFeed? {
        guard feedShares.hasRoom(for: peer) else { return nil }
        let feed = try PageFeed(of: view, from: path, hasChanges: token != nil)
        feeds[view] = OpenFeed(feed: feed, opener: peer)
        feedShares.take(peer)
        return feed
    }

    private func ended(_ reader: FeedReader, of view: PageView) {
        guard let open = feeds[view] else { return }
        open.feed.remove(reader)
        if open.feed.hasReaders { return }
        open.feed.close()
        feeds[view] = nil
        feedShares.release(open.opener)
    }

    private func sendPulses() {
        for open in feeds.values { open.feed.pulse() }
        let due = pulses.sent(at: SystemClock.monotonic.microseconds, hasStreams: !feeds.isEmpty)
        if let due { pulse?.arm(at: due) }
    }
}

/// When streams get a pulse, which reveals clients that have gone. New streams do not delay it.
struct Pulses {
    /// How long a tab that has gone may go unnoticed, in microseconds.
    private let interval: Int64

    init(every interval: Int64 = 20_000_000) { self.interval = interval }

    /// Whether a pulse is scheduled.
    private var isDue = false

    /// - Returns: when the next pulse is due; nil if one is scheduled already.
    mutating func streamBegan(at now: Int64) -> Int64? { isDue ? nil : next(after: now) }

    /// - Returns: when the next pulse is due; nil if no stream is left.
    mutating func sent(at now: Int64, hasStreams: Bool) -> Int64? {
        isDue = false
        return hasStreams ? next(after: now) : nil
    }

    private mutating func next(after now: Int64) -> Int64 {
        isDue = true
        return now + interval
    }
}
