// SPDX-License-Identifier: MIT
import Glibc
import Reactor

/// The event loop of a test process, on a thread of its own. A suite with `@LoopActor` tests begins with
/// `init() { TestLoop.start() }`. Then such tests run on the loop, and the loop handles events while they wait.
package enum TestLoop {
    package static func start() { _ = thread }

    private static let thread: pthread_t = {
        var thread = pthread_t()
        let result = pthread_create(
            &thread, nil,
            { _ in
                do {
                    let code = try EventLoop.run {}
                    preconditionFailure("a test ended the shared event loop with code \(code)")
                } catch {
                    preconditionFailure("\(error)")
                }
            }, nil)
        precondition(result == 0, "no thread for the event loop: \(String(cString: strerror(result)))")
        return thread
    }()
}
