// SPDX-License-Identifier: MIT
import TodayModel

/// Whether the database can be trusted and written: it was set aside, commits fail, or the next commit has to begin a
/// new one. `Opening` makes it; each report of the writer changes it.
struct StoreHealth {
    /// What the store has to do after a report.
    enum Step: Equatable {
        /// The commit has succeeded. `wroteRows` is false for a checkpoint alone.
        case succeed(wroteRows: Bool)
        /// The commit has failed, and its clients are refused for this reason.
        case fail(StoreCondition, keepingRecords: Bool)
        /// Everything has to be written into a new database.
        case startOver(reason: String)
    }

    /// Whether the database was set aside, at the start or later. It stays until the daemon ends.
    private(set) var lasting = StoreCondition.ok
    /// Why commits fail at present; nil after one that succeeded.
    private(set) var failure: StoreCondition?
    /// Why the database is damaged. The next commit writes everything into a new one.
    private(set) var damage: String?
    /// Whether a newer version wrote the database, so that this one must not write it.
    private(set) var isFrozen = false
    /// The path of the damaged database, once it was moved.
    private var moved: String?
    private var beginnings = NewBeginnings()

    /// How durable changes are now.
    var condition: StoreCondition { failure ?? lasting }

    // MARK: At the start

    /// The database is damaged. When its replacement is damaged in turn, the user needs the reason of the first damage.
    mutating func noteDamage(_ reason: String) { damage = damage ?? reason }

    /// The database was moved. A replacement that is damaged in turn holds nothing else, so the first path counts.
    mutating func noteMove(to path: String?) { moved = moved ?? path }

    /// A new database was put in the place of a damaged one. The user needs the path of the old one, even if the new one
    /// cannot be used.
    mutating func noteExchange(at now: Int64) {
        beginnings.add(at: now)
        if let damage { lasting = .setAside(path: moved, reason: damage) }
    }

    /// The database in its place is used from now on, even if it cannot be opened or written at present.
    mutating func noteUse() {
        guard let reason = damage else { return }
        lasting = .setAside(path: moved, reason: reason)
        (damage, moved) = (nil, nil)
    }

    /// The database was empty.
    mutating func noteClearing(_ reason: String) { lasting = .setAside(path: nil, reason: reason) }

    mutating func noteFailure(_ condition: StoreCondition) { failure = condition }

    /// A newer version wrote the database.
    mutating func freeze(_ condition: StoreCondition) { (isFrozen, failure) = (true, condition) }

    // MARK: While the daemon runs

    mutating func handle(_ report: Writer.Report, at now: Int64) -> Step {
        noteMove(to: report.moved)
        if report.hasBegun { beginnings.add(at: now) }
        switch report.outcome {
        case .damaged(let reason):
            // The new database is damaged too, so a third one is unlikely to help.
            if damage != nil {
                return fail(.failing("a new database was damaged at once: \(reason)"), keepingRecords: true)
            }
            damage = reason
            return startOver(reason, at: now)
        case .failed(let condition, let keepingRecords):
            if report.hasBegun { noteUse() }
            return fail(condition, keepingRecords: keepingRecords)
        case .tidied:
            // This job wrote nothing, so an earlier write failure may persist.
            return .succeed(wroteRows: false)
        case .committed:
            if report.hasBegun { noteUse() }
            failure = nil
            return .succeed(wroteRows: true)
        }
    }

    /// Decides whether one more database is begun.
    mutating func startOver(_ reason: String, at now: Int64) -> Step {
        guard beginnings.areTooMany(at: now) else { return .startOver(reason: reason) }
        return fail(
            .failing(
                """
                the database is damaged again (\(reason)), after \(NewBeginnings.most) new ones within an hour: is the \
                disk sound? Changes are refused until that hour is over
                """), keepingRecords: true)
    }

    /// A commit fails.
    mutating func fail(_ condition: StoreCondition, keepingRecords: Bool) -> Step {
        failure = condition
        return .fail(condition, keepingRecords: keepingRecords)
    }
}

/// When new databases were begun. Each one leaves a damaged database behind, so a disk that damages every database
/// would fill up.
struct NewBeginnings {
    static let most = 8
    static let span: Int64 = 3_600_000_000

    /// Times of the monotonic clock, oldest first.
    private var times: [Int64] = []

    mutating func add(at time: Int64) { times = times.suffix(Self.most - 1) + [time] }

    func areTooMany(at now: Int64) -> Bool {
        times.count == Self.most && times[0] > now - Self.span
    }
}
