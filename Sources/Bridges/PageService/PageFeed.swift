// SPDX-License-Identifier: MIT

import JSON
import Link
import LoopLink
import Reactor
import Rendering
import TodayModel
import WebPage
import WebServer

/// A view as todayd streams it, for all tabs that look at it. It is connected while there are any.
@LoopActor
final class PageFeed {
    private let view: PageView
    private let path: String
    private let hasChanges: Bool
    private var connection: TodayConnection?
    private var live = LiveItems()
    private var follow: Follow
    private var timer: TimerSource?
    private var knowledge = Knowledge.none
    /// The cards as text, once for all tabs.
    private var cards: [WidgetID: String] = [:]
    /// Events for tabs, as text: tabs that read slowly share the same bytes.
    private var events: [FeedNews.News: [UInt8]] = [:]
    private var readers: [ObjectIdentifier: FeedReader] = [:]

    init(
        of view: PageView, from path: String, hasChanges: Bool, pauseWhileMissing: TimeSpan = .seconds(15)
    ) throws {
        self.view = view
        self.path = path
        self.hasChanges = hasChanges
        follow = Follow(Follow.Policy(waitsFromStart: true, pauseWhileMissing: pauseWhileMissing))
        timer = try TimerSource(.monotonic) { [weak self] in self?.take(.tick) }
        take(.tick)
    }

    /// What todayd has said last.
    private enum Knowledge {
        case none, items, lost
        /// There is no such widget.
        case missing
    }

    var hasReaders: Bool { !readers.isEmpty }

    func add(_ reader: FeedReader) {
        readers[ObjectIdentifier(reader)] = reader
        if knowledge == .items { reader.restart() }
    }

    func remove(_ reader: FeedReader) { readers[ObjectIdentifier(reader)] = nil }

    /// The items in their order; nil while todayd does not answer.
    var items: [Item]? {
        switch knowledge {
        case .items: live.items(at: .now)
        case .missing: []
        case .none, .lost: nil
        }
    }

    /// The bytes of an event for a tab.
    func event(_ news: FeedNews.News) -> [UInt8] {
        if let known = events[news] { return known }
        guard let items else { return [] }
        func card(_ item: Item) -> (Item, String) { (item, html(item)) }
        let bytes: [UInt8]
        switch news {
        case .nothing, .lost: return []
        case .whole: bytes = CardsEvent(items.map(card), removed: [], isWhole: true).bytes
        case .some(let changed, let removed):
            let shown = items.filter { changed.contains($0.id) }
            bytes = CardsEvent(shown.map(card), removed: removed, isWhole: false).bytes
        }
        events[news] = bytes
        return bytes
    }

    private func html(_ item: Item) -> String {
        if let known = cards[item.id] { return known }
        let html = CardHTML(item, now: .now, hasChanges: hasChanges).html
        cards[item.id] = html
        return html
    }

    func pulse() { for reader in readers.values { reader.pulse() } }

    func close() {
        connection?.cancel()
        timer?.cancel()
    }

    // MARK: todayd

    private func take(_ event: Follow.Event) {
        for action in follow.handle(event, at: .now) {
            switch action {
            case .connect: connect()
            case .close: connection?.cancel()
            case .show(let reply): apply(reply)
            case .lost: lose()
            case .missing: miss()
            // The page follows todayd without end.
            case .end, .giveUp: break
            }
        }
        if let wake = follow.wake { timer?.arm(after: (wake - .now).microseconds) }
    }

    private func connect() {
        do {
            connection = try TodayConnection(to: path, "Show", follow.parameters(view.parameters), more: true) {
                [weak self] event in
                switch event {
                case .reply(let reply): self?.take(.reply(reply, isLast: false))
                case .failed(.refused(let error)) where error.name == "org.todayd.Today.NoSuchWidget":
                    self?.take(.failed(.noSuchWidget))
                case .end, .failed: self?.take(.failed(.absent))
                }
            }
            take(.connected(patience: .seconds(TodayConnection.patience)))
        } catch {
            take(.failed(.absent))
        }
    }

    private func apply(_ reply: JSONObject) {
        let isWhole = !live.isCurrent
        let changed: [Item]
        do throws(JSONMismatch) {
            changed = try live.apply(reply)
        } catch {
            return take(.failed(.notUnderstood))
        }
        events = [:]
        knowledge = .items
        if isWhole {
            cards = [:]
            for reader in readers.values { reader.restart() }
            return
        }
        let removed = reply.strings("removed").compactMap { WidgetID($0) }
        for id in removed + changed.map(\.id) { cards[id] = nil }
        for reader in readers.values { reader.note(changed.map(\.id), removed: removed) }
    }

    /// todayd answers that the widget does not exist. A page loaded from now on says so itself, so only tabs that were told
    /// otherwise are told.
    private func miss() {
        let hasTold = knowledge == .items || knowledge == .lost
        live.lose()
        events = [:]
        knowledge = .missing
        if hasTold { for reader in readers.values { reader.restart() } }
    }

    private func lose() {
        live.lose()
        events = [:]
        knowledge = .lost
        for reader in readers.values { reader.lose() }
    }
}

extension PageView {
    /// The parameters of Show.
    var parameters: JSONObject {
        switch self {
        case .point(let point): ["point": .string(point.rawValue)]
        case .widget(let id): ["id": .string(id.text)]
        }
    }
}

/// One tab. Its pending news is a set of identifiers, so a tab that never reads costs no more than that, and one that reads
/// slowly gets the newest state.
@LoopActor
final class FeedReader {
    private weak var feed: PageFeed?
    private var stream: WebStream?
    private var news = FeedNews()
    private var hasPulse = false
    private var hasBegun = false

    init(_ feed: PageFeed, onEnd: @escaping @LoopActor (FeedReader) -> Void) {
        self.feed = feed
        stream = WebStream(
            next: { [weak self] in self?.next() ?? [] },
            onEnd: { [self] in
                stream = nil
                onEnd(self)
            })
    }

    func begin(on exchange: WebExchange, headers: [HTTPField]) {
        if let stream { exchange.stream(stream, headers: headers) }
    }

    func restart() {
        news.restart()
        stream?.wake()
    }

    func note(_ changed: [WidgetID], removed: [WidgetID]) {
        news.note(changed, removed: removed)
        stream?.wake()
    }

    func lose() {
        news.lose()
        stream?.wake()
    }

    /// Writes a few bytes, which reveal a client that has gone.
    func pulse() {
        hasPulse = true
        stream?.wake()
    }

    func next() -> [UInt8] {
        let opening = hasBegun ? [] : EventStream.opening
        hasBegun = true
        let event: [UInt8]
        switch news.take() {
        case .nothing: event = []
        case .lost: event = EventStream.event("lost", "")
        case let news: event = feed?.event(news) ?? []
        }
        defer { hasPulse = false }
        if !opening.isEmpty { return opening + event }
        return event.isEmpty && hasPulse ? EventStream.pulse : event
    }
}
