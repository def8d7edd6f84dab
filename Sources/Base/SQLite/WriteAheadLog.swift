// SPDX-License-Identifier: MIT
import Glibc

/// The state of a database's write-ahead log, from its checksums (sqlite.org/fileformat2.html, "The Write-Ahead Log").
/// SQLite reads a log up to the first frame with a wrong checksum and reports nothing: after a crash that is the end of
/// the log. This type finds out whether frames were written after it.
package struct WriteAheadLog: Equatable, Sendable {
    /// How many frames SQLite reads; `frames` is how many there are.
    package private(set) var readable = 0
    package private(set) var frames = 0
    private var pageSize = 0
    /// The header is damaged, so SQLite reads no frame.
    package private(set) var isHeaderDamaged = false
    /// SQLite does not read a frame that was written.
    package private(set) var isFrameDamaged = false

    /// The log is longer than `mostBytes` and was not read, because that would delay a start by a minute. It counts as
    /// damaged: a log that is checkpointed at a few MiB does not become so long.
    package private(set) var isTooLong = false
    static let mostBytes: off_t = 1 << 30

    /// What is damaged; nil when nothing is.
    package var damage: String? {
        if isTooLong { return "its log is longer than \(Self.mostBytes) bytes" }
        if isHeaderDamaged { return "the header of its log is damaged, and with it all of \(frames) pages" }
        return isFrameDamaged ? "its log is damaged: \(readable) of \(frames) pages can be read" : nil
    }

    /// Nil when there is no log, or when it cannot be read.
    package init?(of database: String) {
        let log = open(database + "-wal", O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard log >= 0 else { return nil }
        defer { close(log) }
        var status = stat()
        guard fstat(log, &status) != 0 || status.st_size <= Self.mostBytes else {
            self.init(isTooLong: true)
            return
        }
        self.init { bytes, offset in pread(log, &bytes, bytes.count, off_t(offset)) == bytes.count }
    }

    private init(isTooLong: Bool) { self.isTooLong = isTooLong }

    /// - Parameter read: fills the array from an offset; false when there are not so many bytes.
    init?(reading read: (inout [UInt8], Int) -> Bool) {
        var bytes = [UInt8](repeating: 0, count: Self.headerSize)
        guard read(&bytes, 0) else { return nil }
        let header = Header(bytes)
        pageSize = header.pageSize
        var frame = [UInt8](repeating: 0, count: Frame.headerSize + header.pageSize)

        var sum = header.sum
        var hasEnded = !header.isValid
        var tail = Tail()
        while read(&frame, Self.place(of: frames, pageSize: pageSize)) {
            frames += 1
            let found = Frame(frame)
            if hasEnded {
                if header.isValid, found.salts == header.salts { tail.add(found) }
                continue
            }
            let fits = header.checksum(of: frame, after: sum) == found.sum
            if fits, found.salts == header.salts {
                readable += 1
                sum = found.sum
            } else {
                hasEnded = true
                isFrameDamaged = fits
                if found.salts == header.salts { tail.add(found) }
            }
        }
        isHeaderDamaged = !header.isValid && frames > 0
        let cut = Self.place(of: readable, pageSize: pageSize)
        let end = Self.place(of: frames, pageSize: pageSize)
        isFrameDamaged =
            isFrameDamaged || tail.isOfSeveral || tail.isWhole && !Self.hasUnwrittenBlock(from: cut, to: end, read)
    }

    private static let headerSize = 32

    /// Whether a block of the file system was never written, which reads as zeros: the log only grows, and a transaction that is
    /// synced has all its blocks. A written one has part of a frame's header or of the end of a page.
    private static func hasUnwrittenBlock(from start: Int, to end: Int, _ read: (inout [UInt8], Int) -> Bool) -> Bool {
        let size = 4_096
        var start = start
        while start < end {
            let next = min(end, (start / size + 1) * size)
            var block = [UInt8](repeating: 0, count: next - start)
            if block.count >= 512, read(&block, start), block.allSatisfy({ $0 == 0 }) { return true }
            start = next
        }
        return false
    }

    /// The offset of a frame in the log.
    private static func place(of frame: Int, pageSize: Int) -> Int {
        headerSize + frame * (Frame.headerSize + pageSize)
    }
}

extension WriteAheadLog {
    /// Two sums that run on from frame to frame.
    fileprivate struct Sum: Equatable {
        var first: UInt32 = 0
        var second: UInt32 = 0
    }

    /// Two numbers, new for each log: every frame repeats them.
    private struct Salts: Equatable {
        let first: UInt32
        let second: UInt32
    }

    private struct Header {
        let isValid: Bool
        let pageSize: Int
        let salts: Salts
        let sum: Sum
        private let isBigEndian: Bool

        init(_ bytes: [UInt8]) {
            isBigEndian = bytes.word(0) & 1 == 1
            salts = Salts(first: bytes.word(16), second: bytes.word(20))
            sum = Sum(first: bytes.word(24), second: bytes.word(28))
            let size = Int(bytes.word(8))
            let isSize = (512...65_536).contains(size) && size & (size - 1) == 0
            // If the size is damaged, assume the default of SQLite.
            pageSize = isSize ? size : 4_096
            isValid =
                bytes.word(0) & ~1 == 0x377f_0682 && bytes.word(4) == 3_007_000 && isSize
                && Sum().adding(bytes[..<24], isBigEndian: isBigEndian) == sum
        }

        /// The checksum that a frame must have if it follows another one.
        func checksum(of frame: [UInt8], after sum: Sum) -> Sum {
            sum.adding(frame[..<8], isBigEndian: isBigEndian)
                .adding(frame[Frame.headerSize...], isBigEndian: isBigEndian)
        }
    }

    /// The frames of this log from the first one that SQLite does not read. After a power cut they are part of one transaction,
    /// which was never acknowledged: each is synced before the next begins.
    private struct Tail {
        /// Whether a transaction ends in them. It was acknowledged if it was written as a whole.
        private(set) var isWhole = false
        /// Whether another transaction has begun after that, so that the first one was acknowledged.
        private(set) var isOfSeveral = false

        mutating func add(_ frame: Frame) {
            isOfSeveral = isOfSeveral || isWhole
            isWhole = isWhole || frame.pages > 0
        }
    }

    private struct Frame {
        static let headerSize = 24
        /// Of the whole database where a transaction ends, else 0.
        let pages: Int
        let salts: Salts
        let sum: Sum

        init(_ bytes: [UInt8]) {
            pages = Int(bytes.word(4))
            salts = Salts(first: bytes.word(8), second: bytes.word(12))
            sum = Sum(first: bytes.word(16), second: bytes.word(20))
        }
    }
}

extension WriteAheadLog.Sum {
    /// The sum after these bytes, whose number is a multiple of eight.
    fileprivate func adding(_ bytes: ArraySlice<UInt8>, isBigEndian: Bool) -> Self {
        var sum = self
        bytes.withUnsafeBytes { bytes in
            for offset in stride(from: 0, to: bytes.count, by: 8) {
                let first = bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
                let second = bytes.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
                sum.first &+= (isBigEndian ? first.bigEndian : first.littleEndian) &+ sum.second
                sum.second &+= (isBigEndian ? second.bigEndian : second.littleEndian) &+ sum.first
            }
        }
        return sum
    }
}

extension [UInt8] {
    /// The four bytes from an offset on, as everything but the pages is written.
    func word(_ offset: Int) -> UInt32 {
        self[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }
}
