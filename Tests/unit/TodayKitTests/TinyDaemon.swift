// SPDX-License-Identifier: MIT
import Glibc
import JSON
import Platform
import Synchronization
import TestSupport
import TodayModel
import Varlink

@testable import TodayKit

/// A service with the defaults and flags of todayd, on a socket or on one end of a pair.
final class TinyDaemon: Sendable {
    struct State {
        var values: JSONObject = [:]
        var settings: JSONObject = [:]
        var hasContent: [String: Bool] = [:]
        var calls: [String] = []
        var error: VarlinkError?
        var subscribers: [Int32] = []
    }
    let state = Mutex(State())
    private let listener: Mutex<Int32?> = Mutex(nil)

    var calls: [String] { state.withLock { $0.calls } }

    /// Listens at a path, for any number of connections.
    func listen(at path: String) {
        let descriptor = ScriptedService.listen(at: path)
        listener.withLock { $0 = descriptor }
        try? BackgroundThread.start { [self] in
            while case let connection = accept(descriptor, nil, nil), connection >= 0 { serve(connection) }
            close(descriptor)
        }
    }

    deinit { stop() }

    func stop() {
        listener.withLock { descriptor in
            if let open = descriptor { shutdown(open, Int32(SHUT_RDWR)) }
            descriptor = nil
        }
    }

    /// One end of a pair of sockets; the other is served.
    func connect() -> Int32 {
        var ends: [Int32] = [-1, -1]
        socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends)
        serve(ends[1])
        return ends[0]
    }

    private func serve(_ descriptor: Int32) {
        try? BackgroundThread.start { [self] in
            var peer = ScriptedService.Peer(descriptor: descriptor)
            while let call = peer.receive() {
                for reply in replies(to: call, descriptor) { peer.send(reply) }
            }
            state.withLock { $0.subscribers.removeAll { $0 == descriptor } }
            close(descriptor)
        }
    }

    private func replies(to call: VarlinkCall, _ descriptor: Int32) -> [VarlinkReply] {
        state.withLock { state in
            state.calls.append(call.memberName)
            if let error = state.error { return [VarlinkReply(error)] }
            switch call.memberName {
            case "GetDefaults":
                if call.more { state.subscribers.append(descriptor) }
                return [VarlinkReply(state.reply, continues: call.more)]
            case "SetDefaults":
                guard let key = call.parameters["key"]?.stringValue else { break }
                state.values[key] = call.parameters["value"]
                for subscriber in state.subscribers {
                    ScriptedService.Peer(descriptor: subscriber).send(VarlinkReply(state.reply, continues: true))
                }
                return [VarlinkReply()]
            case "SetHasContent":
                state.hasContent[call.parameters["id"]?.stringValue ?? "self"] =
                    call.parameters["hasContent"]?.boolValue
                return [VarlinkReply()]
            case "Describe":
                return [
                    VarlinkReply([
                        "id": "org.example.tiny", "mode": "compact", "largestMode": "compact",
                        "compact": ["columns": 40, "rows": 3], "expanded": ["columns": 40, "rows": 9],
                        "groups": [], "schemes": [], "settings": .object(state.settings),
                    ])
                ]
            case "SetLargestDisplayMode", "OpenURL": return [VarlinkReply()]
            case "Status": return [VarlinkReply(["daemon": ["stateDirectory": "/tmp/tiny"], "widgets": []])]
            default: break
            }
            return [VarlinkReply(.methodNotFound(call.method))]
        }
    }
}

extension TinyDaemon.State {
    var reply: JSONObject { ["values": .object(values)] }
}
