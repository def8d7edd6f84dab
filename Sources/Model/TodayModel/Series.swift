// SPDX-License-Identifier: MIT

/// One value of a number, and when an update or a push gave it.
package struct Sample: Hashable, Sendable {
    package let date: WallTime
    package let value: Double

    package init(_ value: Double, at date: WallTime) {
        self.value = value
        self.date = date
    }

    /// The second of the date, counted from 1970.
    fileprivate var second: Int64 {
        let (quotient, rest) = date.microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        return rest < 0 ? quotient - 1 : quotient
    }
}

/// The last values of one number, in the order in which they came; their dates go back where the clock was set back.
///
/// A second has one value, the newest. So a stream with ten updates a second does not fill a series within two minutes,
/// and a series lasts for 1,000 s at least.
package struct Series: Hashable, Sendable {
    /// The most values.
    package static let most = 1_000
    /// A higher number of a sample cannot be reached: one a second takes 285 million years.
    package static let numbers: ClosedRange<Int64> = 0...1 << 53

    package private(set) var samples: [Sample]
    /// The number of the oldest sample that is kept. Samples are numbered as they come, from 0.
    package private(set) var first: Int64

    /// - Parameter first: the number of the first sample.
    package init(_ samples: [Sample] = [], first: Int64 = 0) {
        self.samples = samples
        self.first = first
    }

    /// The number of the next sample.
    package var end: Int64 { first + Int64(samples.count) }

    /// Adds a value, which replaces the last one if that is of the same second.
    package mutating func append(_ sample: Sample, limit: Int = most) {
        if let last = samples.indices.last, samples[last].second == sample.second {
            samples[last] = sample
        } else {
            // Room comes first: a full array doubles for one value more, and keeps its new room.
            trim(to: limit - 1)
            samples.append(sample)
        }
        trim(to: limit)
    }

    /// Drops the oldest values beyond a limit.
    package mutating func trim(to limit: Int) {
        let excess = samples.count - limit
        guard excess > 0 else { return }
        samples.removeFirst(excess)
        first += Int64(excess)
    }
}
