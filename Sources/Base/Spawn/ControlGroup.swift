// SPDX-License-Identifier: MIT
import Glibc
import Platform
import Reactor

/// A control group (cgroups(7), version 2): a directory of the kernel, and all processes that were born in it. It needs
/// `cgroup.kill`, which exists since Linux 5.14.
package final class ControlGroup: Sendable {
    package let path: String
    private let directory: OwnedDescriptor

    package struct Failure: Error, Hashable, CustomStringConvertible {
        package let description: String

        init(_ attempt: String, _ code: Int32) { description = "cannot \(attempt): \(String(cString: strerror(code)))" }
    }

    /// Makes the group, unless it exists.
    package init(at path: String) throws(Failure) {
        if mkdir(path, 0o755) != 0, errno != EEXIST { throw Failure("make the control group \(path)", errno) }
        let number = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard number >= 0 else { throw Failure("open the control group \(path)", errno) }
        self.path = path
        directory = OwnedDescriptor(adopting: number)
    }

    var descriptor: Int32 { directory.number }

    // MARK: Its files

    /// - Returns: nil if there is no such file.
    func read(_ file: String) -> String? {
        let number = openat(descriptor, file, O_RDONLY | O_CLOEXEC)
        guard number >= 0 else { return nil }
        defer { close(number) }
        return Self.text(number)
    }

    private static func text(_ file: Int32) -> String? {
        ProcFile.contents(of: file).map { String(decoding: $0, as: UTF8.self) }
    }

    package func write(_ text: String, to file: String) throws(Failure) {
        let number = openat(descriptor, file, O_WRONLY | O_CLOEXEC)
        guard number >= 0 else { throw Failure("open \(path)/\(file)", errno) }
        defer { close(number) }
        // Unsafe: write(2) gets the string's own length. The kernel takes a value in one call.
        let count = text.withCString { Glibc.write(number, $0, strlen($0)) }
        if count < 0 { throw Failure("write \(text) to \(path)/\(file)", errno) }
    }

    /// A number in a file with a name and a number in each line; nil if either does not exist.
    package func number(_ name: String, in file: String) -> UInt64? { read(file).flatMap { Self.number(name, $0) } }

    private static func number(_ name: String, _ text: String) -> UInt64? {
        text.split(separator: "\n").first { $0.hasPrefix("\(name) ") }.flatMap {
            UInt64($0.dropFirst(name.utf8.count + 1))
        }
    }

    /// A file that is a number.
    package func number(in file: String) -> UInt64? { read(file).flatMap { UInt64($0.prefix { $0.isNumber }) } }

    // MARK: Its processes

    /// Those in the group itself, not in groups below it.
    package var processes: [pid_t] { read("cgroup.procs").map { ProcessTree.numbers(in: $0.utf8) } ?? [] }

    /// Whether a process lives in the group or below it. A process that has ended but was not reaped does not count.
    package var isPopulated: Bool { number("populated", in: "cgroup.events") == 1 }

    /// Ends all processes in the group and below it, including those that are being forked.
    package func kill() { try? write("1", to: "cgroup.kill") }

    /// Moves this process into it, with all its threads.
    func enter() throws(Failure) { try write("0", to: "cgroup.procs") }

    /// The path of a process's group from the root of the hierarchy; nil if the process is gone.
    package static func path(of process: pid_t) -> String? {
        ProcFile.read("/proc/\(process)/cgroup").flatMap {
            String(decoding: $0, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix("0::") }
        }.map { String($0.dropFirst(3)) }
    }

    // MARK: Its end

    /// Ends all processes in the group, waits at most a tenth of a second for that, and removes the group.
    package func end() {
        kill()
        let events = openat(descriptor, "cgroup.events", O_RDONLY | O_CLOEXEC)
        defer { close(events) }
        // poll(2) reports a change since this descriptor was read (cgroups(7), "cgroup.events").
        var entry = pollfd(fd: events, events: Int16(POLLPRI), revents: 0)
        while Self.text(events).flatMap({ Self.number("populated", $0) }) == 1, poll(&entry, 1, 100) > 0 {}
        remove()
    }

    /// Removes the group and those that its processes have made in it, at most a thousand: a program can make more than the
    /// daemon has time for. Populated groups stay.
    package func remove() {
        var budget = 1_000
        if rmdir(path) == 0 || isPopulated { return }
        Self.remove(path, &budget)
    }

    private static func remove(_ path: String, _ budget: inout Int) {
        if rmdir(path) == 0 { return }
        for name in names(in: path, upTo: budget) where budget > 0 {
            budget -= 1
            remove("\(path)/\(name)", &budget)
        }
        rmdir(path)
    }

    /// The names of the groups in a directory; it contains no other directories.
    static func names(in path: String, upTo most: Int) -> [String] {
        guard let stream = opendir(path) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while names.count < most, let entry = readdir(stream) {
            guard Int32(entry.pointee.d_type) == DT_DIR else { continue }
            let name = entry.name
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}
