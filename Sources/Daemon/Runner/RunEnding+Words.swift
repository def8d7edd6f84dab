// SPDX-License-Identifier: MIT
import Glibc
import Reactor
import TodayModel

extension RunEnding {
    /// How the program ended, in words.
    var exit: String {
        let status = status.map(String.init(describing:)) ?? "did not end when killed"
        return isAbandoned && self.status != nil ? "\(status), leaving processes that do not end when killed" : status
    }

    /// Why the run failed, in words; nil when the program ended by itself and well.
    func failure(of manifest: Manifest, errorOutput: String) -> String? {
        switch cause {
        case .timedOut:
            let timeout = manifest.update.timeout
            return "timed out after \(Self.inWords(timeout)) (Timeout=\(timeout.text))"
        case .tooMuchOutput:
            let most = manifest.limits.output
            return "printed more than \(Self.inWords(most)) (OutputMax=\(most.text))"
        case .cancelled(let reason):
            return reason
        case nil:
            break
        }
        guard let status, !status.isSuccess else { return status == nil ? exit : nil }
        let words = Self.inWords(status, memory: manifest.limits.memory, errorOutput: errorOutput)
        return Self.lastLine(of: errorOutput).map { "\(words): \($0)" } ?? words
    }

    /// What programs complain of last is mostly why they have failed. Nil where there is nothing to read.
    static func lastLine(of errorOutput: String) -> String? {
        let line = errorOutput.split(separator: "\n").last { line in !line.allSatisfy(\.isWhitespace) }
        return line.map { String($0.prefix(200)) }
    }

    /// 126 and 127 are what shells, env and xargs exit with; see "Exit status" in dash(1) and env(1).
    private static func inWords(_ status: ExitStatus, memory: ByteSize?, errorOutput: String) -> String {
        if let memory, complainsOfMemory(errorOutput) { return "\(status), out of memory (MemoryMax=\(memory.text))" }
        return switch status {
        case .exited(126): "\(status), a command in it could not be executed"
        case .exited(127): "\(status), a command in it was not found"
        case .killed(let signal, _) where memory != nil && [SIGKILL, SIGSEGV, SIGABRT, SIGBUS].contains(signal):
            // A program that gets no memory mostly dies of it in its own way; then the limit is a guess.
            "\(status), perhaps by MemoryMax=\(memory?.text ?? "")"
        case .exited, .killed, .lost: "\(status)"
        }
    }

    /// What the common languages and the C library say when they get no memory.
    private static func complainsOfMemory(_ text: String) -> Bool {
        let complaints = [
            "cannot allocate memory", "out of memory", "memoryerror", "bad_alloc", "memory exhausted",
            "heap out of memory", "failed to allocate memory",
        ]
        let text = text.lowercased()
        return complaints.contains { text.contains($0) }
    }

    /// `1min 30s` as in manifests, told as `1 min 30 s`.
    static func inWords(_ span: TimeSpan) -> String {
        var words = ""
        for character in span.text {
            if character.isLetter, words.last?.isNumber == true { words.append(" ") }
            words.append(character)
        }
        return words
    }

    /// `1M` as in manifests, told as `1 MiB`.
    static func inWords(_ size: ByteSize) -> String {
        let text = size.text
        guard let unit = text.last, unit.isLetter else { return "\(text) bytes" }
        return "\(text.dropLast()) \(unit)iB"
    }
}
