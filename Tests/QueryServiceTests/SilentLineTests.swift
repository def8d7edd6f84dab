// SPDX-License-Identifier: MIT
import Testing

@testable import QueryService

/// Which connections make room for others.
@Suite struct SilentLineTests {
    private func line(_ keys: ClosedRange<UInt64>) -> SilentLine {
        var line = SilentLine()
        for key in keys { line.append(key) { _ in true } }
        return line
    }

    @Test func theLongestSilentIsFirst() {
        var line = line(1...3)
        let order = (0..<4).map { _ in line.next { _ in .silent } }
        #expect(order == [1, 2, 3, nil])
    }

    @Test func closedConnectionsAreSkipped() {
        var line = line(1...5)
        let first = line.next { $0 < 4 ? .gone : .silent }
        #expect(first == 4 && line.count == 1)
        let none = line.next { _ in .gone }
        #expect(none == nil && line.count == 0)
    }

    @Test func aConnectionWithUnreadBytesGoesToTheEnd() {
        var line = line(1...4)
        let first = line.next { $0 <= 2 ? .speaking : .silent }
        #expect(first == 3)
        let order = (0..<3).map { _ in line.next { _ in .silent } }
        #expect(order == [4, 1, 2])
    }

    @Test func oneSearchPassesFewConnectionsWithUnreadBytes() {
        var line = line(1...1_000)
        var met = 0
        let none = line.next { _ in
            met += 1
            return .speaking
        }
        #expect(none == nil && met == 32 && line.count == 1_000)
    }

    /// A connection that comes, calls and leaves takes no room for good, and silent ones keep their place.
    @Test func theLineIsNoLongerThanTwiceTheSilent() {
        var line = line(1...10)
        for key in UInt64(11)...10_000 { line.append(key) { $0 <= 10 || $0 == key } }
        #expect(line.count <= 65)
        let order = (0..<10).map { _ in line.next { $0 <= 10 ? .silent : .gone } }
        #expect(order == (1...10).map { UInt64($0) })
    }

    /// Cleaning the line looks at each connection, so it happens when the line has doubled.
    @Test func theLineIsTidiedUpWhenItHasDoubled() {
        var line = SilentLine()
        var looks: [UInt64: Int] = [:]
        for key in UInt64(1)...300 {
            line.append(key) { _ in
                looks[key, default: 0] += 1
                return true
            }
        }
        #expect(looks == [65: 64, 129: 128, 257: 256])
        looks = [:]
        // When nearly all have gone, the limit shrinks: the next 64 connections come without a look.
        for key in UInt64(301)...600 {
            line.append(key) {
                looks[key, default: 0] += 1
                return $0 == 1
            }
        }
        #expect(looks == [513: 512, 576: 64])
    }
}
