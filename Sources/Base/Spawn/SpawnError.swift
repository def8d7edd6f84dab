// SPDX-License-Identifier: MIT
import CLinux
import Glibc

/// Why a program could not be started: which step, on what, and the error of the system call.
package struct SpawnError: Error, Equatable, CustomStringConvertible {
    package enum Step: Sendable {
        case plan, pipe, fork, group, session, parentDeathSignal, sandbox, descriptors, directory, limits, execute,
            watch
    }

    package let step: Step
    /// The file the step was about: the program or the directory.
    package let path: String
    /// An errno, for the words of strerror(3).
    package let code: Int32
    /// What is wrong with the program's file, if it is more exact than the text of strerror(3).
    private let diagnosis: String?

    package init(step: Step, path: String, code: Int32) {
        self.step = step
        self.path = path
        self.code = code
        diagnosis = step == .execute ? ExecutableFile.diagnosis(of: path, code: code) : nil
    }

    init(_ failure: clinux_launch_failure, plan: LaunchPlan) {
        let steps: [UInt32: Step] = [
            CLINUX_STEP_FORK.rawValue: .fork, CLINUX_STEP_GROUP.rawValue: .group,
            CLINUX_STEP_SESSION.rawValue: .session,
            CLINUX_STEP_PARENT_DEATH_SIGNAL.rawValue: .parentDeathSignal,
            CLINUX_STEP_SANDBOX.rawValue: .sandbox, CLINUX_STEP_DESCRIPTORS.rawValue: .descriptors,
            CLINUX_STEP_DIRECTORY.rawValue: .directory,
            CLINUX_STEP_LIMITS.rawValue: .limits,
        ]
        let step = steps[UInt32(bitPattern: failure.step)] ?? .execute
        self.init(
            step: step, path: step == .directory ? plan.directory ?? "" : plan.executable, code: failure.error)
    }

    package var description: String {
        let cause = String(cString: strerror(code))
        return switch step {
        case .plan: "cannot start \(path): an argument or environment variable contains a NUL byte"
        case .pipe: "cannot make a pipe for \(path): \(cause)"
        case .fork: "cannot make a process for \(path): \(cause)"
        case .group: "cannot make a process for \(path) in a control group: \(cause)"
        case .session: "cannot make a session for \(path): \(cause)"
        case .parentDeathSignal: "cannot tie \(path) to its parent's life: \(cause)"
        case .sandbox: "cannot shut \(path) in: \(cause)"
        case .descriptors: "cannot set up the descriptors of \(path): \(cause)"
        case .directory: "cannot enter the directory \(path): \(cause)"
        case .limits: "cannot set the limits of \(path): \(cause)"
        case .execute: "cannot execute \(path): \(diagnosis ?? cause)"
        case .watch: "cannot watch \(path): \(cause)"
        }
    }
}

/// Why execve(2) has failed. Its "No such file or directory" may mean the interpreter, and "Permission denied" a
/// missing bit of the mode.
enum ExecutableFile {
    /// Examines the file after a failed execve(2); nil if errno's text is enough.
    static func diagnosis(of path: String, code: Int32) -> String? {
        switch code {
        case ENOENT:
            guard access(path, F_OK) == 0 else { return nil }
            return interpreter(of: path).map { "its interpreter \($0) does not exist" } ?? "its loader does not exist"
        case EACCES:
            var status = stat()
            guard stat(path, &status) == 0 else { return nil }
            if status.st_mode & S_IFMT == S_IFDIR { return "it is a directory" }
            if status.st_mode & 0o111 == 0 { return "it is not executable (chmod +x makes it so)" }
            return interpreter(of: path).flatMap {
                access($0, X_OK) == 0 ? nil : "its interpreter \($0) is not executable"
            }
        case ENOEXEC:
            return "it is neither a program nor a script that begins with #! and an interpreter"
        default:
            return nil
        }
    }

    /// The program that the first line of a script names.
    static func interpreter(of path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        // The kernel reads no more than this (BINPRM_BUF_SIZE).
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = read(descriptor, &bytes, bytes.count)
        guard bytes.starts(with: Array("#!".utf8)) else { return nil }
        let line = bytes[2..<count].prefix { $0 != UInt8(ascii: "\n") }
        let name = line.drop { $0 == 0x20 || $0 == 0x09 }.prefix { $0 != 0x20 && $0 != 0x09 }
        let text = String(decoding: name, as: UTF8.self)
        // The file may have any bytes, and control characters must not get into a message.
        guard !text.isEmpty, !text.unicodeScalars.contains(where: { $0.value < 0x20 && $0 != "\r" || $0.value == 0x7f })
        else { return nil }
        return text.hasSuffix("\r") ? "\(text.dropLast())\\r (the file has DOS line ends)" : text
    }
}
