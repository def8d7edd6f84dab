// SPDX-License-Identifier: MIT
import Testing

extension Integration {
    /// The helpers of these tests.
    @Suite struct FixturesTests {
        /// Otherwise a test could wait without end.
        @Test func followingFailsWhenTheConditionNeverHolds() throws {
            let daemon = try PrivateDaemon(widgets: Widgets.script("a", "echo good"))
            try daemon.follow("a") { $0.content?.text == "good" }
            let begin = ContinuousClock.now
            #expect(throws: (any Error).self) {
                try daemon.follow("a", for: .milliseconds(300)) { $0.content?.text == "never" }
            }
            #expect(ContinuousClock.now - begin < .seconds(10))
        }
    }
}
