// SPDX-License-Identifier: MIT
import Glibc

/// What the arguments of a program ask for.
package enum ProgramRequest<Options: Equatable>: Equatable {
    case run(Options)
    case print(String)
}

/// A program without subcommands, from its arguments to its exit status.
package enum Program {
    /// - Parameters:
    ///   - report: tells the user why the program ends with status 1.
    package static func run<Options>(
        _ request: () throws -> ProgramRequest<Options>, report: (_ reason: String) -> Void,
        _ body: (Options) throws -> Int32
    ) -> Int32 {
        StandardStreams.fill()
        do {
            switch try request() {
            case .print(let text):
                print(text, terminator: "")
                return 0
            case .run(let options): return try body(options)
            }
        } catch let error as UsageError {
            // The message names the program itself.
            StandardStreams.printError("\(error)\n")
            return 2
        } catch {
            report("\(error)")
            return 1
        }
    }
}

extension Command {
    /// What `--help`, `--completion` and `--version` print; nil if none of them is given.
    package func information(for parsed: ParsedArguments, version: String) -> String? {
        if parsed.isHelpRequested { return help() }
        if let typed = parsed.typed {
            let completions = Completions(of: typed.first ?? "", after: Array(typed.dropFirst()), in: self)
            return completions.lines.map { "\($0)\n" }.joined()
        }
        if let name = parsed.value("completion"), let shell = CompletionScript.Shell(rawValue: name) {
            return CompletionScript(for: self).text(for: shell)
        }
        return parsed.has("version") ? "\(name) \(version)\n" : nil
    }
}

extension Option {
    package static var version: Option { Option("version", help: "Print the version") }
    package static var completion: Option {
        Option(
            "completion", value: "SHELL", choices: CompletionScript.Shell.allCases.map(\.rawValue),
            help: "Print the completion script for a shell")
    }
}

/// Standard input, output and error of this process. The caller may have closed them.
package enum StandardStreams {
    /// Opens `/dev/null` in place of each closed stream. Otherwise the next socket that the process opens would get such a
    /// number, and printed text would be sent to the daemon as a call. Call this before the process opens anything.
    package static func fill() {
        for stream in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
        where fcntl(stream, F_GETFD) < 0 && errno == EBADF {
            // open(2) returns the lowest free number, and all lower ones are open by now.
            _ = open("/dev/null", O_RDWR)
        }
    }

    package static func printError(_ text: String) {
        let bytes = Array(text.utf8)
        _ = write(STDERR_FILENO, bytes, bytes.count)
    }
}
