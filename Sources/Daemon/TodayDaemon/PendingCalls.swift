// SPDX-License-Identifier: MIT
import Files
import Glibc
import JSON
import Reactor
import SnapshotStore
import TodayModel

/// Calls that a containing app left while no daemon ran: the file `pending` in the directory of its group, with one
/// call of org.todayd.Today per line. They may change only the group and its widgets, because every process of the
/// daemon's user can write the file.
struct PendingCalls {
    static let fileName = "pending"
    static let mostBytes = 64 << 10
    private static let mostComplaints = 5

    /// What a call changes.
    enum Subject: Hashable {
        case hasContent(WidgetID)
        case value(AppGroup, String)

        init?(_ change: Change) {
            switch change {
            case .choice(let id, .hasContent): self = .hasContent(id)
            case .defaults(let group, let key, _, _): self = .value(group, key)
            default: return nil
            }
        }
    }

    let group: AppGroup
    let path: String
    /// Locked while this value exists; nil for a file that could not be read.
    private let file: OwnedDescriptor?
    var isReadable: Bool { file != nil }
    private(set) var changes: [Change] = []
    /// Why calls cannot be carried out, for the journal.
    private(set) var complaints: [String] = []

    /// - Parameter belongs: whether a widget belongs to the group.
    init(
        of group: AppGroup, _ bytes: [UInt8], path: String, file: OwnedDescriptor? = nil, belongs: (WidgetID) -> Bool
    ) {
        self.group = group
        self.path = path
        self.file = file
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
            return .choice(id, .hasContent(try parameters.required("hasContent").bool()))
        case "org.todayd.Today.SetDefaults":
            let field = try parameters.required("group")
            guard try field.string() == group.text else { throw field.fail("is not \(group)") }
            let value = try parameters.optional("value")?.required("value").value
            return .defaults(group: group, key: try parameters.required("key").string(), value: value)
        case let method:
            throw call.fail("\(PlainText.line(method, upTo: 64)) cannot be called later")
        }
    }

    // MARK: The files

    /// Finds and locks the files of groups that have widgets. A group without widgets is left alone, because its
    /// manifest may still come. A symbolic link does not count as a file.
    ///
    /// - Parameters:
    ///   - groups: the groups to look for; nil for all that have a directory.
    ///   - onBusy: gets each group whose file an app is writing.
    static func found(
        in stateDirectory: String, of groups: [AppGroup]? = nil, belongs: (WidgetID, AppGroup) -> Bool,
        isKnown: (AppGroup) -> Bool, onBusy: (AppGroup) -> Void = { _ in }
    ) -> [PendingCalls] {
        let directory = "\(stateDirectory)/groups"
        return (groups ?? Self.groups(in: directory)).compactMap { group in
            let path = "\(directory)/\(group)/\(fileName)"
            var status = stat()
            guard isKnown(group), lstat(path, &status) == 0 else { return nil }
            guard status.st_mode & S_IFMT == S_IFREG else { return PendingCalls(of: group, path, "is not a file") }
            // Opened for writing, because calls in a file that cannot be emptied would run again at every start.
            let file = open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
            guard file >= 0 else { return PendingCalls(of: group, path, String(cString: strerror(errno))) }
            let locked = OwnedDescriptor(adopting: file)
            guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
                onBusy(group)
                return nil
            }
            switch FileLook(at: path, limit: mostBytes) {
            case .bytes(let bytes):
                return PendingCalls(of: group, bytes, path: path, file: locked) { belongs($0, group) }
            case .tooLarge(let size): return PendingCalls(of: group, path, "has \(size) bytes, more than \(mostBytes)")
            case .refused(let reason): return PendingCalls(of: group, path, reason)
            default: return nil
            }
        }
    }

    private static func groups(in directory: String) -> [AppGroup] {
        let entries = (try? DirectoryListing(of: directory))?.entries ?? []
        return entries.compactMap { $0.kind == .directory ? AppGroup($0.name) : nil }
    }

    /// A file that cannot be read. It stays, so that the user can examine it.
    private init(of group: AppGroup, _ path: String, _ reason: String) {
        self.group = group
        self.path = path
        file = nil
        complaints = ["\(path): \(reason); what an app has left there is not done"]
    }

    /// Removes the file after its calls have been carried out.
    func remove() {
        guard let file else { return }
        // If the directory is not writable, the file is emptied instead.
        if unlink(path) != 0 { _ = ftruncate(file.number, 0) }
    }
}
