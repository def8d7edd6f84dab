// SPDX-License-Identifier: MIT

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
