// SPDX-License-Identifier: MIT

/// Replies to calls that are answered alike until something changes, by the bytes of the call: a host which asks again
/// gets the same bytes again, without anything being parsed or put together.
///
/// A table with one place per hash, where the newest wins: whatever clients ask, it is this big and no bigger.
struct ReplyCache {
    private struct Entry {
        let call: [UInt8]
        let reply: Frame
        let expires: Int64
    }

    private static let places = 256
    private static let longestCall = 512
    private static let totalBytes = 16 << 20

    private var entries = [Entry?](repeating: nil, count: places)
    private var byteCount = 0

    /// `call` is a part of what was read, without its NUL.
    func reply(to call: ArraySlice<UInt8>, hash: UInt64, now: Int64) -> Frame? {
        guard let entry = entries[Self.place(of: hash)], now < entry.expires, entry.call[...] == call else {
            return nil
        }
        return entry.reply
    }

    mutating func store(_ reply: Frame, to call: [UInt8], hash: UInt64, until expires: Int64) {
        let size = call.count + reply.bytes.count
        guard call.count <= Self.longestCall, size <= Self.totalBytes else { return }
        if byteCount + size > Self.totalBytes { removeAll() }
        let place = Self.place(of: hash)
        if let old = entries[place] { byteCount -= old.call.count + old.reply.bytes.count }
        entries[place] = Entry(call: call, reply: reply, expires: expires)
        byteCount += size
    }

    /// To be called whenever anything changes.
    mutating func removeAll() {
        for place in entries.indices { entries[place] = nil }
        byteCount = 0
    }

    private static func place(of hash: UInt64) -> Int { Int(truncatingIfNeeded: hash % UInt64(places)) }
}
