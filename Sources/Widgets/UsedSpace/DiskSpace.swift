// SPDX-License-Identifier: MIT
import Glibc

/// How much of a file system its users can use and have used: the same numbers and the same percentage as df(1).
struct DiskSpace: Hashable, Sendable {
    /// Without the blocks that the file system reserves for root (ext4: 5 %): once the others are used, the disk is full for
    /// its users.
    let total: UInt64
    /// How much users can still write.
    let free: UInt64

    init(total: UInt64, free: UInt64) {
        self.total = total
        self.free = min(free, total)
    }

    var used: UInt64 { total - free }

    /// The used part, 0 to 1. A file system without a size has used nothing.
    var rate: Double { total == 0 ? 0 : Double(used) / Double(total) }
}

// MARK: - Asking the file system

extension DiskSpace {
    /// Why a file system has not told its size.
    struct Unknown: Error, Hashable, CustomStringConvertible {
        let description: String
    }

    /// Asks the file system of `path`: statvfs(3).
    init(of path: String) throws(Unknown) {
        var status = statvfs()
        while statvfs(path, &status) != 0 {
            if errno == EINTR { continue }
            throw Unknown(description: "cannot tell how full \(path) is: \(String(cString: strerror(errno)))")
        }
        let unit = UInt64(status.f_frsize != 0 ? status.f_frsize : status.f_bsize)
        let blocks = UInt64(status.f_blocks)
        let used = blocks - min(UInt64(status.f_bfree), blocks)
        // Overlays and quotas may report more available blocks than there are.
        let available = min(UInt64(status.f_bavail), blocks - used)
        let (total, isTooLarge) = (used + available).multipliedReportingOverflow(by: unit)
        guard total > 0, !isTooLarge else {
            throw Unknown(
                description: "cannot tell how full \(path) is: its file system has no size, as /proc has none")
        }
        self.init(total: total, free: available * unit)
    }
}

// MARK: - Visible changes

extension DiskSpace {
    /// A hundredth of a percent of the disk. A smaller change does not show.
    static let threshold = 0.0001

    /// Whether a host shows a difference between two rates, in either direction.
    static func isVisibleChange(from old: Double, to new: Double) -> Bool {
        // A rate that was never known, or that is not a number, differs from every other.
        guard old.isFinite, new.isFinite else { return true }
        // 0.5001 - 0.5 is slightly less than 0.0001 in binary; a change of exactly the threshold must count.
        return abs(new - old) >= threshold * (1 - 1e-9)
    }

    /// Whether a host shows a difference between two measurements. The rate may stay the same while the disk grows.
    func differsVisibly(from old: DiskSpace) -> Bool {
        if Self.isVisibleChange(from: old.rate, to: rate) { return true }
        return Self.isVisibleChange(from: 1, to: Double(total) / Double(max(old.total, 1)))
    }
}

// MARK: - Text

/// Sizes and rates as people read them.
enum SpaceText {
    /// A rate from 0 to 1 as `0.0%` to `100.0%`, rounded to one decimal. Only a full disk has 100.0%, and only an empty one
    /// 0.0%.
    static func percentage(_ rate: Double) -> String {
        guard rate.isFinite else { return "--" }
        let part = min(max(rate, 0), 1)
        var tenths = Int((part * 1_000).rounded())
        if tenths == 1_000 && part < 1 { tenths = 999 }
        if tenths == 0 && part > 0 { tenths = 1 }
        return "\(tenths / 10).\(tenths % 10)%"
    }

    /// Bytes as `df -h` prints them: powers of 1024, one decimal below ten, rounded up.
    static func size(_ bytes: UInt64) -> String {
        var unit: UInt64 = 1
        for suffix in ["", "K", "M", "G", "T", "P", "E"] {
            let (whole, rest) = bytes.quotientAndRemainder(dividingBy: unit)
            if unit == 1 {
                if whole < 1_024 { return "\(whole)" }
            } else {
                // The rest is below 2^60, so ten times the rest fits into 64 bits.
                let tenths = whole * 10 + (rest * 10 + unit - 1) / unit
                if tenths < 100 { return "\(tenths / 10).\(tenths % 10)\(suffix)" }
                let rounded = whole + (rest > 0 ? 1 : 0)
                if rounded < 1_024 || suffix == "E" { return "\(rounded)\(suffix)" }
            }
            // 1023.5M rounds up to 1024M, which the next unit shows as 1.0G.
            unit = suffix == "E" ? unit : unit << 10
        }
        return "\(bytes)"
    }
}
