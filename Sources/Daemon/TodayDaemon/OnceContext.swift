// SPDX-License-Identifier: MIT
import JSON
import Reactor
import TodayModel
import Varlink

/// The extension context of a resident that runs once, without a daemon: what it sets is true for it, and gone afterwards.
@LoopActor
final class OnceContext {
    private var session: OnceContextSession
    private let descriptor: OwnedDescriptor
    private var source: IOSource?
    private var input = MessageFramer(limit: ContentLimits.messageBytes)
    private var buffer = [UInt8](repeating: 0, count: 16 << 10)

    init(_ session: OnceContextSession, _ descriptor: OwnedDescriptor) {
        self.session = session
        self.descriptor = descriptor
        source = try? IOSource(owning: descriptor, events: .readable) { [weak self] _ in self?.read() }
    }

    var hasContent: Bool { session.hasContent }
    var largestMode: DisplayMode { session.largestMode }

    private func read() {
        switch StreamSocket.receive(from: descriptor.number, into: &buffer) {
        case .bytes(let count): input.append(buffer[..<count])
        case .nothing: return
        case .end, .failed: return close()
        }
        do {
            while let message = try input.next() {
                let call = try VarlinkCall(parsing: message)
                let reply = session.answer(call)
                if !call.oneway { send(reply.encoded()) }
            }
        } catch {
            close()
        }
    }

    /// A program that does not read its replies loses the connection.
    private func send(_ bytes: [UInt8]) {
        if source != nil, StreamSocket.send(bytes, to: descriptor.number) != .bytes(bytes.count) { close() }
    }

    private func close() {
        source?.cancel()
        source = nil
    }
}

/// Answers the calls of org.todayd.ExtensionContext from memory.
struct OnceContextSession {
    private let manifest: Manifest
    private let sizes: DisplaySizes
    private let mode: DisplayMode
    private let settings: [String: String]
    private let isAction: Bool
    private(set) var hasContent = true
    private(set) var largestMode: DisplayMode
    private var defaults: [AppGroup: JSONObject] = [:]

    init(
        _ manifest: Manifest, _ sizes: DisplaySizes, mode: DisplayMode, settings: [String: String] = [:], isAction: Bool
    ) {
        self.manifest = manifest
        self.sizes = sizes
        self.mode = mode
        self.settings = settings
        self.isAction = isAction
        largestMode = manifest.largestDisplayMode
    }

    mutating func answer(_ call: VarlinkCall) -> VarlinkReply {
        guard call.interfaceName == Self.interface else { return VarlinkReply(.methodNotFound(call.method)) }
        do {
            let answer = try answer(call.memberName, JSONField(root: .object(call.parameters)))
            // Only the program changes its defaults here, so no other reply follows.
            return answer.map { VarlinkReply($0, continues: call.more && call.memberName == "GetDefaults") }
                ?? VarlinkReply(.methodNotFound(call.method))
        } catch let error as VarlinkError {
            return VarlinkReply(error)
        } catch let error as JSONMismatch {
            return VarlinkReply(
                VarlinkError(
                    name: "org.varlink.service.InvalidParameter", parameters: ["parameter": .string(error.path)]))
        } catch {
            return VarlinkReply(Self.error("Refused", ["reason": .string("\(error)")]))
        }
    }

    /// Nil for an unknown method.
    private mutating func answer(_ method: String, _ parameters: JSONField) throws -> JSONObject? {
        switch method {
        case "Describe": return description
        case "SetHasContent": hasContent = try parameters.required("hasContent").bool()
        case "HasContent": return ["hasContent": .bool(hasContent)]
        case "SetLargestDisplayMode":
            largestMode = min(try parameters.required("mode").choice(DisplayMode.self), manifest.largestDisplayMode)
        case "OpenURL":
            let url = try parameters.required("url").string()
            guard isAction else { throw Self.error("URLRefused", ["reason": "no action is performed"]) }
            if let reason = URLScheme.refusal(of: url, for: manifest.id, declaring: manifest.urlSchemes) {
                throw Self.error("URLRefused", ["reason": .string(reason)])
            }
        case "GetDefaults":
            let group = try group(try parameters.optional("group")?.string())
            return ["values": .object(defaults[group] ?? [:])]
        case "SetDefaults":
            let group = try group(try parameters.optional("group")?.string())
            let key = try parameters.required("key").string()
            defaults[group, default: [:]][key] = try parameters.optional("value")?.value
        default: return nil
        }
        return [:]
    }

    private var description: JSONObject {
        func json(_ mode: DisplayMode) -> JSON {
            ["columns": JSON(sizes[mode].columns), "rows": JSON(sizes[mode].rows)]
        }
        return [
            "id": .string(manifest.id.text), "mode": .string(mode.rawValue),
            "largestMode": .string(largestMode.rawValue), "compact": json(.compact), "expanded": json(.expanded),
            "groups": JSON(manifest.appGroups.map(\.text)), "schemes": JSON(manifest.urlSchemes),
            "settings": .object(settings.reduce(into: JSONObject()) { $0[$1.key] = .string($1.value) }),
        ]
    }

    private func group(_ name: String?) throws(VarlinkError) -> AppGroup {
        let groups = manifest.appGroups
        if let name, let group = groups.first(where: { $0.text == name }) { return group }
        if name == nil, let only = groups.first, groups.count == 1 { return only }
        throw Self.error("NoSuchGroup", name.map { ["group": .string($0)] } ?? [:])
    }

    private static let interface = "org.todayd.ExtensionContext"

    private static func error(_ name: String, _ parameters: JSONObject) -> VarlinkError {
        VarlinkError(name: "\(interface).\(name)", parameters: parameters)
    }
}
