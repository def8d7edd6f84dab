// SPDX-License-Identifier: MIT

import Glibc
import Platform
import Varlink

/// pkttyagent(1), which asks for passwords in this terminal where the session has no program that does, as systemctl has it.
final class PasswordAgent {
    private let program: SpawnedProgram?

    /// Waits until the agent is registered. Without one, polkit says no.
    ///
    /// - Parameter path: directories, as in PATH.
    init(in path: String) {
        let words = ["--process", "\(getpid())", "--notify-fd", "1", "--fallback"]
        program = SpawnedProgram.find("pkttyagent", in: path).flatMap {
            try? SpawnedProgram(.init($0, words, output: .pipe))
        }
        // It closes the pipe when it is registered, and ends where it cannot be.
        while program?.read() != nil {}
        program?.closeOutput()
    }

    deinit {
        program?.signal(SIGTERM)
        _ = program?.wait()
    }
}
