// SPDX-License-Identifier: MIT
import JSON

extension History {
    /// In the form of org.todayd.Today's `[]Series`.
    ///
    /// - Parameters:
    ///   - name: the series that is wanted; nil means all.
    ///   - last: the most values of each, the newest.
    package func json(_ name: String?, last: Int) -> JSON {
        let wanted = name.map { self[$0] == nil ? [] : [$0] } ?? names
        return .array(wanted.map { ["name": .string($0), "samples": self[$0]?.suffix(last).json ?? []] })
    }
}

extension Series {
    fileprivate func suffix(_ last: Int) -> Series {
        var series = self
        series.trim(to: last)
        return series
    }

    /// Its values with their dates.
    package var json: JSON {
        .array(samples.map { ["time": .int($0.date.microseconds), "value": .double($0.value)] })
    }

    /// Decodes what a daemon sent, for clients: the name of a series and its values.
    package static func read(_ field: JSONField) throws(JSONMismatch) -> (name: String, series: Series) {
        var samples: [Sample] = []
        for sample in try field.required("samples").array() {
            samples.append(
                Sample(try sample.required("value").double(), at: try sample.required("time").wallTime()))
        }
        return (try field.required("name").string(), Series(samples))
    }
}
