// SPDX-License-Identifier: MIT

import Console
import Files
import Glibc
import JSON
import Link
import Platform
import TodayModel

/// The program today-author, which reads files and runs widgets as the daemon does. todayctl itself contains neither the reader
/// of manifests nor the runner.
struct AuthorProgram {
    private static let name = "today-author"

    let path: String
    /// The options that name the instance for which it reads and runs.
    private let instance: [String]
    /// systemd-run(1) with its options, if a service manager answers: it gives the program a control group with the right to
    /// make groups in it, so that the kernel holds the widget as it does under todayd. Otherwise empty.
    private let scope: [String]

    /// Looks for the program where `contrib/install` and packages put it, beside todayctl, where builds put it, and then in
    /// `PATH`.
    ///
    /// - Parameter own: the path of todayctl.
    init(
        _ socket: DaemonSocket, instance: [String], environment: EnvironmentVariables,
        own: String? = Paths.resolved("/proc/self/exe")
    ) throws(ClientError) {
        let search = environment.programPath
        guard let found = Paths.program(Self.name, near: own, in: [".", "../libexec/todayd"], or: search) else {
            throw ClientError(
                "this needs the program \(Self.name), which is neither beside todayctl (\(own ?? "")) nor in PATH: "
                    + "install it, or put its directory into PATH")
        }
        path = found
        scope = Self.scope(environment, search)
        self.instance = instance + (socket.kind == .given ? ["--socket", socket.path] : [])
    }

    private static func scope(_ environment: EnvironmentVariables, _ search: String) -> [String] {
        let managers = [("--user", environment["XDG_RUNTIME_DIR"]), ("--system", geteuid() == 0 ? "/run" : nil)]
        guard
            let manager = managers.first(where: { $0.1.map { Paths.isSocket("\($0)/systemd/private") } ?? false })?.0,
            let program = SpawnedProgram.find("systemd-run", in: search)
        else { return [] }
        return [program, manager, "--scope", "--quiet", "--collect", "--property=Delegate=yes", "--"]
    }

    /// What is wrong with files.
    func check(_ files: [String], _ options: [String]) throws -> [FileReport] {
        try reports(run(["--check"] + instance + options + ["--"] + files, until: nil))
    }

    /// Runs a widget once. If it shows the same in both display modes, runs it again in the other mode, because a program may
    /// draw only for the mode that it is asked for. Nil if it was interrupted.
    func once(_ file: String, _ options: [String], until interruption: (any Interruption)? = nil) throws -> FileReport?
    {
        guard var report = try run(file, options, until: interruption) else { return nil }
        guard let item = report.itemWithOneView, !options.contains(where: { $0.hasPrefix("--action=") }) else {
            return report
        }
        let other = options.filter { !$0.hasPrefix("--mode=") } + ["--mode=\(item.mode.other.rawValue)"]
        guard let second = try run(file, other, until: interruption) else { return nil }
        if let same = second.itemWithOneView, same.hasSameViews(as: item) {
            let reason = "LargestDisplayMode=expanded, but both modes show the same: More changes nothing"
            report.complaints.append(.warning(report.file, nil, reason))
        }
        return report
    }

    private func run(_ file: String, _ options: [String], until interruption: (any Interruption)?) throws -> FileReport?
    {
        do {
            let output = try run(["--once"] + instance + options + ["--", file], in: scope, until: interruption)
            guard let report = try reports(output).first else {
                throw ClientError("\(Self.name) --once printed nothing")
            }
            return report
        } catch is Interrupted {
            return nil
        }
    }

    /// Makes widgets of what another host has.
    ///
    /// - Parameter path: a configuration or a directory; nil means where the host looks.
    func importing(_ host: String, _ path: String?, _ options: [String]) throws -> ImportReport {
        let output = try run(
            ["--import", host] + instance + options + ["--"] + [path].compactMap { $0 }, until: nil)
        return try Self.understood { try ImportReport(JSONField(root: JSON.parse(output))) }
    }

