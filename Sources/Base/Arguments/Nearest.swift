// SPDX-License-Identifier: MIT

/// The candidate that was probably meant by `name`, or nil when none is near. The first wins among equals.
package func nearest(_ name: String, in candidates: some Sequence<String>) -> String? {
    let typed = Array(name.utf8)
    // A third of the word may be wrong, or one letter of a short one: beyond that a suggestion is noise.
    let allowed = max(1, typed.count / 3)
    var best: (candidate: String, distance: Int)?
    for candidate in candidates {
        let bytes = Array(candidate.utf8)
        guard abs(bytes.count - typed.count) <= allowed else { continue }
        let distance = editDistance(typed, bytes)
        if distance <= allowed, distance < best?.distance ?? .max {
            best = (candidate, distance)
        }
    }
    if let best { return best.candidate }
    // A beginning is as good a hint as a slip: `--js` for `--json`.
    return typed.count < 2 ? nil : candidates.first { $0.hasPrefix(name) }
}

/// Insertions, deletions, replacements and swaps of neighbours that turn one word into the other (optimal string
/// alignment); three rows of the matrix suffice.
func editDistance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var beforePrevious: [Int] = []
    var previous = Array(0...right.count)
    for row in 0..<left.count {
        var current = [row + 1]
        current.reserveCapacity(right.count + 1)
        for column in 0..<right.count {
            let replaced = previous[column] + (left[row] == right[column] ? 0 : 1)
            var cost = min(replaced, previous[column + 1] + 1, current[column] + 1)
            if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                cost = min(cost, beforePrevious[column - 1] + 1)
            }
            current.append(cost)
        }
        (beforePrevious, previous) = (previous, current)
    }
    return previous[right.count]
}
