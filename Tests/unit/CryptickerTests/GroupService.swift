// SPDX-License-Identifier: MIT
import CLinux
import Glibc
import JSON
import Synchronization
import TestSupport
import Varlink

/// Answers calls about the group's defaults in place of todayd, for a widget and for its app, and records the calls.
final class GroupService: Sendable {
    private struct State {
        var values: JSONObject = [:]
        var calls: [VarlinkCall] = []
        var error: VarlinkError?
    }
    private let state: Mutex<State>

    init(_ values: JSONObject = [:], error: VarlinkError? = nil) {
        state = Mutex(State(values: values, error: error))
    }

    /// Sets a value as the app does, which the widget then reads.
    func set(_ key: String, _ value: String) { state.withLock { $0.values[key] = .object(["value": .string(value)]) } }

    /// The current value of a key.
    func value(_ key: String) -> String? { state.withLock { $0.values[key]?["value"]?.stringValue } }

    func calls(_ name: String) -> [JSONObject] {
        state.withLock { $0.calls.filter { $0.memberName == name }.map(\.parameters) }
    }

    func reply(to call: VarlinkCall) -> VarlinkReply {
        state.withLock { state in
            state.calls.append(call)
            if let error = state.error { return VarlinkReply(error) }
            switch call.memberName {
            case "GetDefaults": return VarlinkReply(["values": .object(state.values)])
            case "SetDefaults":
                if let key = call.parameters["key"]?.stringValue { state.values[key] = call.parameters["value"] }
                return VarlinkReply()
            case "SetLargestDisplayMode", "OpenURL": return VarlinkReply()
            default: return VarlinkReply(.methodNotFound(call.method))
            }
        }
    }

    /// Makes a pair of sockets and returns the widget's end. A thread serves the other end until the widget closes it.
    func connect() -> Int32 {
        var ends: [Int32] = [-1, -1]
        socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends)
        let work = Unmanaged.passRetained(Work(service: self, descriptor: ends[1]))
        var thread = pthread_t()
        pthread_create(
            &thread, nil,
            { context in
                context.map { Unmanaged<Work>.fromOpaque($0).takeRetainedValue().run() }
                return nil
            }, work.toOpaque())
        pthread_detach(thread)
        return ends[0]
    }

    private final class Work {
        let service: GroupService
        let descriptor: Int32

        init(service: GroupService, descriptor: Int32) {
            self.service = service
            self.descriptor = descriptor
        }

        func run() {
            var peer = ScriptedService.Peer(descriptor: descriptor)
            while let call = peer.receive() { peer.send(service.reply(to: call)) }
            close(descriptor)
        }
    }
}
