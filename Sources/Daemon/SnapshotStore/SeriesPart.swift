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

    /// Nil where these cannot be the columns of a row.
    init?(_ number: Int64, first: Int64, bytes: [UInt8]) {
        let count = bytes.count / Self.bytesPerSample
        guard Series.numbers.contains(first), first / Self.length == number, !bytes.isEmpty,
            bytes.count % Self.bytesPerSample == 0, Int64(count) <= (number + 1) * Self.length - first
        else { return nil }
        var samples: [Sample] = []
        samples.reserveCapacity(count)
        for start in stride(from: 0, to: bytes.count, by: Self.bytesPerSample) {
            let value = Double(bitPattern: Self.word(bytes, start + 8))
            guard value.isFinite else { return nil }
            samples.append(
                Sample(value, at: WallTime(microseconds: Int64(bitPattern: Self.word(bytes, start)))))
        }
        self.number = number
        self.first = first
        self.samples = samples
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

    private static func word(_ bytes: [UInt8], _ start: Int) -> UInt64 {
        bytes[start..<start + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}

extension Series {
    /// The numbers of its parts; none where it has no sample.
    var parts: ClosedRange<Int64>? {
        samples.isEmpty ? nil : first / SeriesPart.length...(end - 1) / SeriesPart.length
    }

    /// The series of these parts, which are in order. A part between them may be lost: the samples before it then count as
    /// later ones.
    init(_ parts: [SeriesPart]) {
        let samples = parts.flatMap(\.samples)
        let end = parts.last.map { $0.first + Int64($0.samples.count) } ?? 0
        self.init(samples, first: max(0, end - Int64(samples.count)))
    }
}
