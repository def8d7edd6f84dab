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

/// Finds the end of the next call, and hashes it on the way: FNV-1a, which needs no more than one look at each byte.
/// A client that makes clashes on purpose only loses its place in the cache.
struct CallScan {
    private static let basis: UInt64 = 0xcbf2_9ce4_8422_2325
    private static let prime: UInt64 = 0x0000_0100_0000_01b3

    let end: Int
    let hash: UInt64

    /// Nil when there is no NUL.
    init?(_ bytes: ArraySlice<UInt8>) {
        var hash = Self.basis
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let byte = bytes[index]
            if byte == 0 {
                end = index
                self.hash = Self.spread(hash)
                return
            }
            hash = (hash ^ UInt64(byte)) &* Self.prime
            index += 1
        }
        return nil
    }

    static func hash(of call: [UInt8]) -> UInt64 {
        spread(call.reduce(basis) { ($0 ^ UInt64($1)) &* prime })
    }

    /// The upper bits are the well-mixed ones, the lower ones choose the place.
    private static func spread(_ hash: UInt64) -> UInt64 { hash ^ (hash >> 32) }
}
