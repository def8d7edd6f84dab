// SPDX-License-Identifier: MIT
import Glibc
import Platform

/// Questions about paths, and their parts.
package enum Paths {
    /// Whether there is a file of any type, or a dangling link.
    package static func exists(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    package static func isDirectory(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    package static func isRegularFile(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// Whether `path` appears complete: a symbolic link, or a further name of a file that has another one. (inotify(7)
    /// reports no closing of those; a file with one name has just been created and will be written.)
    package static func isLinkOrHasSeveralNames(_ path: String) -> Bool {
        var status = stat()
        guard lstat(path, &status) == 0 else { return false }
        return status.st_mode & S_IFMT == S_IFLNK || status.st_mode & S_IFMT == S_IFREG && status.st_nlink > 1
    }

    /// The user to whom a file belongs, or the one to which a link leads.
    package static func owner(of path: String) -> uid_t? {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_uid : nil
    }

    package static func isSocket(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
    }

    package static func isExecutable(_ path: String) -> Bool {
        isRegularFile(path) && access(path, X_OK) == 0
    }

    /// A program that belongs to another one, which builds and packages put near it; otherwise one in the directories of a `PATH`.
    ///
    /// - Parameters:
    ///   - own: the path of the other program.
    ///   - places: directories from that of the other program on.
    package static func program(
        _ name: String, near own: String? = resolved("/proc/self/exe"), in places: [String] = ["."], or path: String
    ) -> String? {
        let near = own.map { own in places.map { "\(parent(of: own))/\($0)/\(name)" } } ?? []
        return near.first(where: isExecutable).map { resolved($0) ?? $0 } ?? SpawnedProgram.find(name, in: path)
    }

    package static let doesNotExist = "does not exist"

    /// Why `path` cannot be run as a program, in words; nil when it can.
    package static func whyNotExecutable(_ path: String) -> String? {
        var status = stat()
        guard stat(path, &status) == 0 else {
            let code = errno
            if code == EACCES { return "cannot be reached: a directory on the way to it is closed to this user" }
            guard code == ENOENT else { return "cannot be found: \(FileContents.words(code))" }
            return linkTarget(of: path).map { "is a link to \($0), which does not exist" } ?? doesNotExist
        }
        if status.st_mode & S_IFMT == S_IFDIR { return "is a directory; add the program's name" }
        guard status.st_mode & S_IFMT == S_IFREG else { return "is not a file" }
        guard access(path, X_OK) == 0 else {
            return errno == EACCES ? "is not executable (chmod +x)" : "cannot be run: \(FileContents.words(errno))"
        }
        return nil
    }

    /// The target of a symbolic link; nil for anything else.
    package static func linkTarget(of path: String) -> String? {
        // readlink(2) writes no NUL, and cuts off what is longer.
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path, &buffer, buffer.count)
        guard count > 0 else { return nil }
        return String(decoding: buffer[..<count].lazy.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The paths that a symbolic link leads to, one after another; the last one may not exist. None for what is not a link.
    package static func linkTargets(of path: String) -> [String] {
        var targets: [String] = []
        var place = path
        // The kernel follows 40 links at most (path_resolution(7)).
        while targets.count < 40, let target = linkTarget(of: place) {
            place = target.hasPrefix("/") ? target : "\(parent(of: place))/\(target)"
            targets.append(place)
        }
        return targets
    }

    /// The path's names, without `.`, and without `..` and the name before it, which must not be a link.
    package static func names(in path: String) -> [String] {
        path.split(separator: "/").reduce(into: []) { names, name in
            if name == ".." { _ = names.popLast() } else if name != "." { names.append(String(name)) }
        }
    }

    /// The path without links in it; nil for what does not exist.
    package static func resolved(_ path: String) -> String? {
        // realpath(3) with a null buffer allocates the result, which is the caller's to free.
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    package enum Way: Hashable, Sendable {
        case safe
        /// It cannot be reached; the code is that of lstat(2).
        case missing(Int32)
        case foreign(place: String, owner: uid_t)
    }

    /// Whether another user can lead the path elsewhere, in a directory where every user makes files: by a link of theirs, or by
    /// a link in place of their file. The kernel guards such links (proc_sys_fs(5), protected_symlinks), but not when a program
    /// follows them itself. Other paths are not looked at, as a file server that hangs would stop this process.
    package static func way(to path: String) -> Way {
        guard ["/tmp/", "/var/tmp/", "/dev/shm/"].contains(where: path.hasPrefix) else { return .safe }
        var (place, isShared) = ("", false)
        for name in path.split(separator: "/") {
            place += "/\(name)"
            var status = stat()
            guard lstat(place, &status) == 0 else { return .missing(errno) }
            let isLink = status.st_mode & S_IFMT == S_IFLNK
            if isShared || isLink, status.st_uid != 0, status.st_uid != geteuid() {
                return .foreign(place: place, owner: status.st_uid)
            }
            if isLink, stat(place, &status) != 0 { return .missing(errno) }
            isShared = status.st_mode & S_IFMT == S_IFDIR && status.st_mode & S_IWOTH != 0
        }
        return .safe
    }

    /// `/a/b` of `/a/b/c`; `/` of `/a`; `.` of a plain name.
    package static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// `c` of `/a/b/c`.
    package static func name(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
    }
}
