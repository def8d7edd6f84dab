// SPDX-License-Identifier: MIT

/// The bytes of one reply. All connections on which it is sent share them.
package typealias Frame = [UInt8]

/// The replies that wait to be written on one connection. An empty queue allocates nothing.
struct OutputQueue {
    private var first: Frame?
    private var others: [Frame] = []
    /// How many bytes of the first frame have been written.
    private var offset = 0
    private(set) var byteCount = 0

    var isEmpty: Bool { first == nil }

    mutating func append(_ frame: Frame) {
        byteCount += frame.count
        if first == nil {
            first = frame
        } else {
            others.append(frame)
        }
    }

    /// The bytes to write next. A single or large frame is returned without a copy; smaller ones are joined up to
    /// `limit`.
    func next(gathering limit: Int) -> (bytes: [UInt8], offset: Int)? {
        guard let first else { return nil }
        if others.isEmpty || first.count - offset >= limit { return (first, offset) }
        var gathered = Array(first[offset...])
        for frame in others {
            gathered.append(contentsOf: frame)
            if gathered.count >= limit { break }
        }
        return (gathered, 0)
    }

    /// Drops the bytes that have been written.
    mutating func consume(_ count: Int) {
        byteCount -= count
        var end = offset + count
        var index = 0
        while let frame = first, end >= frame.count {
            end -= frame.count
            first = index < others.count ? others[index] : nil
            index += 1
        }
        offset = end
        if first == nil {
            others = []
        } else {
            others.removeFirst(index)
        }
    }
}
