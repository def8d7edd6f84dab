// SPDX-License-Identifier: MIT
import Files
import Glibc
import JSON
import Reactor
import Runner
import Spelling
import TestSupport
import Testing
import TodayModel
import Varlink

@testable import QueryService
@testable import TodayDaemon

/// The tables "Who may do what" of docs/security.md, each cell by a call.
@Suite struct WhoMayDoWhatTests: DaemonDeciding {
    init() { TestLoop.start() }

    /// Who calls: a user with groups, from outside or from a widget's run, and whether the policy has said yes.
    private struct Actor {
        var uid: UInt32
        var groups: [UInt32] = []
        var origin: String?
        var isAuthorized = false
    }

    private static let actors: [String: [String: Actor]] = [
        "system": [
            "root": .init(uid: 0), "administrator": .init(uid: 1_000, groups: [27]),
            "polkit says yes": .init(uid: 1_001, isAuthorized: true), "polkit says no": .init(uid: 1_001),
            "user of its app": .init(uid: 2_000), "its own program": .init(uid: 990, origin: "org.test.a"),
            "another widget": .init(uid: 990, origin: "org.test.b"), "another user": .init(uid: 1_001),
        ],
        "user": [
            "the user": .init(uid: 1_000), "root": .init(uid: 0),
            "its own program": .init(uid: 1_000, origin: "org.test.a"),
            "another widget": .init(uid: 1_000, origin: "org.test.b"),
        ],
    ]

    private static func a(_ others: JSONObject = [:]) -> JSONObject {
        JSONObject([("id", "org.test.a")] + others.map { ($0.key, $0.value) })
    }

    private static let calls: [String: VarlinkCall] = {
        let table: [(String, String, JSONObject)] = [
            ("`List`", "List", [:]), ("`Show`", "Show", a()), ("`Picture`", "Picture", a(["image": "x"])),
            ("`HasContent`", "HasContent", a()), ("`History`", "History", a()), ("`Status`", "Status", a()),
            ("`Monitor`", "Monitor", [:]), ("`GetDefaults`", "GetDefaults", ["group": "group.g"]),
            ("`OpenURL`", "OpenURL", a(["url": "https://example.org"])), ("`Enable`", "Enable", a()),
            ("`Disable`", "Disable", a()), ("`Move`", "Move", a(["to": "up"])),
            ("`SetDisplayMode`", "SetDisplayMode", a(["mode": "compact"])), ("`Settings`", "Settings", a()),
            ("`SetSettings`", "SetSettings", a(["values": [:]])), ("`Offers`", "Offers", [:]),
            ("`Add`", "Add", ["id": "org.test.offer", "instance": "x"]), ("`Remove`", "Remove", a()),
            ("`Reload`", "Reload", [:]), ("`Fleet`", "Fleet", [:]), ("`RunForFleet`", "RunForFleet", a()),
            ("`AcceptFromFleet`", "AcceptFromFleet", a(["member": "m", "revision": 1])),
            ("`Update` of all", "Update", [:]), ("`Update` of one", "Update", a()),
            ("`SetHasContent`", "SetHasContent", a(["hasContent": true])), ("`Push`", "Push", a()),
            ("`PerformAction`", "PerformAction", a(["action": "press"])),
            ("`SetDefaults`", "SetDefaults", ["group": "group.g", "key": "k"]),
            ("`SetEditing`", "SetEditing", a(["editing": true])),
            ("`PrepareCommand`", "PrepareCommand", a(["command": ["true"]])),
        ]
        return Dictionary(
            uniqueKeysWithValues: table.map { row, method, parameters in
                (
                    row,
                    VarlinkCall(
                        "org.todayd.Today.\(method)", parameters, more: method == "Monitor" || method == "Fleet")
                )
            })
    }()

