// SPDX-License-Identifier: MIT

/// The replies that wait to be written on one connection. An empty queue allocates nothing.
struct OutputQueue {
    private var first: Frame?
    private var others: [Frame] = []
    /// How many bytes of the first frame have been written.
    private var offset = 0
    private(set) var byteCount = 0

    var isEmpty: Bool { first == nil }

    /// The bytes that the daemon holds for this connection. A frame that several connections wait for counts in shares.
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

    /// The bytes to write next. A single or large frame is returned without a copy; smaller ones are joined up to
    /// `limit`.
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

    mutating func removeAll() {
        first?.release()
        for frame in others { frame.release() }
        self = OutputQueue()
    }

    /// Drops the bytes that have been written.
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
    /// The number of queues in which the frame waits.
    private var holders = 0

    init(_ bytes: [UInt8], tally: FrameTally) {
        self.bytes = bytes
        self.tally = tally
        tally.bytes += bytes.count
    }

    deinit { tally.bytes -= bytes.count }

    /// Notes that one more connection waits to write the frame.
    func hold() {
        holders += 1
        if holders == 1 { tally.waiting += bytes.count }
    }

    func release() {
        holders -= 1
        if holders == 0 { tally.waiting -= bytes.count }
    }

    /// The part of the frame that one waiting connection accounts for.
    var share: Int { bytes.count / max(1, holders) }
}

/// Counts the bytes of frames. Frames and their holders live on the loop's thread.
final class FrameTally {
    /// The bytes of all frames, including those that the reply cache keeps.
    fileprivate(set) var bytes = 0
    /// The bytes of the frames that wait because a client does not read.
    fileprivate(set) var waiting = 0
}
