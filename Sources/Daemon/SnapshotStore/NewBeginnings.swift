// SPDX-License-Identifier: MIT

/// When new databases were begun, each beside a damaged one that is kept: a disk that damages every one of them is not to
/// be filled with them.
struct NewBeginnings {
    static let most = 8
    static let span: Int64 = 3_600_000_000

    /// On the monotonic clock, oldest first.
    private var times: [Int64] = []

    mutating func add(at time: Int64) { times = times.suffix(Self.most - 1) + [time] }

    func areTooMany(at now: Int64) -> Bool {
        times.count == Self.most && times[0] > now - Self.span
    }
}
