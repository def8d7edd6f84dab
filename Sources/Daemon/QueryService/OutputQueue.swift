// SPDX-License-Identifier: MIT

/// The replies that wait to be written on one connection. Empty most of the time, and then costs nothing.
struct OutputQueue {
    private var first: Frame?
    private var others: [Frame] = []
    /// How much of the first frame has been written.
    private var offset = 0
    private(set) var byteCount = 0

    var isEmpty: Bool { first == nil }

    /// What this connection makes the daemon hold: of what others wait for as well, its share.
    var charge: Int { others.reduce(first?.share ?? 0) { $0 + $1.share } }

    mutating func append(_ frame: Frame) {
        frame.hold()
        byteCount += frame.bytes.count
        if first == nil {
            first = frame
        } else {
            others.append(frame)
        }
    }

    /// What to write next, without copying where it is a single frame; else so much of it as is worth gathering.
    func next(gathering limit: Int) -> (bytes: [UInt8], offset: Int)? {
        guard let first else { return nil }
        if others.isEmpty || first.bytes.count - offset >= limit { return (first.bytes, offset) }
        var gathered = Array(first.bytes[offset...])
        for frame in others {
            gathered.append(contentsOf: frame.bytes)
            if gathered.count >= limit { break }
        }
        return (gathered, 0)
    }

    /// Drops everything.
    mutating func removeAll() {
        first?.release()
        for frame in others { frame.release() }
        self = OutputQueue()
    }

    /// Drops what has been written.
    mutating func consume(_ count: Int) {
        byteCount -= count
        var end = offset + count
        var index = 0
        while let frame = first, end >= frame.bytes.count {
            end -= frame.bytes.count
            frame.release()
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

/// The bytes of one reply, shared by all connections on which it is sent.
final class Frame {
    let bytes: [UInt8]
    private let tally: FrameTally
    /// In how many queues it waits to be written.
    private var holders = 0

    init(_ bytes: [UInt8], tally: FrameTally) {
        self.bytes = bytes
        self.tally = tally
        tally.bytes += bytes.count
    }

    deinit { tally.bytes -= bytes.count }

    /// A connection waits to write it.
    func hold() {
        holders += 1
        if holders == 1 { tally.waiting += bytes.count }
    }

    func release() {
        holders -= 1
        if holders == 0 { tally.waiting -= bytes.count }
    }

    /// What one connection that waits to write it has to answer for.
    var share: Int { bytes.count / max(1, holders) }
}

/// How many bytes frames hold together. Frames live on the loop's thread, as does everything that holds one.
final class FrameTally {
    /// Of all that live, those kept for the next client among them.
    fileprivate(set) var bytes = 0
    /// Of those that a client does not read.
    fileprivate(set) var waiting = 0
}
