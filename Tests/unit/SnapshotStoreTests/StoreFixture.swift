// SPDX-License-Identifier: MIT
import Glibc
import Reactor
import SQLite
import SnapshotStore
import TestSupport
import TodayModel

/// A widget identifier for tests: `id("disk")` is org.example.disk.
func id(_ name: String) -> WidgetID {
    guard let id = WidgetID("org.example.\(name)") else { preconditionFailure("\(name) cannot be in an identifier") }
    return id
}

func ids(_ names: String) -> [WidgetID] { names.split(separator: " ").map { id(String($0)) } }

/// The outcome of a run that began at second `start` and lasted one second.
func outcome(
    _ name: String, _ result: RunOutcome.Result, start: Int64 = 100, errorOutput: String = "",
    reason: RunReason = .schedule
) -> RunOutcome {
    RunOutcome(
        widget: id(name), run: 1, reason: reason, started: WallTime(microseconds: start * 1_000_000),
        duration: .seconds(1), result: result, exit: "exited with status 0", errorOutput: errorOutput)
}

func own(_ text: String, taken: Int64 = 100) -> Layers.Own {
    Layers.Own(Content(text: text), taken: WallTime(microseconds: taken * 1_000_000))
}

func pushed(_ text: String, taken: Int64 = 100, expires: Int64? = nil) -> Layers.Pushed {
    Layers.Pushed(
        Content(text: text), taken: WallTime(microseconds: taken * 1_000_000),
        expires: expires.map { WallTime(microseconds: $0 * 1_000_000) }, by: "user 1000")
}

/// A directory with a database.
struct StoreFixture {
    let directory = TemporaryDirectory()
    var path: String { directory("todayd.sqlite") }

    init() { TestLoop.start() }

    @LoopActor
    func open(_ options: StoreOptions = StoreOptions()) throws -> SnapshotStore {
        try SnapshotStore(path: path, options: options)
    }

    /// The names of files beside the database that begin with its name and are not SQLite's.
    var setAside: [String] {
        var names: [String] = []
        guard let stream = opendir(directory.path) else { return [] }
        defer { closedir(stream) }
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name.hasPrefix("todayd.sqlite.damaged-"), !name.hasSuffix("-wal") { names.append(name) }
        }
        return names
    }

    /// Copies the fixture of a version, as that version of todayd wrote it.
    func makeVersion(_ version: Int) throws {
        let tests = "\(#filePath)".split(separator: "/").dropLast(3).joined(separator: "/")
        let sql = try Self.contents(of: "/\(tests)/Fixtures/Databases/v\(version).sql")
        try Database(path: path, mode: .readWriteCreate).execute(String(decoding: sql, as: UTF8.self))
    }

    /// A copy of the database's present files, as a crash of the daemon would leave them.
    func copyAsAfterACrash() throws -> StoreFixture {
        let copy = StoreFixture()
        for suffix in ["", "-wal"] where access(path + suffix, F_OK) == 0 {
            try copy.write(contents(suffix), to: copy.path + suffix)
        }
        return copy
    }

    /// The bytes of the database, or of the file with this suffix beside it.
    func contents(_ suffix: String = "") throws -> [UInt8] { try Self.contents(of: path + suffix) }

    static func contents(of path: String) throws -> [UInt8] {
        let descriptor = Glibc.open(path, O_RDONLY)
        guard descriptor >= 0 else { throw CannotPrepare(reason: "cannot open \(path)") }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 4 << 20)
        bytes.removeLast(bytes.count - max(0, read(descriptor, &bytes, bytes.count)))
        return bytes
    }

    func write(_ bytes: [UInt8], to path: String) throws {
        let descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        guard descriptor >= 0 else { throw CannotPrepare(reason: "cannot open \(path)") }
        defer { close(descriptor) }
        guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count else {
            throw CannotPrepare(reason: "cannot write \(path)")
        }
    }

    /// Puts a file that is not a database in its place, as another process may do while it is in use.
    func replace() throws {
        unlink(path)
        try write(Array(repeating: 0x58, count: 5_000), to: path)
    }

    /// Overwrites `count` bytes of the database, from `offset` on.
    func overwrite(at offset: Int, count: Int, with byte: UInt8, of suffix: String = "") throws {
        let descriptor = Glibc.open(path + suffix, O_WRONLY | O_CREAT, 0o600)
        guard descriptor >= 0 else { throw CannotPrepare(reason: "cannot open \(path)") }
        defer { close(descriptor) }
        guard pwrite(descriptor, [UInt8](repeating: byte, count: count), count, off_t(offset)) == count else {
            throw CannotPrepare(reason: "cannot write \(path)")
        }
    }
}

@LoopActor
extension SnapshotStore {
    /// Makes a change and waits for its result.
    func result(of change: Change) async throws -> Result<Void, Refusal> {
        let results = Arrivals<Result<Void, Refusal>>("end of \(change)")
        self.change(change) { results.send($0) }
        return try await results.next()
    }

    /// Makes a change that must succeed.
    func make(_ change: Change) async throws {
        try await result(of: change).get()
    }

    /// Pushes content and waits until it is on disk or refused.
    func keep(_ pushed: Layers.Pushed?, for id: WidgetID) async throws -> Result<Void, Refusal> {
        let results = Arrivals<Result<Void, Refusal>>("end of a push")
        self.change(pushed.map { .push(id, $0) } ?? .takeBack(id)) { results.send($0) }
        return try await results.next()
    }
}

extension Refusal {
    var isRefused: Bool { if case .refused = self { true } else { false } }
    var isNotStored: Bool { if case .notStored = self { true } else { false } }
}

/// A test could not create its conditions.
struct CannotPrepare: Error {
    let reason: String
}
