// SPDX-License-Identifier: MIT
import Glibc
import Platform
import TodayModel

/// Whether bubblewrap can sandbox a program here: some systems have no bwrap(1), and others refuse its namespaces.
enum SandboxTrial {
    /// Why it cannot.
    static func trouble(_ environment: [String: String]) -> String? {
        let programs = ProgramPath.directories(in: environment).map { "\($0)/bwrap" }
        guard let program = programs.first(where: { access($0, X_OK) == 0 }) else {
            return "a sandbox needs bubblewrap, and there is no bwrap in PATH (Debian: apt install bubblewrap)"
        }
        let words = ["--unshare-all", "--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev", "/bin/true"]
        // The pipe keeps bwrap's complaint off this program's standard error.
        var plan = SpawnedProgram.Plan(program, words, output: .pipe)
        plan.joinsErrors = true
        if let trial = try? SpawnedProgram(plan), trial.wait() == .exited(0) { return nil }
        return "bubblewrap cannot make a sandbox here; '\(program) \(words.joined(separator: " "))' says why"
    }
}
