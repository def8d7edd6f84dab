// SPDX-License-Identifier: MIT
import CLinux
import Glibc

/// A file or a directory whose whole path root alone has made: each directory and link on it belongs to root, and none is in
/// procfs, whose files belong to root but contain what other users write. It is held open, so that no other file takes its
/// place between two checks.
package final class RootPlace {
    package enum Refusal: Error, Equatable {
        case missing
        case foreign(place: String, owner: uid_t, isLink: Bool)
        case processes(place: String)
        case tooManyLinks
        case failed(String)
    }

    private static let mostLinks = 40

    private let descriptor: Int32

    /// A path to the same file whatever becomes of its name (proc(5)), as long as this object lives.
    package var path: String { "/proc/self/fd/\(descriptor)" }

    package init(_ path: String) throws(Refusal) {
        var names = Paths.names(in: path)
        for _ in 0...Self.mostLinks {
            switch try Self.walk(names) {
            case .end(let descriptor):
                self.descriptor = descriptor
                return
            case .link(let position, let target):
                let before = target.hasPrefix("/") ? "" : names[..<position].joined(separator: "/")
                let after = names[(position + 1)...].joined(separator: "/")
                // The name before a `..` is never a link that was followed.
                names = Paths.names(in: "\(before)/\(target)/\(after)")
            }
        }
        throw .tooManyLinks
    }

    deinit { close(descriptor) }

    private enum Walk {
        case end(Int32)
        case link(at: Int, to: String)
    }

    /// Opens one directory after another, following no links.
    private static func walk(_ names: [String]) throws(Refusal) -> Walk {
        var current = clinux_open_path_at(AT_FDCWD, "/")
        for (position, name) in names.enumerated() {
            let next = clinux_open_path_at(current, name)
            let code = errno
            close(current)
            guard next >= 0 else {
                throw code == ENOENT || code == ENOTDIR ? .missing : .failed(FileContents.words(code))
            }
            current = next
            do throws(Refusal) {
                let place = "/" + names[...position].joined(separator: "/")
                if let target = try linkTarget(current, place) {
                    close(current)
                    return .link(at: position, to: target)
                }
            } catch {
                close(current)
                throw error
            }
        }
        return .end(current)
    }

    /// Where a link leads; nil for anything else.
    private static func linkTarget(_ descriptor: Int32, _ place: String) throws(Refusal) -> String? {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .failed(FileContents.words(errno)) }
        let isLink = status.st_mode & S_IFMT == S_IFLNK
        if status.st_uid != 0 { throw .foreign(place: place, owner: status.st_uid, isLink: isLink) }
        if clinux_is_in_procfs(descriptor) != 0 { throw .processes(place: place) }
        guard isLink else { return nil }
        // readlinkat(2): an empty name is the link that the descriptor is open for.
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlinkat(descriptor, "", &buffer, buffer.count)
        guard count > 0 else { throw .failed(FileContents.words(errno)) }
        return String(decoding: buffer[..<count].lazy.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