    // MARK: Running it

    private struct Interrupted: Error {}

    /// Enough for twice the longest output of content, the manifests of an import, and everything else.
    private static let mostOutput = 64 << 20

    private func run(
        _ arguments: [String], in scope: [String] = [], until interruption: (any Interruption)?
    ) throws -> [UInt8] {
        let signals = try interruption == nil ? SignalInterruption() : nil
        let program: SpawnedProgram
        do throws(SpawnedProgram.Failure) {
            let words = scope + [path] + (scope.isEmpty ? [] : ["--delegated"]) + arguments
            program = try SpawnedProgram(.init(words[0], Array(words.dropFirst()), output: .pipe))
        } catch {
            throw ClientError("cannot start \(Self.name): \(error)")
        }
        let (output, interrupt) = Self.output(of: program, until: interruption ?? signals)
        let ending = program.wait()
        if let signal = interrupt {
            // Without a screen, todayctl itself ends by the signal, as its caller expects.
            if let signals { signals.end(by: signal) }
            throw Interrupted()
        }
        switch ending {
        // 3: a file is not valid, or a run has failed. The reports contain the reason.
        case .exited(0), .exited(3): return output
        // systemd-run has reported why the manager gives no group.
        case .exited(1) where !scope.isEmpty && output.isEmpty:
            return try run(arguments, until: interruption ?? signals)
        case .exited(2):
            throw ClientError("\(path) does not know what todayctl asked of it; are they of one version?")
        case .exited(let status): throw ClientError("\(path) exited with status \(status)")
        case .killed(let signal): throw ClientError("\(path) was killed by signal \(signal)")
        }
    }

    /// Reads all output. An interruption ends the program, which ends its widget first.
    private static func output(
        of program: SpawnedProgram, until interruption: (any Interruption)?
    ) -> (output: [UInt8], signal: Int32?) {
        var bytes: [UInt8] = []
        var interrupt: Int32?
        while let output = program.output, bytes.count <= mostOutput {
            var polls = ([output] + (interruption?.descriptors ?? [])).map {
                pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
            }
            poll(&polls, nfds_t(polls.count), 500)
            if interrupt == nil, let signal = interruption?.asked() {
                interrupt = signal
                // A shell starts background jobs with SIGINT ignored, and the program has inherited that.
                program.signal(SIGTERM)
            }
            if polls[0].revents == 0 { continue }
            guard let more = program.read() else { break }
            bytes += more
        }
        program.closeOutput()
        return (bytes, interrupt)
    }

    private func reports(_ output: [UInt8]) throws -> [FileReport] {
        try Self.understood {
            try output.split(separator: UInt8(ascii: "\n")).map { line in
                try FileReport(JSONField(root: try JSON.parse(Array(line)), isTolerant: true))
            }
        }
    }

    private static func understood<Report>(_ read: () throws -> Report) throws -> Report {
        do {
            return try read()
        } catch {
            throw ClientError("\(Self.name) printed what this todayctl does not understand: \(error)")
        }
    }
}

/// What may end a run early.
protocol Interruption {
    /// For poll(2).
    var descriptors: [Int32] { get }
    /// The signal that ends the run; nil lets it go on. Called at each event and twice a second.
    func asked() -> Int32?
}

/// Signals that end todayctl, after the run.
final class SignalInterruption: Interruption {
    private var pipe: SignalPipe?

    init() throws { pipe = try SignalPipe([SIGINT, SIGTERM, SIGHUP, SIGQUIT]) }

    var descriptors: [Int32] { pipe.map { [$0.descriptor] } ?? [] }

    func asked() -> Int32? { pipe?.received().first }

    /// Ends this process by the signal's default action.
    func end(by signal: Int32) {
        pipe = nil
        kill(getpid(), signal)
    }
}
