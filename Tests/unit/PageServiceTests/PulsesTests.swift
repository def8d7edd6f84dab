// SPDX-License-Identifier: MIT
import Testing

@testable import PageService

@Suite struct PulsesTests {
    private static let second: Int64 = 1_000_000

    @Test func newStreamsDoNotDelayThem() {
        var pulses = Pulses()
        var due = pulses.streamBegan(at: 5 * Self.second)
        #expect(due == 25 * Self.second)
        due = pulses.streamBegan(at: 15 * Self.second)
        #expect(due == nil)
        due = pulses.sent(at: 25 * Self.second, hasStreams: true)
        #expect(due == 45 * Self.second)
        due = pulses.streamBegan(at: 35 * Self.second)
        #expect(due == nil)
    }

    @Test func theyRestWhileThereAreNoStreams() {
        var pulses = Pulses()
        _ = pulses.streamBegan(at: 0)
        var due = pulses.sent(at: 20 * Self.second, hasStreams: false)
        #expect(due == nil)
        due = pulses.streamBegan(at: 60 * Self.second)
        #expect(due == 80 * Self.second)
    }
}
