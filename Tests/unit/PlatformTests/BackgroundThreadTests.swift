// SPDX-License-Identifier: MIT
import Glibc
import Platform
import Testing

@Suite struct BackgroundThreadTests {
    /// Those of three signals that the mask of this thread has.
    private static var blocked: [Int32] {
        var mask = sigset_t()
        pthread_sigmask(SIG_BLOCK, nil, &mask)
        return [SIGTERM, SIGPIPE, SIGXFSZ].filter { sigismember(&mask, $0) == 1 }
    }

    @Test func signalsGoToOtherThreads() async throws {
        let blocked = try await withCheckedThrowingContinuation { continuation in
            do {
                try BackgroundThread.start { continuation.resume(returning: Self.blocked) }
            } catch {
                continuation.resume(throwing: error)
            }
        }
        #expect(blocked == [SIGTERM, SIGPIPE, SIGXFSZ])
    }

    @Test func theStartingThreadKeepsItsMask() throws {
        let before = Self.blocked
        try BackgroundThread.start {}
        #expect(Self.blocked == before)
    }
}
