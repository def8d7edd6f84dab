// SPDX-License-Identifier: MIT

/// Replies by the bytes of their call, until something changes. A host that repeats a call gets the same bytes, and the
/// service neither parses nor encodes anything.
///
/// The cache is a table with one slot per hash; a newer reply replaces the older one. So its size is bounded whatever
/// clients ask.
struct ReplyCache {
    private struct Entry {
        let call: [UInt8]
        let reply: Frame
        let expires: Int64
    }

    private static let slots = 256
    private static let longestCall = 512
    private static let totalBytes = 16 << 20

    private var entries = [Entry?](repeating: nil, count: slots)
    private var byteCount = 0

    /// - Parameter call: a slice of the read buffer, without the NUL.
    func reply(to call: ArraySlice<UInt8>, hash: UInt64, now: Int64) -> Frame? {
        guard let entry = entries[Self.slot(of: hash)], now < entry.expires, entry.call[...] == call else {
            return nil
        }
        return entry.reply
    }

    mutating func store(_ reply: Frame, to call: [UInt8], hash: UInt64, until expires: Int64) {
        let size = call.count + reply.count
        guard call.count <= Self.longestCall, size <= Self.totalBytes else { return }
        if byteCount + size > Self.totalBytes { removeAll() }
        let slot = Self.slot(of: hash)
        if let old = entries[slot] { byteCount -= old.call.count + old.reply.count }
        entries[slot] = Entry(call: call, reply: reply, expires: expires)
        byteCount += size
    }

    /// Called whenever anything changes.
    mutating func removeAll() {
        for slot in entries.indices { entries[slot] = nil }
        byteCount = 0
    }

    private static func slot(of hash: UInt64) -> Int { Int(truncatingIfNeeded: hash % UInt64(slots)) }
}
