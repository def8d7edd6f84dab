// SPDX-License-Identifier: MIT
import Arguments
import Glibc
import Platform
import Reactor
import Spawn
import Systemd

extension Daemon {
    /// The program: options → instance → loop → `init` (stages, wiring) → `start` (listen, READY=1) → the loop runs
    /// until `stop`.
    nonisolated package static func main(_ arguments: [String]) -> Int32 {
        Allocator.useOneArena()
        return Program.run {
            try DaemonOptions.parse(arguments)
        } report: {
            Log().error($0)
        } _: {
            try run(DaemonInstance($0, environment: environment()))
        }
    }

    private nonisolated static func run(_ instance: DaemonInstance) throws -> Int32 {
        prepareProcess()
        let log = Log()
        var instance = instance
        instance.takeGroup()
        let complete = instance
        return try EventLoop.run {
            let daemon = try Daemon(complete, log: log)
            try daemon.start()
            running = daemon
        }
    }

    /// Sets what children inherit, or what the process needs to run them.
    package nonisolated static func prepareProcess() {
        raiseDescriptorLimit()
        umask(0o077)
        // A write beyond the file size limit then fails instead of ending the process: setrlimit(2).
        signal(SIGXFSZ, SIG_IGN)
    }

    /// Keeps the daemon while the loop runs.
    private static var running: Daemon?

    /// Raises the limit, because every client and every run needs descriptors. Widgets get the usual limit (Runner).
    private nonisolated static func raiseDescriptorLimit() {
        guard var limit = descriptorLimits else { return }
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    /// How many descriptors this process may open.
    nonisolated static var descriptorLimit: Int {
        descriptorLimits.flatMap { Int(exactly: $0.rlim_cur) } ?? .max
    }

    private nonisolated static var descriptorLimits: rlimit? {
        var limits = rlimit()
        return getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits) == 0 ? limits : nil
    }

    package nonisolated static func environment() -> [String: String] {
        var variables: [String: String] = [:]
        var next = environ
        while let entry = next.pointee {
            let text = String(cString: entry)
            if let equals = text.firstIndex(of: "=") {
                variables[String(text[..<equals])] = String(text[text.index(after: equals)...])
            }
            next += 1
        }
        return variables
    }
}
