// SPDX-License-Identifier: MIT

/// The bytes of one reply, shared by all connections on which it is sent.
final class Frame {
    let bytes: [UInt8]
    private let tally: FrameTally

    init(_ bytes: [UInt8], tally: FrameTally) {
        self.bytes = bytes
        self.tally = tally
        tally.bytes += bytes.count
    }

    deinit { tally.bytes -= bytes.count }
}

/// How many bytes all living frames hold together. Frames live on the loop's thread, as does everything that holds one.
final class FrameTally {
    fileprivate(set) var bytes = 0
}
