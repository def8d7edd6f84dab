// SPDX-License-Identifier: MIT
import Platform
import Varlink

/// Cuts the bytes of one connection into calls. Usually one read(2) brings one whole call, which is then taken from the
/// read buffer without a copy.
struct CallInput {
    /// One call, and the hash that finds it in the reply cache.
    struct Call {
        let bytes: ArraySlice<UInt8>
        let hash: UInt64
    }

    /// The rest of the last read.
    private var chunk: ArraySlice<UInt8> = []
    /// The bytes that earlier reads left.
    private var framer: MessageFramer

    init(limit: Int) { framer = MessageFramer(limit: limit) }

    /// The bytes that the session keeps while other connections have their turn.
    var keptBytes: Int { framer.bufferedBytes }

    /// All bytes that have been read but not yet taken.
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

    /// Copies the rest of the last read, because the next read on any connection overwrites the buffer.
    mutating func keep() {
        guard !chunk.isEmpty else { return }
        framer.append(chunk)
        chunk = []
    }
}

/// Finds the end of the next call and hashes it in the same pass, with FNV-1a. A client that causes collisions on
/// purpose only loses its slot in the cache.
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

    /// Mixes the upper bits into the lower ones: FNV-1a mixes the upper ones better, and the lower ones choose the
    /// slot.
    private static func spread(_ hash: StableHash) -> UInt64 { hash.value ^ (hash.value >> 32) }
}
