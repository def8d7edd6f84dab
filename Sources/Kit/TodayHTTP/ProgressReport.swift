// SPDX-License-Identifier: MIT

/// Tells how far a transfer has come, but not more often than a person can look.
struct ProgressReport {
    private static let interval: Duration = .milliseconds(100)

    private let tell: @Sendable (HTTPProgress) -> Void
    private var last: (time: ContinuousClock.Instant, received: Int)?
    private var expected: Int?

    init(_ tell: @escaping @Sendable (HTTPProgress) -> Void) { self.tell = tell }

    mutating func report(_ received: Int, of expected: Int?, at now: ContinuousClock.Instant = .now) {
        self.expected = expected
        if let last, now < last.time + Self.interval { return }
        last = (now, received)
        tell(HTTPProgress(received: received, expected: expected))
    }

    /// The content is complete: said in any case.
    mutating func end(at received: Int) {
        guard last?.received != received else { return }
        last = (.now, received)
        tell(HTTPProgress(received: received, expected: expected))
    }
}
