// SPDX-License-Identifier: MIT
import JSON

extension History {
    /// The parameters of a reply to `History` of org.todayd.Today, in bytes, without a tree of JSON values that
    /// each call would build and throw away.
    ///
    /// - Parameters:
    ///   - name: the series that is wanted; nil means all.
    ///   - last: the most values of each, the newest; nil means as many as the reply may have of one series, and the last
    ///     one of each of all.
    package func reply(_ name: String?, last: Int?) -> [UInt8] {
        let wanted = name.map { self[$0] == nil ? [] : [$0] } ?? names
        let length = Self.length(of: wanted.count, last: last ?? (name == nil ? 1 : Self.mostInReply))
        var bytes: [UInt8] = []
        bytes.reserveCapacity(32 + wanted.count * (64 + length * Self.bytesPerSample))
        bytes.append(contentsOf: #"{"series":["#.utf8)
        for (place, name) in wanted.enumerated() {
            if place > 0 { bytes.append(UInt8(ascii: ",")) }
            self[name]?.write(name, last: length, to: &bytes)
        }
        bytes.append(contentsOf: "]}".utf8)
        return bytes
    }

    /// The most values in one reply. With this limit, a call for all numbers holds the daemon's only thread no longer than a
    /// call for one full series.
    package static let mostInReply = Series.most

    /// About the length of a value with its time in a reply.
    private static let bytesPerSample = 48

    /// How many values of each series a reply contains: the series share the limit of a reply.
    package static func length(of series: Int, last: Int) -> Int { min(last, mostInReply / max(1, series)) }
}

extension Series {
    fileprivate func write(_ name: String, last: Int, to bytes: inout [UInt8]) {
        bytes.append(contentsOf: #"{"name":"#.utf8)
        JSON.string(name).write(to: &bytes)
        bytes.append(contentsOf: #","count":"#.utf8)
        JSON(samples.count).write(to: &bytes)
        bytes.append(contentsOf: #","samples":["#.utf8)
        var isFirst = true
        for sample in samples.suffix(last) {
            bytes.append(contentsOf: (isFirst ? #"{"time":"# : #",{"time":"#).utf8)
            isFirst = false
            JSON.int(sample.date.microseconds).write(to: &bytes)
            bytes.append(contentsOf: #","value":"#.utf8)
            JSON.double(sample.value).write(to: &bytes)
            bytes.append(UInt8(ascii: "}"))
        }
        bytes.append(contentsOf: "]}".utf8)
    }

    /// Its values with their dates, as a client prints them.
    package var json: JSON {
        .array(samples.map { ["time": .int($0.date.microseconds), "value": .double($0.value)] })
    }
}

/// What a reply to `History` says of one number, for clients.
package struct SeriesReply: Equatable, WireReadable {
    package let name: String
    /// How many values the daemon keeps of it.
    package let count: Int
    /// The values in the reply, which are the newest.
    package let series: Series

    package static func read(_ field: JSONField) throws(JSONMismatch) -> SeriesReply { try SeriesReply(field) }

    package init(_ field: JSONField) throws(JSONMismatch) {
        name = try field.required("name").string()
        count = try field.required("count").int(in: 0...Int.max)
        var samples: [Sample] = []
        for sample in try field.required("samples").array() {
            samples.append(
                Sample(try sample.required("value").double(), at: try sample.required("time").wallTime()))
        }
        series = Series(samples)
    }
}
