// SPDX-License-Identifier: MIT
import Glibc

/// A directory of small files, one for each URL, with what the server wants to be told or not to be asked next time: the
/// validators of the last answer (`ETag`, `Last-Modified`), and until when to wait (`Retry-After`).
///
/// Files are replaced as a whole. One that is damaged counts as none, and a directory that cannot be written as no
/// cache: the requests still work, and every answer is complete.
public struct HTTPCache: Sendable {
    /// Where the files are. Made, readable by its owner only, when it is missing and the directory above it is not.
    public let directory: String
    /// Whether content (up to 16 MiB) is kept as well, so that an unchanged answer has it again. Without, `isUnchanged` says that what
    /// the widget has shown last time is still true: right for a widget that then answers `noData`, and wrong for one that
    /// draws from `body` or may have failed after the last answer (see `forget`).
    public let keepsBodies: Bool
    /// How many files there may be; beyond, those not used for longest go.
    public let fileLimit: Int

    /// A cache in a directory of its own.
    public init(directory: String, keepsBodies: Bool = false, fileLimit: Int = 64) {
        self.directory = directory
        self.keepsBodies = keepsBodies
        self.fileLimit = max(1, fileLimit)
    }

    /// In the container of the widget that runs, the directory `http` in `$TODAY_STATE_DIRECTORY`; nil where todayd does
    /// not run it.
    public static var ofWidget: HTTPCache? { inContainer() }

    /// The same, with the content kept.
    public static var ofWidgetWithBodies: HTTPCache? { inContainer(keepsBodies: true) }

    /// Forgets the last answer to `url`, so that the next one is complete: for a widget that could not use it. The server's
    /// wish to wait is not forgotten.
    public func forget(_ url: String) {
        guard let address = try? WebAddress(url), var entry = entry(for: address.url, sizeLimit: 0) else { return }
        entry.dropValidators()
        store(entry)
    }

    private static func inContainer(keepsBodies: Bool = false) -> HTTPCache? {
        // getenv(3): the text is valid until the variable is changed, and copied at once.
        guard let directory = getenv("TODAY_STATE_DIRECTORY"), directory.pointee != 0 else { return nil }
        return HTTPCache(directory: String(cString: directory) + "/http", keepsBodies: keepsBodies)
    }
}

// MARK: - Files

extension HTTPCache {
    private static let suffix = ".http"
    /// Longer content is not kept, nor what would confirm it.
    static let bodyLimit = 16 << 20
    private static let longestFile = bodyLimit + (1 << 20)

    private func path(of url: String) -> String {
        "\(directory)/\(CacheEntry.hexadecimal(CacheEntry.hash(url.utf8)))\(Self.suffix)"
    }

    /// What is kept of `url`. Content beyond `sizeLimit` was kept by a request with another limit; without its content an
    /// entry is as good as any for what else it says.
    func entry(for url: String, sizeLimit: Int) -> CacheEntry? {
        let file = open(path(of: url), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY | O_NOFOLLOW)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while bytes.count <= Self.longestFile {
            let count = read(file, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            bytes += buffer[..<count]
        }
        // Two URLs may have the same hash.
        guard var entry = CacheEntry(decoding: bytes), entry.url.utf8.elementsEqual(url.utf8) else { return nil }
        if let body = entry.body, body.count > sizeLimit { entry.body = nil }
        return entry
    }

    /// Keeps the entry, or nothing if there is nothing in it.
    func store(_ entry: CacheEntry) {
        let path = path(of: entry.url)
        guard !entry.isEmpty else {
            unlink(path)
            return
        }
        let isNew = access(path, F_OK) != 0
        mkdir(directory, 0o700)
        // A name that no other writer has, then rename(2): a reader sees the old file or the new one, and of two writers
        // the last wins. Without fsync(2): what a power cut leaves is told by the checksum, and only a cache.
        let temporary = "\(path).\(CacheEntry.hexadecimal(.random(in: 0...(.max))))"
        let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { return }
        let isWritten = Self.write(entry.encoded(), to: file)
        close(file)
        guard isWritten, rename(temporary, path) == 0 else {
            unlink(temporary)
            return
        }
        if isNew { removeOldest() }
    }

    /// Marks an entry as used.
    func touch(_ entry: CacheEntry) { utimensat(AT_FDCWD, path(of: entry.url), nil, 0) }

    private static func write(_ bytes: [UInt8], to file: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Also what a writer has left that was killed: it has the suffix inside its name, and gets old.
    private func removeOldest() {
        guard let stream = opendir(directory) else { return }
        defer { closedir(stream) }
        var files: [(path: String, time: timespec)] = []
        // readdir(3): the entry is valid until the next call on the same stream, and its name ends with a NUL.
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            var status = stat()
            guard name.utf8.dropFirst(16).starts(with: Self.suffix.utf8), lstat("\(directory)/\(name)", &status) == 0,
                status.st_mode & S_IFMT == S_IFREG
            else { continue }
            files.append(("\(directory)/\(name)", status.st_mtim))
        }
        files.sort { ($0.time.tv_sec, $0.time.tv_nsec) < ($1.time.tv_sec, $1.time.tv_nsec) }
        for file in files.dropLast(fileLimit) { unlink(file.path) }
    }
}
