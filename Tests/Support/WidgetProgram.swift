// SPDX-License-Identifier: MIT
import CLinux
import Glibc
import JSON
import Varlink

/// A real program as a child process of the test: a widget, started as by todayd or as by its author, or an app.
package final class WidgetProgram {
    package struct Failure: Error {
        package init() {}
    }

    /// What the program has printed, and its exit status.
    package struct Ending {
        package let status: Int32
        package let output: String
        package let errors: String
    }

    package let pid: pid_t
    private let output: Int32
    private let errors: Int32
    /// The test's end of the widget's socket; nil if the program is not a service.
    package let connection: VarlinkConnection?

    /// - Parameters:
    ///   - isService: whether the program gets a socket as descriptor 3.
    ///   - context: becomes the program's descriptor 4. Closed here.
    package init(
        _ name: String, _ arguments: [String] = [], environment: [String: String] = [:], isService: Bool = false,
        context: Int32? = nil
    ) throws {
        var (out, error, ends): ([Int32], [Int32], [Int32]) = ([-1, -1], [-1, -1], [-1, -1])
        guard clinux_pipe(&out) == 0, clinux_pipe(&error) == 0,
            clinux_socket_pair(&ends) == 0
        else { throw Failure() }
        // Duplicate them to high numbers: adddup2 must not overwrite one before it is used.
        let passed = [isService ? ends[1] : nil, context].map { $0.map { fcntl($0, F_DUPFD_CLOEXEC, 10) } }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, out[1], 1)
        posix_spawn_file_actions_adddup2(&actions, error[1], 2)
        var names: [String] = []
        for (place, descriptor) in passed.enumerated() {
            guard let descriptor else { continue }
            posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(3 + place))
            names.append(["varlink", "context"][place])
        }
        var variables = ["PATH": "/usr/bin:/bin", "LANG": "C", "TZ": "UTC", "HOME": "/nonexistent"]
        if !names.isEmpty {
            variables["LISTEN_FDS"] = "\(names.count)"
            variables["LISTEN_FDNAMES"] = names.joined(separator: ":")
        }
        variables.merge(environment) { $1 }
        // contrib/mutate makes the same mistake in this process and in the program.
        for name in ["MISTAKE", "MISTAKES_REACHED"] { variables[name] = getenv(name).map { String(cString: $0) } }
        let executable = "\(BuiltPrograms.directory)/\(name)"
        let argv = ([executable] + arguments).map { strdup($0) } + [nil]
        let envp = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { (argv + envp).forEach { free($0) } }
        var pid: pid_t = 0
        let result = posix_spawn(&pid, executable, &actions, nil, argv, envp)
        for descriptor in [out[1], error[1], ends[1]] + passed.compactMap({ $0 }) { close(descriptor) }
        if let context { close(context) }
        guard result == 0 else { throw Failure() }
        (self.pid, output, errors) = (pid, out[0], error[0])
        if isService {
            connection = try VarlinkConnection(adopting: ends[0], name: name, timeout: .seconds(20))
        } else {
            close(ends[0])
            connection = nil
        }
    }

    /// Calls a method of org.todayd.Widget.
    package func call(_ method: String, _ parameters: JSONObject = [:]) throws -> JSONObject {
        guard let connection else { throw Failure() }
        return try connection.call("org.todayd.Widget.\(method)", parameters)
    }

    package func signal(_ number: Int32) { kill(pid, number) }

    /// Closes the connection, at which a service ends, and waits for the program to end.
    @discardableResult
    package func finish() -> Ending {
        connection?.close()
        let texts = [output, errors].map { descriptor -> String in
            var bytes: [UInt8] = []
            var chunk = [UInt8](repeating: 0, count: 65_536)
            while case let count = read(descriptor, &chunk, chunk.count), count > 0 { bytes += chunk[..<count] }
            close(descriptor)
            return String(decoding: bytes, as: UTF8.self)
        }
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        return Ending(
            status: status & 0x7f == 0 ? (status >> 8) & 0xff : 128 + (status & 0x7f), output: texts[0],
            errors: texts[1])
    }
}
