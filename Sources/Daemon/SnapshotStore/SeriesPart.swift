// SPDX-License-Identifier: MIT
import TodayModel

/// A row of the table `history`: some samples of a series. A new sample writes the last row of its series again, which is
/// within one page, and the rows before it stay as they are.
struct SeriesPart: Equatable, Sendable {
    /// The most samples. The row of a usual name then takes a seventh of a page.
    static let length: Int64 = 32
    private static let bytesPerSample = 16

    /// The numbers of its samples divided by `length`.
    let number: Int64
    /// The number of its first sample.
    let first: Int64
    let samples: [Sample]

    /// A part of a series that has samples with such numbers.
    init(_ number: Int64, of series: Series) {
        self.number = number
        first = max(number * Self.length, series.first)
        let end = min((number + 1) * Self.length, series.end)
        samples = Array(series.samples[Int(first - series.first)..<Int(end - series.first)])
    }

    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(samples.count * Self.bytesPerSample)
        for sample in samples {
            for word in [UInt64(bitPattern: sample.date.microseconds), sample.value.bitPattern] {
                for shift in stride(from: 0, to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: word >> shift)) }
            }
        }
        return bytes
    }
}

extension Series {
    /// The numbers of its parts; none where it has no sample.
    var parts: ClosedRange<Int64>? {
        samples.isEmpty ? nil : first / SeriesPart.length...(end - 1) / SeriesPart.length
    }
}
