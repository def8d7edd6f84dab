// SPDX-License-Identifier: MIT

import Console
import Glibc
import JSON
import Link
import Platform
import TestSupport
import Testing
import TodayModel
import Varlink

@testable import Commands

/// Runs todayctl in this process, against services that follow a script.
package final class Program {
    package let directory = TemporaryDirectory()
    package var environment = ["LANG": "C.UTF-8"]
    private var services: [ScriptedService] = []

    package init() {}

    package var socket: String { "\(directory.path)/today.sock" }

    /// The end of a run, and what it printed.
    package struct Result: Equatable {
        package let code: ExitCode?
        package let output: String
        package let errors: String

        package init(code: ExitCode?, output: String, errors: String) {
            self.code = code
            self.output = output
            self.errors = errors
        }
    }

    package func run(_ arguments: [String], namesSocket: Bool = true) throws -> Result {
        let output = try file("output")
        let errors = try file("errors")
        defer { close(output) }
        defer { close(errors) }
        let variables = environment
        let code = TodayControl.run(
            (namesSocket ? ["--socket", socket] : []) + arguments, environment: EnvironmentVariables { variables[$0] },
            output: output, errors: errors)
        return Result(code: ExitCode(rawValue: code), output: try text(of: "output"), errors: try text(of: "errors"))
    }

    /// Answers each call with its replies, until the program is released. Other methods are not found.
    package func serve(_ answers: [String: [VarlinkReply]]) {
        serve(connections: 100) { peer in
            while let call = peer.receive() {
                for reply in answers[call.memberName] ?? [VarlinkReply(.methodNotFound(call.method))] {
                    peer.send(reply)
                }
            }
        }
    }

    /// Serves so many connections, one after the other.
    package func serve(connections: Int = 1, _ script: @escaping @Sendable (inout ScriptedService.Peer) -> Void) {
        unlink(socket)
        services.append(ScriptedService(at: socket, connections: connections, script))
    }

    private func file(_ name: String) throws -> Int32 {
        let descriptor = open("\(directory.path)/\(name)", O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        try #require(descriptor >= 0)
        return descriptor
    }

    private func text(of name: String) throws -> String {
        String(decoding: try InputFile.read("\(directory.path)/\(name)", upTo: 1 << 20), as: UTF8.self)
    }
}

/// Replies as the daemon sends them.
package enum Wire {
    /// - Parameters:
    ///   - change: more members, or members with other values.
    ///   - content: changes the content.
    package static func item(
        _ id: String, position: Int = 0, text: String = "fine", state: String = "ready", change: JSONObject = [:],
        content: (inout JSONObject) -> Void = { _ in }
    ) -> JSON {
        var drawn: JSONObject = ["text": .string(text)]
        content(&drawn)
        var item: JSONObject = [
            "id": .string(id), "name": .string(id), "points": ["today"], "position": .int(Int64(position)),
            "visible": true, "state": .string(state), "mode": "compact", "largestMode": "compact", "places": ["today"],
            "content": .object(drawn), "taken": .int(0), "stale": false,
        ]
        for (name, value) in change { item[name] = value }
        return .object(item)
    }

    /// What todayd answers while the user edits a widget with one button.
    package static let editedClock: [String: [VarlinkReply]] = {
        let change: JSONObject = [
            "allowsEditing": true, "editing": true, "largestMode": "expanded", "source": "draft",
        ]
        let clock = item("org.a.clock", text: "2 clocks", change: change) {
            $0["compact"] = ["type": "button", "title": "Remove", "action": "remove"]
        }
        return [
            "SetEditing": [VarlinkReply(["answer": ["id": "org.a.clock", "answer": "newData"]])],
            "Show": [VarlinkReply(["items": [clock], "removed": []])],
            "List": [VarlinkReply(["widgets": [clock]])],
        ]
    }()

    /// Complaints about files that belong to no widget, two of them about `.widget` files.
    package static let complaints: [JSON] = [
        "/c/todayd.conf:3: unknown key x=", "/w/temp.widget: rename it", "/w/other one.widget:7: rename that",
        "/p/mem.sh: is called plugin.mem as /p/mem.py is; left out",
    ]

    package static func daemon(_ instance: DaemonStatus.Instance = .user, reads directories: [String] = [])
        -> DaemonStatus
    {
        var daemon = DaemonStatus(
            version: "1", instance: instance, pid: 1, started: WallTime(microseconds: 0), socket: "/s",
            stateDirectory: "/")
        daemon.widgetDirectories = directories
        return daemon
    }

    package static func noSuchWidget(_ id: String, candidates: [String] = [], nearest: String? = nil) -> VarlinkError {
        var parameters: JSONObject = ["id": .string(id), "candidates": JSON(candidates)]
        parameters["nearest"] = nearest.map(JSON.string)
        return VarlinkError(name: "org.todayd.Today.NoSuchWidget", parameters: parameters)
    }
}
