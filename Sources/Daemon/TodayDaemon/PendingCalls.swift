// SPDX-License-Identifier: MIT
import Files
import Glibc
import SnapshotStore
import TodayModel
import Varlink

/// What a containing app wanted to say while no daemon was there: a file `pending` in the directory of its group, with a
/// call of org.todayd.Today in each line. Who can write there is the group's user; the calls count for what belongs to
/// the group, and for nothing else.
struct PendingCalls {
    static let fileName = "pending"
    static let mostBytes = 64 << 10

    let group: AppGroup
    let path: String
    private(set) var changes: [Change] = []
    /// What cannot be done, in words.
    private(set) var complaints: [String] = []

    /// - Parameter belongs: whether a widget belongs to the group.
    init(of group: AppGroup, _ bytes: [UInt8], path: String, belongs: (WidgetID) -> Bool) {
        self.group = group
        self.path = path
        for (index, line) in bytes.split(separator: UInt8(ascii: "\n")).enumerated() {
            do {
                changes.append(try Self.change(Array(line), of: group, belongs: belongs))
            } catch {
                complaints.append("\(path):\(index + 1): \(error)")
            }
        }
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

    /// The files of all groups below the state directory. A link is none.
    static func found(in stateDirectory: String, belongs: (WidgetID, AppGroup) -> Bool) -> [PendingCalls] {
        let groups = "\(stateDirectory)/groups"
        guard let listing = try? DirectoryListing(of: groups) else { return [] }
        return listing.entries.compactMap { entry in
            let path = "\(groups)/\(entry.name)/\(fileName)"
            var status = stat()
            guard entry.kind == .directory, let group = AppGroup(entry.name), lstat(path, &status) == 0 else {
                return nil
            }
            guard status.st_mode & S_IFMT == S_IFREG, case .bytes(let bytes) = FileLook(at: path, limit: mostBytes)
            else { return PendingCalls(unreadable: path, of: group) }
            return PendingCalls(of: group, bytes, path: path) { belongs($0, group) }
        }
    }

    private init(unreadable path: String, of group: AppGroup) {
        self.group = group
        self.path = path
        complaints = ["\(path): is no file of at most \(Self.mostBytes) bytes"]
    }

    /// They are made: the file has served.
    func remove() { unlink(path) }
}
