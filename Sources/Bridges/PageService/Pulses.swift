// SPDX-License-Identifier: MIT

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
