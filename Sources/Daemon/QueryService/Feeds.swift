// SPDX-License-Identifier: MIT
import Reactor
import TodayModel

/// The feeds with subscribers, and the subscribers that have something to be sent.
///
/// A subscriber gets one reply at the end of a round of the loop, however many changes the round brought.
@LoopActor
final class Feeds {
    private unowned let backend: any Backend
    private let itemCache: ItemCache
    private let timePerRound: TimeSpan

    private var shows: [ShowFeed.Subject: ShowFeed] = [:]
    private var defaults: [AppGroup: DefaultsFeed] = [:]
    private(set) var monitor: MonitorFeed?

    private var showsAreChanged = false
    private var changedFeeds: [ObjectIdentifier: Feed] = [:]
    private var due = Line<Session>()
    /// The followed widgets that the backend knows of.
    private var watched: Set<WidgetID> = []
    private var looksAreChanged = false
    /// Sends the subscribers what is new, at the end of the round.
    private var delivery: EndOfRound?
    /// Fires when an item changes because time passes. Armed only while there are subscribers.
    private var expiry: TimerSource?

    init(
        backend: any Backend, itemCache: ItemCache, timePerRound: TimeSpan
    ) throws(ReactorError) {
        self.backend = backend
        self.itemCache = itemCache
        self.timePerRound = timePerRound
        delivery = try EndOfRound { [unowned self] in deliver() }
        expiry = try TimerSource(.boottime) { [unowned self] in markShowsChanged() }
    }

    var subscriberCount: Int {
        shows.values.reduce(0) { $0 + $1.subscribers.count }
            + defaults.values.reduce(0) { $0 + $1.subscribers.count } + (monitor?.subscribers.count ?? 0)
    }
}

// MARK: - Subscribing

extension Feeds {
    func showFeed(of subject: ShowFeed.Subject) -> Feed {
        takeChanges()
        if let feed = shows[subject] { return feed }
        let feed = ShowFeed(subject, itemCache: itemCache)
        shows[subject] = feed
        armExpiry()
        markLooksChanged()
        return feed
    }

    func defaultsFeed(of group: AppGroup) -> Feed {
        if let feed = defaults[group] {
            // The existing subscribers get the same changes.
            feed.refresh()
            markChanged(feed)
            return feed
        }
        let feed = DefaultsFeed(group: group, backend: backend)
        defaults[group] = feed
        return feed
    }

    func monitorFeed() -> Feed {
        if let monitor { return monitor }
        let feed = MonitorFeed()
        monitor = feed
        return feed
    }

    func remove(_ session: Session, from feed: Feed) {
        feed.remove(session)
        guard feed.subscribers.isEmpty else { return }
        switch feed {
        case let feed as ShowFeed:
            shows[feed.subject] = nil
            markLooksChanged()
            if shows.isEmpty { expiry?.disarm() }
        case let feed as DefaultsFeed: defaults[feed.group] = nil
        case is MonitorFeed: monitor = nil
        default: break
        }
    }
}

// MARK: - Telling

extension Feeds {
    func markShowsChanged() {
        guard !shows.isEmpty, !showsAreChanged else { return }
        showsAreChanged = true
        delivery?.schedule()
    }

    func markChanged(defaultsOf group: AppGroup) {
        if let feed = defaults[group] { markChanged(feed) }
    }

    func record(_ event: Event) {
        guard let monitor else { return }
        monitor.record(event)
        markChanged(monitor)
    }

    /// Notes that a feed may have a new version.
    func markChanged(_ feed: Feed) {
        changedFeeds[ObjectIdentifier(feed)] = feed
        delivery?.schedule()
    }

    private func markLooksChanged() {
        looksAreChanged = true
        delivery?.schedule()
    }

    /// Tells the backend which widgets hosts begin to follow, and which widgets no host follows any more.
    private func tellLooks() {
        let now = shows.values.reduce(into: Set<WidgetID>()) { $0.formUnion($1.members) }
        let (began, ended) = (now.subtracting(watched), watched.subtracting(now))
        watched = now
        if !began.isEmpty || !ended.isEmpty { backend.looksChanged(began: began, ended: ended) }
    }

    private func deliver() {
        if showsAreChanged {
            showsAreChanged = false
            takeChanges()
            armExpiry()
        }
        if looksAreChanged {
            looksAreChanged = false
            tellLooks()
        }
        for feed in changedFeeds.values { collect(from: feed) }
        changedFeeds.removeAll(keepingCapacity: true)
        let end = BootTime.now + timePerRound
        while BootTime.now <= end, let session = due.next() {
            session.isDue = false
            session.deliver()
        }
        if !due.isEmpty { delivery?.schedule() }
    }

    /// Tells the views which widgets have changed, and lines up the subscribers that have not seen it.
    private func takeChanges() {
        let changed = itemCache.takeChanges(now: .now)
        for feed in shows.values {
            feed.take(changed)
            collect(from: feed)
            if feed.takeOtherMembers() { looksAreChanged = true }
        }
    }

    private func collect(from feed: Feed) {
        feed.refresh()
        for session in feed.subscribers.values where !session.isDue && session.seen < feed.version {
            session.isDue = true
            due.append(session)
        }
    }

    private func armExpiry() {
        guard let time = itemCache.nextExpiry else {
            expiry?.disarm()
            return
        }
        // People watch the dates of timeline entries, so the slack is small.
        expiry?.arm(at: time.microseconds, slack: 10_000)
    }
}
