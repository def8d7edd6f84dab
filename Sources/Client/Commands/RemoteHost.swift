// SPDX-License-Identifier: MIT
import Console
import Glibc
import Link
import Platform
import Spelling

/// `todayctl -H HOST`: the same command on another machine, by ssh(1), with the user's keys and rights there.
struct RemoteHost {
    static let option = "host"
    private let host: String

    /// - Parameter host: the name of the machine for ssh.
    init(_ host: String) throws(ClientError) {
        guard !host.isEmpty, host.first != "-" else {
            throw ClientError("--host: '\(host)' is not a machine (try office or ada@office)", .usage)
        }
        self.host = host
    }

    /// The arguments of ssh.
    ///
    /// - Parameters:
    ///   - arguments: those of todayctl, with the option for the machine.
    ///   - isTerminal: whether the command there has a terminal, for colours, width and keys.
    func words(for arguments: [String], isTerminal: Bool) -> [String] {
        let there = ["todayctl"] + Self.withoutOption(arguments)
        return [isTerminal ? "-t" : "-T", "--", host, ShellWords.onOtherMachine("exec \(ShellWords.text(of: there))")]
    }

    /// Removes `-H HOST`, `-HHOST`, `--host HOST` and `--host=HOST`.
    static func withoutOption(_ arguments: [String]) -> [String] {
        var words: [String] = []
        var rest = arguments[...]
        while let word = rest.popFirst() {
            if word == "--" { return words + [word] + rest }
            if word == "-H" || word == "--\(option)" {
                rest = rest.dropFirst()
            } else if !word.hasPrefix("-H"), !word.hasPrefix("--\(option)=") {
                words.append(word)
            }
        }
        return words
    }

    /// - Returns: the exit status of the remote command, or ssh's own, 255, if it gets no further; ssh reports why.
    func run(_ arguments: [String], _ environment: EnvironmentVariables) throws(ClientError) -> Int32 {
        guard let program = SpawnedProgram.find("ssh", in: environment.programPath) else {
            throw ClientError("--host needs ssh, which is not installed")
        }
        let isTerminal = isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
        var plan = SpawnedProgram.Plan(program, words(for: arguments, isTerminal: isTerminal))
        plan.input = .descriptor(STDIN_FILENO)
        let ending: SpawnedProgram.Ending
        do throws(SpawnedProgram.Failure) { ending = try SpawnedProgram(plan).wait() } catch {
            throw ClientError("\(error)")
        }
        switch ending {
        case .exited(127): throw ClientError("\(host) has no todayctl in PATH or ~/.local/bin")
        case .exited(let status): return status
        // As in shells.
        case .killed(let signal): return 128 + signal
        }
    }
}