    /// The tables of the document: who stands above the columns, and the rows.
    private static func tables() -> [(actors: [String], rows: [(name: String, cells: [String])])] {
        let root = (0..<4).reduce(#filePath) { path, _ in Paths.parent(of: path) }
        guard case .bytes(let bytes) = FileContents(at: "\(root)/docs/security.md", limit: 1 << 20) else {
            return []
        }
        let text = String(decoding: bytes, as: UTF8.self)
        let rest: Substring = text.split(separator: "\n## Who may do what\n").last ?? ""
        let section: Substring = rest.split(separator: "\n## ").first ?? ""
        var tables: [(actors: [String], rows: [(name: String, cells: [String])])] = []
        for line in section.split(separator: "\n") where line.hasPrefix("|") && !line.hasPrefix("| ---") {
            let cells = line.split(separator: "|").map { String($0.trimming(\.isWhitespace)) }
            if cells[0] == "method" {
                tables.append((Array(cells.dropFirst()), []))
            } else {
                tables[tables.count - 1].rows.append((cells[0], Array(cells.dropFirst())))
            }
        }
        return tables
    }

    @Test(arguments: ["system", "user"]) @LoopActor func eachCellIsTrue(instance: String) async throws {
        let (actors, rows) = Self.tables()[instance == "system" ? 0 : 1]
        #expect(Set(actors) == Set(Self.actors[instance, default: [:]].keys))
        #expect(rows.map(\.name).sorted() == Self.calls.keys.sorted(), "the table has each method")
        let machine = try await machine(instance)
        let service = machine.daemon.service
        #expect(Set(Self.calls.values.map(\.memberName)) == Set(service.methods.keys))
        for (name, cells) in rows {
            let call = try #require(Self.calls[name])
            for (who, cell) in zip(actors, cells) {
                let actor = try #require(Self.actors[instance]?[who])
                let error = try self.error(of: call, by: actor, machine)
                let outcome =
                    switch error {
                    case .permissionDenied?: "no"
                    case let error? where error.name.hasSuffix(".Refused") && call.memberName != "Picture": "refused"
                    default: "yes"
                    }
                #expect(outcome == cell, "\(instance) \(name) by \(who): \(String(describing: error))")
            }
        }
    }

    /// What the service answers, and nothing else: a change that waits for the store is not begun.
    @LoopActor private func error(
        of call: VarlinkCall, by actor: Actor, _ machine: SimulatedMachine
    ) throws -> VarlinkError? {
        let id = actor.origin.flatMap { WidgetID($0) }
        machine.runner.origins = { _, _ in id.map { .widget($0) } ?? .outside }
        machine.daemon.catalog.origins = [:]
        var ends: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        defer { close(ends[1]) }
        let peer = PeerCredentials(pid: 1, uid: actor.uid, gid: 100, groups: actor.groups)
        let service = machine.daemon.service
        let session = try Session(id: .max, descriptor: ends[0], peer: peer, service: service)
        defer { session.close() }
        do throws(VarlinkError) {
            _ = try service.answer(to: call, from: session)
            return nil
        } catch {
            // The policy is asked about these methods alone.
            guard error == .permissionDenied, actor.isAuthorized, PolicyAction(method: call.memberName) != nil else {
                return error
            }
        }
        do throws(VarlinkError) {
            _ = try service.answer(to: call, from: session, isAuthorized: true)
            return nil
        } catch {
            return error
        }
    }

    /// The widget a in `group.g`, whose button is shown, with an app of user 2000, and b.
    @LoopActor private func machine(_ instance: String) async throws -> SimulatedMachine {
        var (name, text) = Self.manifest("a", "json")
        text = text.replacing(
            "[Widget]\n", with: "[Widget]\nAppUser=2000\nAllowsCommands=yes\nURLSchemes=https\n")
        let machine = try SimulatedMachine([(name, text), Self.manifest("b", "json", groups: "group.b")])
        try machine.directory.write(Self.manifest("offer@", "json").text, to: "optional/org.test.offer@.widget")
        machine.daemon.registry.reload()
        await machine.settle()
        // What was added may be removed.
        let id = try #require(WidgetID("org.test.a"))
        _ = await machine.change(.add(id, [:]))
        var content = Self.button
        var item = View.Item(title: "run")
        item.command = View.Command(["true"])
        content.compact = content.compact.map { .stack(.init(.vertical, [$0, .item(item)])) }
        await machine.finishAll(.newData(content))
        machine.daemon.catalog.permissions =
            instance == "system"
            ? Permissions(instance: .system, owner: 990, administrators: 27)
            : Permissions(instance: .user, owner: 1_000)
        return machine
    }
}
