// SPDX-License-Identifier: MIT
import Reactor

/// A state that clients follow: a view, an app group's defaults, the events, the progress of an update.
///
/// Each subscriber is described by the version it has seen and nothing else. A subscriber that reads slowly gets the
/// difference to the newest version when it can be written to again; all that have seen the same version get the same
/// bytes.
@LoopActor
class Feed {
    /// Before anything has been seen.
    static let nothingSeen: UInt64 = 0

    final private(set) var subscribers: [UInt64: Session] = [:]
    final let tally: FrameTally
    private var frames: [UInt64: Frame] = [:]

    /// To be increased by subclasses with every change. Whatever was built for the version before is dropped.
    final var version: UInt64 = nothingSeen + 1 {
        didSet { forgetFrames() }
    }

    init(tally: FrameTally) { self.tally = tally }

    final func add(_ session: Session) { subscribers[session.key] = session }

    final func remove(_ session: Session) { subscribers[session.key] = nil }

    /// The oldest version that any subscriber has seen.
    final var oldestSeen: UInt64 { subscribers.values.reduce(version) { min($0, $1.seen) } }

    /// The reply which brings a subscriber that has seen a version up to date; nil when nothing in it is different.
    final func frame(since seen: UInt64) -> Frame? {
        if let frame = frames[seen] { return frame }
        guard let bytes = reply(since: seen) else { return nil }
        let frame = Frame(bytes, tally: tally)
        frames[seen] = frame
        return frame
    }

    /// To be called where what replies hold is different, but nothing that a subscriber must be told.
    final func forgetFrames() { frames.removeAll(keepingCapacity: true) }

    /// Whether the reply up to the present version is the last one.
    var isFinished: Bool { false }

    /// Finds out what is new, if that has to be asked for.
    func refresh() {}

    /// Builds the whole reply for `frame`.
    func reply(since seen: UInt64) -> [UInt8]? { nil }
}
