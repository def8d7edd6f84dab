// SPDX-License-Identifier: MIT
import Files
import Glibc
import Import

/// The files of this machine. The owner of a configuration decides what its reader runs, so an import reads only files of the
/// user and of root; root reads only those that no other user could have put there.
extension ImportFiles {
    init(readingAs user: uid_t, environment: [String: String]) {
        self.init(
            read: { path in
                switch SourceFile(path, limit: ImportLimits.fileBytes, readingAs: user).look {
                case .bytes(let bytes): .bytes(bytes)
                case .nullDevice: .bytes([])
                case .directory: .directory
                case .missing: .missing
                case .tooLarge: .tooLarge
                case .notRegular: .unreadable("it is not a regular file")
                case .danglingLink(let target): .unreadable("it is a link to \(target), which does not exist")
                case .refused(let reason): .unreadable(reason)
                }
            },
            list: { path in Self.list(path, user) },
            resolved: Paths.resolved, links: Paths.linkTargets,
            variable: { environment[$0] })
    }

    private static func list(_ path: String, _ user: uid_t) -> Listing {
        do throws(RootPlace.Refusal) {
            let place = user == 0 ? try RootPlace(path) : nil
            return withExtendedLifetime(place) {
                let path = place?.path ?? path
                if let reason = Paths.owner(of: path).flatMap(foreign(to: user)) { return .unreadable(reason) }
                do throws(DirectoryListing.Failure) {
                    return .entries(try DirectoryListing(of: path).entries.map { Entry($0, in: path) })
                } catch {
                    return Paths.isDirectory(path) ? .unreadable("\(error)") : .missing
                }
            }
        } catch {
            return error == .missing ? .missing : .unreadable(error.reason(for: path))
        }
    }

    /// Why a file or a directory of this owner is not read.
    fileprivate static func foreign(to user: uid_t) -> (_ owner: uid_t) -> String? {
        { owner in
            owner == user || owner == 0
                ? nil
                : "it belongs to another user (uid \(owner)), whose commands would run as you; copy it if you trust it"
        }
    }
}

/// A file that an import reads or copies, and its mode.
struct SourceFile {
    let look: FileContents
    private(set) var mode: mode_t = 0

    init(_ path: String, limit: Int, readingAs user: uid_t) {
        do throws(RootPlace.Refusal) {
            let place = user == 0 ? try RootPlace(path) : nil
            let source = place?.path ?? path
            look = FileContents(at: source, limit: limit, refusing: user == 0 ? nil : ImportFiles.foreign(to: user))
            var status = stat()
            if stat(source, &status) == 0 { mode = status.st_mode & 0o777 }
            withExtendedLifetime(place) {}
        } catch {
            look =
                error == .missing
                ? Paths.linkTarget(of: path).map { .danglingLink(to: $0) } ?? .missing
                : .refused(error.reason(for: path))
        }
    }
}

extension RootPlace.Refusal {
    fileprivate func reason(for path: String) -> String {
        func name(_ place: String) -> String { place == path ? "it" : place }
        switch self {
        case .missing: return "it no longer exists"
        case .tooManyLinks: return "too many links lead to it"
        case .failed(let reason): return reason
        case .processes(let place):
            return "\(name(place)) leads into procfs, whose files have what processes of other users write"
        case .foreign(let place, let owner, let isLink):
            let link = isLink ? "is a link, and it " : ""
            return "\(name(place)) \(link)belongs to another user (uid \(owner)), whose commands would run as root; "
                + "import it as that user, or copy it if you trust it"
        }
    }
}

extension ImportFiles.Entry {
    fileprivate init(_ entry: DirectoryListing.Entry, in directory: String) {
        let path = "\(directory)/\(entry.name)"
        self.init(
            name: entry.name, isDirectory: entry.kind == .directory || entry.kind == .link && Paths.isDirectory(path),
            isExecutable: Paths.isExecutable(path))
    }
}
