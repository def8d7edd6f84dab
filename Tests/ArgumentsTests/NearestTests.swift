// SPDX-License-Identifier: MIT

import Testing

@testable import Arguments

@Suite struct NearestTests {
    @Test(arguments: [
        ("", "", 0), ("a", "", 1), ("", "abc", 3), ("disk", "disk", 0), ("disk", "dsik", 1), ("disk", "desk", 1),
        ("kitten", "sitting", 3), ("ab", "ba", 1), ("ca", "abc", 3),
    ])
    func distanceCountsEdits(left: String, right: String, distance: Int) {
        #expect(editDistance(Array(left.utf8), Array(right.utf8)) == distance)
    }

    @Test(
        arguments: [
            ("jsn", "json"), ("shwo", "show"), ("colour", "color"), ("st", "set"), ("exp", "expand"), ("qqqq", nil),
            ("x", nil),
        ] as [(String, String?)])
    func onlyWhatIsNearIsSuggested(name: String, expected: String?) {
        #expect(nearest(name, in: ["json", "show", "set", "color", "expand"]) == expected)
    }
}
