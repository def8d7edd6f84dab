// SPDX-License-Identifier: MIT

import Glibc
import JSON
import TestSupport
import Testing
import Varlink

@testable import TodayClient

/// Runs todayctl in this process, against a service that follows a script.
struct Program {
    let directory = TemporaryDirectory()
    var environment = ["LANG": "C.UTF-8"]

    var socket: String { "\(directory.path)/today.sock" }

    /// What a run has left behind.
    struct Result: Equatable {
        let code: ExitCode?
        let output: String
        let errors: String
    }

    func run(_ arguments: [String], namesSocket: Bool = true) throws -> Result {
        let output = try file("output")
        let errors = try file("errors")
        defer { close(output) }
        defer { close(errors) }
        let variables = environment
        let code = TodayControl.run(
            (namesSocket ? ["--socket", socket] : []) + arguments, environment: Environment { variables[$0] },
            output: output, errors: errors)
        return Result(code: ExitCode(rawValue: code), output: try text(of: "output"), errors: try text(of: "errors"))
    }

    /// Answers each call with what is scripted for it: the replies, or an error. Any other call is of a method that it lacks.
    func service(_ answers: [String: [VarlinkReply]]) -> ScriptedService {
        ScriptedService(at: socket) { peer in
            while let call = peer.receive() {
                for reply in answers[call.memberName] ?? [VarlinkReply(.methodNotFound(call.method))] {
                    peer.send(reply)
                }
            }
        }
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

/// JSON as the daemon would send it.
enum Wire {
    /// - Parameters:
    ///   - change: members that it has besides, or with other values.
    ///   - content: changes its content.
    static func item(
        _ id: String, position: Int = 0, text: String = "fine", state: String = "ready", change: JSONObject = [:],
        content: (inout JSONObject) -> Void = { _ in }
    ) -> JSON {
        var drawn: JSONObject = ["text": .string(text)]
        content(&drawn)
        var item: JSONObject = [
            "id": .string(id), "name": .string(id), "points": ["today"], "position": .int(Int64(position)),
            "visible": true, "state": .string(state), "mode": "compact", "largestMode": "compact", "lockScreen": false,
            "content": .object(drawn), "taken": .int(0), "stale": false,
        ]
        for (name, value) in change { item[name] = value }
        return .object(item)
    }

    static func noSuchWidget(_ id: String, candidates: [String] = [], nearest: String? = nil) -> VarlinkError {
        var parameters: JSONObject = ["id": .string(id), "candidates": JSON(candidates)]
        parameters["nearest"] = nearest.map(JSON.string)
        return VarlinkError(name: "org.todayd.Today.NoSuchWidget", parameters: parameters)
    }
}
