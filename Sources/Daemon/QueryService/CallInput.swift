// SPDX-License-Identifier: MIT
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
