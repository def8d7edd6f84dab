// SPDX-License-Identifier: MIT
import Glibc
import TodayModel

/// Whether bubblewrap can shut a program in here: some systems have no bwrap(1), and others refuse its namespaces.
enum SandboxTrial {
    /// Why it cannot.
    static func trouble(_ environment: [String: String]) -> String? {
        let programs = ProgramPath.directories(in: environment).map { "\($0)/bwrap" }
        guard let program = programs.first(where: { access($0, X_OK) == 0 }) else {
            return "a sandbox needs bubblewrap, and there is no bwrap in PATH (Debian: apt install bubblewrap)"
        }
        let words = [program, "--unshare-all", "--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev", "/bin/true"]
        return runs(words) ? nil : "bubblewrap cannot make a sandbox here; '\(words.joined(separator: " "))' says why"
    }

    private static func runs(_ words: [String]) -> Bool {
        var files = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&files)
        defer { posix_spawn_file_actions_destroy(&files) }
        for (descriptor, mode) in [(STDIN_FILENO, O_RDONLY), (STDOUT_FILENO, O_WRONLY), (STDERR_FILENO, O_WRONLY)] {
            posix_spawn_file_actions_addopen(&files, descriptor, "/dev/null", mode, 0)
        }
        let arguments = words.map { strdup($0) }
        defer { for word in arguments { free(word) } }
        var pid: pid_t = 0
        guard posix_spawn(&pid, words[0], &files, nil, arguments + [nil], environ) == 0 else { return false }
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        return status == 0
    }
}
