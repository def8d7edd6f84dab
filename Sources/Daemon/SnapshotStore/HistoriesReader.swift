// SPDX-License-Identifier: MIT
import Spelling
import TodayModel

/// Makes histories of the rows of a table, in their order, in which the rows of a series follow one another. A table may
/// have a million values: identifier and name are checked once for all rows of a series, and each series is allocated once.
struct HistoriesReader {
    /// Why a row is lost.
    enum Loss: Equatable { case noWidget, noPart(of: WidgetID) }

    /// The widget and the name of the last row.
    private(set) var widget = ""
    private(set) var name = ""
    private var id: WidgetID?
    private var isName = false
    private var part = SeriesReader()
    private var series: [SpelledText: Series] = [:]
    private var histories: [WidgetID: History] = [:]

    /// - Parameter words: the samples of a part; nil where they are none.
    mutating func add(_ widget: String, _ name: String, _ number: Int64, first: Int64, words: [UInt64]?) -> Loss? {
        if !widget.isSpelled(as: self.widget) {
            endWidget()
            self.widget = widget
            id = WidgetID(widget)
        }
        if !name.isSpelled(as: self.name) {
            endSeries()
            self.name = name
            isName = Metric(name, 0) != nil
        }
        guard let id else { return .noWidget }
        return isName && part.add(number, first: first, words: words) ? nil : .noPart(of: id)
    }

    /// The histories of all rows.
    mutating func end() -> [WidgetID: History] {
        endWidget()
        return histories
    }

    private mutating func endWidget() {
        endSeries()
        if let id, !series.isEmpty {
            // A damaged table may have its rows in any order: the rows that come last count as the newest.
            let earlier = histories[id]?.series ?? [:]
            histories[id] = History(earlier.merging(series) { $0.followed(by: $1) })
        }
        series = [:]
    }

    private mutating func endSeries() {
        guard let ended = part.end() else { return }
        let earlier = series[SpelledText(name)]
        series[SpelledText(name)] = earlier?.followed(by: ended) ?? ended
    }
}

/// Makes a series of its parts, which come in order. A part between them may be lost: the samples before it then count as
/// later ones.
struct SeriesReader {
    /// The samples so far, in room that all series use.
    private var samples: [Sample] = []
    private var next: Int64 = 0

    /// - Returns: false where these cannot be the columns of a row. Nothing is added then.
    mutating func add(_ number: Int64, first: Int64, words: [UInt64]?) -> Bool {
        guard let words, Series.numbers.contains(first), first / SeriesPart.length == number, !words.isEmpty,
            words.count.isMultiple(of: 2), Int64(words.count / 2) <= (number + 1) * SeriesPart.length - first
        else { return false }
        let before = samples.count
        for place in stride(from: 0, to: words.count, by: 2) {
            let value = Double(bitPattern: words[place + 1])
            guard value.isFinite else {
                samples.removeLast(samples.count - before)
                return false
            }
            samples.append(Sample(value, at: WallTime(microseconds: Int64(bitPattern: words[place]))))
        }
        next = first + Int64(words.count / 2)
        return true
    }

    /// The series of the parts so far; nil where there are none. The next part begins another one.
    mutating func end() -> Series? {
        guard !samples.isEmpty else { return nil }
        var own: [Sample] = []
        own.reserveCapacity(samples.count)
        own.append(contentsOf: samples)
        samples.removeAll(keepingCapacity: true)
        return Series(own, first: max(0, next - Int64(own.count)))
    }
}

extension Series {
    fileprivate func followed(by later: Series) -> Series {
        let samples = samples + later.samples
        return Series(samples, first: max(0, later.end - Int64(samples.count)))
    }
}
