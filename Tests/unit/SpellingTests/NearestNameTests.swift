// SPDX-License-Identifier: MIT
import Testing

@testable import Spelling

@Suite struct NearestNameTests {
    @Test(arguments: [
        ("", "", 0), ("a", "", 1), ("", "abc", 3), ("disk", "disk", 0), ("disk", "dsik", 1), ("disk", "desk", 1),
        ("kitten", "sitting", 3), ("ab", "ba", 1), ("ca", "abc", 3),
    ])
    func distanceCountsEdits(left: String, right: String, distance: Int) {
        #expect(editDistance(Array(left.utf8), Array(right.utf8)) == distance)
    }

    @Test(
        arguments: [
            ("jsn", "json"), ("shwo", "show"), ("colour", "color"), ("st", "set"), ("JSON", "json"), ("qqqq", nil),
            ("x", nil), ("", nil),
        ] as [(String, String?)])
    func onlyWhatIsNearIsMeant(name: String, expected: String?) {
        #expect(nearestName(to: name, among: ["json", "show", "set", "color", "expand"]) == expected)
    }

    @Test(
        arguments: [
            ("Title", "title"), ("tilte", "title"), ("titel", "title"), ("xyz", nil), ("t", nil),
            ("backgroundcolor", "background-color"),
        ] as [(String, String?)])
    func oneLetterInThreeMayBeWrong(name: String, expected: String?) {
        #expect(nearestName(to: name, among: ["title", "color", "background-color", "tooltip"]) == expected)
    }

    @Test(
        arguments: [
            ("width", "BarWidth"), ("Exec", "ExecStart"), ("bar", nil), ("format", "BarFormat"), ("ex", nil),
            ("idt", nil),
        ] as [(String, String?)])
    func aPartOfOneNameIsLikely(name: String, expected: String?) {
        #expect(likelyName(for: name, among: ["BarWidth", "BarFormat", "ExecStart", "Interval"]) == expected)
    }

    @Test func longNamesAreNoSlips() {
        let long = String(repeating: "a", count: 1_000)
        #expect(nearestName(to: long, among: [long + "b"]) == nil)
        let longest = String(repeating: "a", count: 64)
        #expect(nearestName(to: longest, among: [longest + "b", longest.dropLast() + "b"]) == longest.dropLast() + "b")
        #expect(nearestName(to: longest + "b", among: [longest]) == nil)
    }

    /// A third of the longer of both names may be wrong, but not the whole of the shorter one.
    @Test(
        arguments: [
            ("abcdef", "abcd", "abcd"), ("abcde", "abc", nil), ("abcd", "abcdef", "abcdef"), ("a", "b", nil),
            ("a", "ab", nil),
            ("ab", "abc", "abc"),
        ] as [(String, String, String?)])
    func theLongerNameCounts(name: String, candidate: String, expected: String?) {
        #expect(nearestName(to: name, among: [candidate]) == expected)
    }
}
