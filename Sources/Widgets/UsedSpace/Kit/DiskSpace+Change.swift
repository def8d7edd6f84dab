// SPDX-License-Identifier: MIT

extension DiskSpace {
    /// A hundredth of a percent of the disk: a smaller change cannot be seen.
    package static let threshold = 0.0001

    /// Whether the step from one rate to another is worth a new picture: in either direction, as space is freed, too.
    package static func isVisible(from old: Double, to new: Double) -> Bool {
        // What was never known, or is no number, is different from everything.
        guard old.isFinite, new.isFinite else { return true }
        // 0.5001 - 0.5 is a hair less than 0.0001 in binary; a step of exactly the threshold counts.
        return abs(new - old) >= threshold * (1 - 1e-9)
    }

    /// Whether the picture of another moment would be different. A disk that has grown with its contents is.
    package func differsVisibly(from old: DiskSpace) -> Bool {
        if Self.isVisible(from: old.rate, to: rate) { return true }
        return Self.isVisible(from: 1, to: Double(total) / Double(max(old.total, 1)))
    }
}
