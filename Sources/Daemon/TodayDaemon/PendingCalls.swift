// SPDX-License-Identifier: MIT
import Files
import Glibc
import SnapshotStore
import TodayModel
import Varlink

/// What a containing app wanted to say while no daemon was there: a file `pending` in the directory of its group, with a
/// call of org.todayd.Today in each line. The calls count for the group and its widgets, and for nothing else; every
/// process of the daemon's user can write there.
struct PendingCalls {
    static let fileName = "pending"
    static let mostBytes = 64 << 10
    private static let mostComplaints = 5

    let group: AppGroup
    let path: String
    /// Nil for one that could not be read.
    private let size: Int?
    private(set) var changes: [Change] = []
    /// What cannot be done, in words.
    private(set) var complaints: [String] = []

    /// - Parameter belongs: whether a widget belongs to the group.
    init(of group: AppGroup, _ bytes: [UInt8], path: String, belongs: (WidgetID) -> Bool) {
        self.group = group
        self.path = path
        size = bytes.count
        var failures = 0
        for (index, line) in bytes.split(separator: UInt8(ascii: "\n")).enumerated() {
            do {
                changes.append(try Self.change(Array(line), of: group, belongs: belongs))
            } catch {
                failures += 1
                if failures <= Self.mostComplaints { complaints.append("\(path):\(index + 1): \(error)") }
            }
        }
        let others = failures - Self.mostComplaints
        if others > 0 { complaints.append("\(path): \(others) more lines cannot be done") }
    }

    private static func change(
        _ line: [UInt8], of group: AppGroup, belongs: (WidgetID) -> Bool
    ) throws -> Change {
        let call = JSONField(root: try JSON.parse(line, maxDepth: 32))
        let parameters = try call.required("parameters")
        switch try call.required("method").string() {
        case "org.todayd.Today.SetHasContent":
            let field = try parameters.required("id")
            let id = try field.widget()
            guard belongs(id) else { throw field.fail("\(id) is no widget of \(group)") }
            return .hasContent(id, try parameters.required("hasContent").bool())
        case "org.todayd.Today.SetDefaults":
            let field = try parameters.required("group")
            guard try field.string() == group.text else { throw field.fail("is not \(group)") }
            let value = try parameters.optional("value")?.required("value").value
            return .defaults(group: group, key: try parameters.required("key").string(), value: value)
        case let method:
            throw call.fail("\(PlainText.line(method, upTo: 64)) cannot be called later")
        }
    }

    /// The files of the groups to which widgets belong; of any other a manifest may still come. A link is no file.
    static func found(in stateDirectory: String, belongs: (WidgetID, AppGroup) -> Bool, isKnown: (AppGroup) -> Bool)
        -> [PendingCalls]
    {
        let groups = "\(stateDirectory)/groups"
        guard let listing = try? DirectoryListing(of: groups) else { return [] }
        return listing.entries.compactMap { entry in
            let path = "\(groups)/\(entry.name)/\(fileName)"
            var status = stat()
            guard entry.kind == .directory, let group = AppGroup(entry.name), isKnown(group), lstat(path, &status) == 0
            else { return nil }
            guard status.st_mode & S_IFMT == S_IFREG else { return PendingCalls(of: group, path, "is not a file") }
            switch FileLook(at: path, limit: mostBytes) {
            case .bytes(let bytes): return PendingCalls(of: group, bytes, path: path) { belongs($0, group) }
            case .tooLarge(let size): return PendingCalls(of: group, path, "has \(size) bytes, more than \(mostBytes)")
            case .refused(let reason): return PendingCalls(of: group, path, reason)
            default: return nil
            }
        }
    }

    /// One that cannot be read. It stays, for the user to look into.
    private init(of group: AppGroup, _ path: String, _ reason: String) {
        self.group = group
        self.path = path
        size = nil
        complaints = ["\(path): \(reason); what an app has left there is not done"]
    }

    /// They are made: the file has served. False when an app has added to it meanwhile, or holds the lock under which apps
    /// write; then it stays.
    @discardableResult
    func remove() -> Bool {
        guard let size else { return true }
        let file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { return true }
        defer { close(file) }
        var status = stat()
        guard flock(file, LOCK_EX | LOCK_NB) == 0, fstat(file, &status) == 0, status.st_size == size else {
            return false
        }
        unlink(path)
        return true
    }
}
