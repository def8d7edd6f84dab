// SPDX-License-Identifier: MIT

/// The name that is nearest to a misspelt one; nil when none is near.
///
/// Near means that at most one letter in three was changed, left out, added or swapped with its neighbour. Letter case
/// does not count.
package func nearestName(to name: String, among names: [String]) -> String? {
    // Longer text is not a mistyped name, and the distance takes time in proportion to the product of the lengths.
    guard !name.isEmpty, name.utf8.count <= 64 else { return nil }
    let letters = Array(name.lowercased().utf8)
    var nearest: (name: String, distance: Int)?
    for candidate in names where candidate.utf8.count <= 64 {
        let candidateLetters = Array(candidate.lowercased().utf8)
        let distance = editDistance(letters, candidateLetters)
        guard distance <= max(1, max(letters.count, candidateLetters.count) / 3) else { continue }
        guard min(letters.count, candidateLetters.count) > distance else { continue }
        if distance < nearest?.distance ?? .max { nearest = (candidate, distance) }
    }
    return nearest?.name
}

/// The distance of Damerau and Levenshtein in its simple form, row by row.
func editDistance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var beforePrevious: [Int] = []
    var previous = Array(0...right.count)
    for (row, letter) in left.enumerated() {
        var current = [row + 1]
        for (column, other) in right.enumerated() {
            var best = min(previous[column + 1] + 1, current[column] + 1, previous[column] + (letter == other ? 0 : 1))
            if row > 0, column > 0, letter == right[column - 1], left[row - 1] == other {
                best = min(best, beforePrevious[column - 1] + 1)
            }
            current.append(best)
        }
        (beforePrevious, previous) = (previous, current)
    }
    return previous[right.count]
}
