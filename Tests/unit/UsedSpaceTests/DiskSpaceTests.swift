// SPDX-License-Identifier: MIT
import Glibc
import TestSupport
import Testing

@testable import used_space_widget

@Suite struct DiskSpaceTests {
    @Test func usedIsWhatIsNotFree() {
        let space = DiskSpace(total: 1_000, free: 250)
        #expect(space.used == 750)
        #expect(space.rate == 0.75)
        #expect(DiskSpace(total: 0, free: 0).rate == 0)
        // With more free space than the total, nothing is used, and nothing overflows.
        #expect(DiskSpace(total: 1_000, free: 2_000).used == 0)
        #expect(DiskSpace(total: .max, free: 1).rate == 1)
    }

    @Test func theRootHasASize() throws {
        let space = try DiskSpace(of: "/")
        #expect(space.total > 0)
        #expect((0...1).contains(space.rate))
    }

    /// Compares with df itself, which rounds its percentage up. The limits allow for what other programs write meanwhile.
    @Test(.enabled(if: BuiltPrograms.installed("df") != nil, "needs df")) func theNumbersAreThoseOfDf() throws {
        let stream = try #require(popen("LC_ALL=C df --block-size=1 --output=used,avail,pcent /", "r"))
        defer { pclose(stream) }
        var bytes: [UInt8] = []
        while case let byte = getc(stream), byte != EOF { bytes.append(UInt8(truncatingIfNeeded: byte)) }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        let words = try #require(lines.last).split(separator: " ")
        let (used, free) = (try #require(Double(words[0])), try #require(Double(words[1])))
        let space = try DiskSpace(of: "/")
        #expect(abs(Double(space.used) - used) < 0.01 * (used + free))
        #expect(abs(Double(space.free) - free) < 0.01 * (used + free))
        let percent = try #require(Double(words[2].dropLast()))
        #expect(abs(space.rate * 100 - percent) <= 2)
    }

    @Test func withoutASizeTheErrorNamesThePath() {
        #expect(
            throws: DiskSpace.Unknown(
                description: "cannot tell how full /nonexistent is: No such file or directory")
        ) { try DiskSpace(of: "/nonexistent") }
        #expect(
            throws: DiskSpace.Unknown(
                description: "cannot tell how full /proc is: its file system has no size, as /proc has none")
        ) { try DiskSpace(of: "/proc") }
    }

    struct Step: CustomTestStringConvertible {
        let old: Double
        let new: Double
        let isVisible: Bool
        var testDescription: String { "\(old) to \(new)" }

        init(_ old: Double, _ new: Double, _ isVisible: Bool) {
            (self.old, self.new, self.isVisible) = (old, new, isVisible)
        }
    }

    static let steps: [Step] = [
        Step(0.5, 0.5, false), Step(0.5, 0.50009, false), Step(0.5, 0.49991, false),
        // A change of exactly the threshold counts, although these differences are slightly smaller in binary.
        Step(0.5, 0.5001, true), Step(0.5001, 0.5, true), Step(0.9, 0.9001, true), Step(0.9001, 0.9, true),
        Step(0.5, 0.6, true), Step(0.6, 0.5, true), Step(0, 1, true), Step(1, 0, true), Step(0, 0.00009, false),
        Step(.nan, 0.5, true), Step(0.5, .infinity, true),
    ]

    @Test(arguments: steps) func aChangeIsVisibleInEitherDirection(_ step: Step) {
        #expect(DiskSpace.isVisibleChange(from: step.old, to: step.new) == step.isVisible)
        #expect(DiskSpace.isVisibleChange(from: step.new, to: step.old) == step.isVisible)
    }

    @Test func slowChangesAddUp() {
        // Each step is too small. But each value is compared with the shown one, not with the one before.
        let shown = DiskSpace(total: 1_000_000, free: 500_000)
        #expect(!DiskSpace(total: 1_000_000, free: 499_940).differsVisibly(from: shown))
        #expect(DiskSpace(total: 1_000_000, free: 499_880).differsVisibly(from: shown))
        #expect(DiskSpace(total: 1_000_000, free: 500_120).differsVisibly(from: shown))
    }

    @Test func aDiskThatGrowsInProportionDiffersVisibly() {
        let shown = DiskSpace(total: 1_000_000, free: 500_000)
        #expect(DiskSpace(total: 2_000_000, free: 1_000_000).differsVisibly(from: shown))
        #expect(!DiskSpace(total: 1_000_010, free: 500_005).differsVisibly(from: shown))
        #expect(shown.differsVisibly(from: DiskSpace(total: 0, free: 0)))
    }
}
