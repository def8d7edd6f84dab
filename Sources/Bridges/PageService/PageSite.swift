// SPDX-License-Identifier: MIT

import JSON
import Platform
import Reactor
import Rendering
import TodayClient
import TodayModel
import Varlink
import WebPage
import WebServer

/// Answers requests by asking todayd.
@LoopActor
final class PageSite {
    private let path: String
    private let token: String?
    private let gate: Gate
    private let security: SecurityHeaders
    private var feeds: [PageView: Feed] = [:]
    private var calls: [ObjectIdentifier: TodayConnection] = [:]
    private var pulse: TimerSource?

    /// How many views are streamed, and how many calls wait, at once: each is a connection to todayd.
    private static let mostFeeds = 64
    private static let mostCalls = 64
    /// How long a tab that has gone may go unnoticed.
    private static let pulseInterval: Int64 = 20_000_000

    init(socket path: String, token: String?, names: [String], frames: [String]) throws {
        self.path = path
        self.token = token
        gate = Gate(names: names, token: token)
        security = SecurityHeaders(frames: frames)
        pulse = try TimerSource(.monotonic) { [weak self] in self?.sendPulses() }
    }

    func handle(_ request: HTTPRequest, _ exchange: WebExchange) {
        if let refusal = gate.refusal(of: request) { return give(refusal, exchange) }
        let route: Route
        do throws(RouteRefusal) {
            route = try Route(request)
        } catch {
            return give(error.answer, exchange)
        }
        switch route {
        case .style: give(HTTPAnswer(200, type: "text/css; charset=utf-8", Array(PageStyle.text.utf8)), exchange)
        case .script:
            give(HTTPAnswer(200, type: "text/javascript; charset=utf-8", Array(PageScript.text.utf8)), exchange)
        case .page(let view, let isKiosk): givePage(view, isKiosk: isKiosk, exchange)
        case .list: ask("List", [:], exchange) { Self.json($0) }
        case .show(let view): ask("Show", view.parameters, exchange) { Self.json($0) }
        case .metrics: ask("List", [:], exchange) { try Self.metrics($0) }
        case .stream(let view): stream(view, exchange)
        case .change(let change):
            let call = change.call
            ask(call.method, call.parameters, exchange) { Self.json($0) }
        }
    }

    // MARK: Answers

    private func give(_ answer: HTTPAnswer, _ exchange: WebExchange) {
        let tagged = exchange.request.method == "POST" ? answer : EntityTag.applied(to: answer, of: exchange.request)
        exchange.answer(security.applied(to: tagged))
    }

    private static func json(_ reply: JSONObject) -> HTTPAnswer {
        HTTPAnswer(200, type: "application/json", Array((JSON.object(reply).text + "\n").utf8))
    }

    private static func metrics(_ reply: JSONObject) throws -> HTTPAnswer {
        let shown = Shown(try reply.items("widgets"), json: "")
        let text = OutputForm.prometheus.text(of: shown, Presentation(width: 80, now: .now))
        return HTTPAnswer(200, type: "text/plain; version=0.0.4; charset=utf-8", Array(text.utf8))
    }

    private func givePage(_ view: PageView, isKiosk: Bool, _ exchange: WebExchange) {
        let document = PageDocument(view, isKiosk: isKiosk, token: token, now: .now)
        func page(_ status: Int, _ html: String) -> HTTPAnswer {
            HTTPAnswer(status, type: "text/html; charset=utf-8", Array(html.utf8))
        }
        call("Show", view.parameters, exchange) { [weak self] result in
            do {
                self?.give(page(200, document.html(try result.get().items("items"))), exchange)
            } catch {
                let (status, reason) = Self.trouble(error)
                self?.give(page(status, document.html(trouble: reason)), exchange)
            }
        }
    }

    private func ask(
        _ method: String, _ parameters: JSONObject, _ exchange: WebExchange,
        _ answer: @escaping @LoopActor (JSONObject) throws -> HTTPAnswer
    ) {
        call(method, parameters, exchange) { [weak self] result in
            do {
                self?.give(try answer(try result.get()), exchange)
            } catch {
                let (status, reason) = Self.trouble(error)
                self?.give(HTTPAnswer(status, reason), exchange)
            }
        }
    }

    /// The status of an answer, and the reason in words.
    private static func trouble(_ error: any Error) -> (Int, String) {
        switch error {
        case ServiceFailure.unreachable(let reason): (503, reason)
        case ServiceFailure.refused(let error): ServiceTrouble.answer(error)
        default: (502, "todayd's reply is not understood: \(error)")
        }
    }

    // MARK: Calls

    private func call(
        _ method: String, _ parameters: JSONObject, _ exchange: WebExchange,
        _ finish: @escaping @LoopActor (Result<JSONObject, any Error>) -> Void
    ) {
        guard calls.count < Self.mostCalls else {
            return finish(.failure(ServiceFailure.unreachable("too many requests wait for todayd")))
        }
        let key = ObjectIdentifier(exchange)
        do {
            let patience =
                exchange.request.method == "POST" ? TodayConnection.patienceForRuns : TodayConnection.patience
            let connection = try TodayConnection(to: path, method, parameters, patience: patience) {
                [weak self] event in
                switch event {
                case .reply(let reply): finish(.success(reply))
                case .end: break
                case .failed(let failure): finish(.failure(failure))
                }
                self?.calls[key] = nil
            }
            calls[key] = connection
            exchange.onEnd = { [weak self] in self?.calls.removeValue(forKey: key)?.cancel() }
        } catch {
            finish(.failure(ServiceFailure.unreachable("todayd does not answer: \(error)")))
        }
    }

    // MARK: Streams

    private func stream(_ view: PageView, _ exchange: WebExchange) {
        do {
            let feed = try feeds[view] ?? newFeed(view)
            guard let feed else { return give(HTTPAnswer(503, "there are too many views"), exchange) }
            let reader = FeedReader(feed) { [weak self] reader in self?.ended(reader, of: view) }
            feed.add(reader)
            let answer = security.applied(
                to: HTTPAnswer(200, type: EventStream.type, [], headers: [HTTPField("Cache-Control", "no-store")]))
            reader.begin(on: exchange, headers: answer.headers)
            pulse?.arm(after: Self.pulseInterval)
        } catch {
            give(HTTPAnswer(503, "\(error)"), exchange)
        }
    }

    private func newFeed(_ view: PageView) throws -> Feed? {
        guard feeds.count < Self.mostFeeds else { return nil }
        let feed = try Feed(of: view, from: path, hasChanges: token != nil)
        feeds[view] = feed
        return feed
    }

    private func ended(_ reader: FeedReader, of view: PageView) {
        guard let feed = feeds[view] else { return }
        feed.remove(reader)
        if feed.hasReaders { return }
        feed.close()
        feeds[view] = nil
    }

    private func sendPulses() {
        for feed in feeds.values { feed.pulse() }
        if !feeds.isEmpty { pulse?.arm(after: Self.pulseInterval) }
    }
}
