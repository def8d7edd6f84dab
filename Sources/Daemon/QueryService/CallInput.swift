// SPDX-License-Identifier: MIT
import Platform
import Varlink

/// The bytes that came on one connection, cut into calls. Nearly always one read(2) brings one whole call, which is then
/// taken from where it was read to.
struct CallInput {
    /// One call, and what names it in the cache of replies.
    struct Call {
        let bytes: ArraySlice<UInt8>
        let hash: UInt64
    }

    /// What the last read brought, as far as it was not taken.
    private var chunk: ArraySlice<UInt8> = []
    /// What was kept from earlier reads.
    private var framer: MessageFramer

    init(limit: Int) { framer = MessageFramer(limit: limit) }

    /// The bytes that are kept while other connections have their turn.
    var keptBytes: Int { framer.bufferedBytes }

    /// All that has come and was not taken.
    var byteCount: Int { framer.bufferedBytes + chunk.count }

    mutating func append(_ bytes: ArraySlice<UInt8>) {
        if framer.bufferedBytes == 0 { chunk = bytes } else { framer.append(bytes) }
    }

    /// The next whole call, without its NUL.
    mutating func next() throws(FramingError) -> Call? {
        guard chunk.isEmpty else {
            guard let scan = CallScan(chunk) else { return nil }
            let call = Call(bytes: chunk[..<scan.end], hash: scan.hash)
            chunk = chunk[(scan.end + 1)...]
            if chunk.isEmpty { chunk = [] }
            return call
        }
        guard framer.bufferedBytes > 0, let call = try framer.next() else { return nil }
        return Call(bytes: call[...], hash: CallScan.hash(of: call))
    }

    /// Makes what is left of the last read its own, because the next read on any connection takes its place.
    mutating func keep() {
        guard !chunk.isEmpty else { return }
        framer.append(chunk)
        chunk = []
    }
}

/// Finds the end of the next call, and hashes it on the way: FNV-1a, which needs no more than one look at each byte.
/// A client that makes clashes on purpose only loses its place in the cache.
struct CallScan {
    let end: Int
    let hash: UInt64

    /// Nil when there is no NUL.
    init?(_ bytes: ArraySlice<UInt8>) {
        var hash = StableHash()
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let byte = bytes[index]
            if byte == 0 {
                end = index
                self.hash = Self.spread(hash)
                return
            }
            hash.combine(byte)
            index += 1
        }
        return nil
    }

    static func hash(of call: [UInt8]) -> UInt64 {
        spread(StableHash(call))
    }

    /// The upper bits are the well-mixed ones, the lower ones choose the place.
    private static func spread(_ hash: StableHash) -> UInt64 { hash.value ^ (hash.value >> 32) }
}
