// SPDX-License-Identifier: MIT
import Glibc
import Platform

/// A directory with one small file for each URL. A file keeps the validators of the last answer (`ETag`, `Last-Modified`),
/// which the next request sends to the server, and the time until which the server asked to wait (`Retry-After`).
///
/// Every write replaces a whole file. A damaged file counts as missing. If the directory cannot be written, requests still
/// work, and every answer is complete.
public struct HTTPCache: Sendable {
    /// Where the files are. If it is missing, the first answer creates it, readable by its owner only; the directory above
    /// it must exist.
    public let directory: String
    /// Whether the cache keeps content as well, up to 16 MiB, so that the `body` of an unchanged answer has it again.
    ///
    /// False is right for a widget that answers `noData` to `isUnchanged`. A widget that draws from `body` needs true. A
    /// widget that may fail after it got an answer calls `forget(_:)` then.
    public let keepsBodies: Bool
    /// How many files there may be. The cache removes those that were not used for longest.
    public let fileLimit: Int

    /// Makes a cache in a directory, which nothing else uses.
    public init(directory: String, keepsBodies: Bool = false, fileLimit: Int = 64) {
        self.directory = directory
        self.keepsBodies = keepsBodies
        self.fileLimit = max(1, fileLimit)
    }

    /// A cache in the container of this widget: the directory `http` in `$TODAY_STATE_DIRECTORY`. Nil in a process that
    /// todayd has not started.
    public static var ofWidget: HTTPCache? { inContainer() }

    /// The same cache, which also keeps content.
    public static var ofWidgetWithBodies: HTTPCache? { inContainer(keepsBodies: true) }

    /// Forgets the last answer to `url`, so that the next one is complete. A widget calls it when it could not use that
    /// answer. A wait that the server asked for still holds.
    public func forget(_ url: String) {
        guard let address = try? WebAddress(url), var entry = entry(for: address.url, sizeLimit: 0) else { return }
        entry.removeValidators()
        store(entry)
    }

    private static func inContainer(keepsBodies: Bool = false) -> HTTPCache? {
        EnvironmentVariables.process["TODAY_STATE_DIRECTORY"].map {
            HTTPCache(directory: $0 + "/http", keepsBodies: keepsBodies)
        }
    }
}

// MARK: - Files

extension HTTPCache {
    private static let suffix = ".http"
    /// Of an answer with longer content the cache keeps neither content nor validators.
    static let bodyLimit = 16 << 20
    private static let longestFile = bodyLimit + (1 << 20)

    private func path(of url: String) -> String {
        "\(directory)/\(CacheEntry.hexadecimal(StableHash(url.utf8).value))\(Self.suffix)"
    }

    /// What the cache keeps of `url`. A request with a larger limit may have kept more content than `sizeLimit`; the entry
    /// is then without content.
    func entry(for url: String, sizeLimit: Int) -> CacheEntry? {
        let file = open(path(of: url), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY | O_NOFOLLOW)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        // Two URLs may have the same hash, and so the same file.
        guard let bytes = Descriptor.readAll(file, upTo: Self.longestFile),
            var entry = CacheEntry(decoding: bytes), entry.url.utf8.elementsEqual(url.utf8)
        else { return nil }
        if let body = entry.body, body.count > sizeLimit { entry.body = nil }
        return entry
    }

    /// Writes the entry, or removes its file if the entry is empty.
    func store(_ entry: CacheEntry) {
        let path = path(of: entry.url)
        guard !entry.isEmpty else {
            unlink(path)
            return
        }
        let isNew = access(path, F_OK) != 0
        mkdir(directory, 0o700)
        // Each writer has a file of its own, and rename(2) puts it in place: a reader sees the old file or the new one, and
        // the last of two writers wins. No fsync(2): the checksum reveals what a power cut leaves half written.
        let temporary = "\(path).\(CacheEntry.hexadecimal(.random(in: 0...(.max))))"
        let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { return }
        let isWritten = Descriptor.writeAll(entry.encoded(), to: file)
        close(file)
        guard isWritten, rename(temporary, path) == 0 else {
            unlink(temporary)
            return
        }
        if isNew { removeOldest() }
    }

    /// Marks the file as used now, for `removeOldest`.
    func markUsed(_ entry: CacheEntry) { utimensat(AT_FDCWD, path(of: entry.url), nil, 0) }

    /// This removes the files of killed writers, too: they have the suffix within their names, and get old.
    private func removeOldest() {
        guard let stream = opendir(directory) else { return }
        defer { closedir(stream) }
        var files: [(path: String, time: timespec)] = []
        while let entry = readdir(stream) {
            let name = entry.name
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
