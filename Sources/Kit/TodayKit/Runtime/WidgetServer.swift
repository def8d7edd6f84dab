// SPDX-License-Identifier: MIT
import JSON
import Platform
import TodayModel
import Varlink

/// Answers org.todayd.Widget on the socket with which todayd started the process: one call at a time, in their order.
@MainActor
struct WidgetServer<Widget: TodayWidget> {
    private let host: WidgetHost<Widget>
    private let info: ServiceInfo

    init(_ host: WidgetHost<Widget>) {
        self.host = host
        info = ServiceInfo(
            vendor: Version.vendor, product: "\(Widget.self)", version: Version.text, url: Version.url,
            interfaces: [InterfaceText(Interfaces.widget)])
    }

    /// Serves until todayd closes the connection, which tells a widget to end.
    ///
    /// - Returns: the exit status.
    func run(on descriptor: Int32) async -> Int32 {
        for await event in MessageReader.events(from: descriptor) {
            switch event {
            case .end(nil):
                host.end()
                return 0
            case .end(let reason?):
                StandardError.write(reason)
                return 1
            case .message(let bytes):
                let call: VarlinkCall
                do throws(VarlinkProtocolError) {
                    call = try VarlinkCall(parsing: bytes)
                } catch {
                    StandardError.write("received \(error)")
                    return 1
                }
                var isConnected = true
                let reply = await answer(call) { reply in
                    isConnected = Descriptor.sendAll(reply.encoded(), to: descriptor)
                }
                if isConnected, !call.oneway { isConnected = Descriptor.sendAll(reply.encoded(), to: descriptor) }
                if !isConnected {
                    host.end()
                    return 0
                }
            }
        }
        return 1
    }

    /// - Parameter send: gets the replies before the last.
    func answer(
        _ call: VarlinkCall, _ send: @escaping (VarlinkReply) -> Void = { _ in }
    ) async -> VarlinkReply {
        if call.upgrade { return VarlinkReply(.methodNotImplemented(call.method)) }
        do {
            if let parameters = try info.answer(call) { return VarlinkReply(parameters) }
            return VarlinkReply(try await perform(call, call.more && !call.oneway ? send : nil))
        } catch {
            return VarlinkReply(error as? VarlinkError ?? .invalidParameter("\(error)"))
        }
    }

    /// - Parameter send: nil if the caller expects one reply at most.
    private func perform(_ call: VarlinkCall, _ send: ((VarlinkReply) -> Void)?) async throws -> JSONObject {
        switch try WidgetMethod(call) {
        case .appear(let request):
            host.hostDidAppear(request)
            return [:]
        case .disappear:
            host.hostDidDisappear()
            return [:]
        case .perform(let call, let request):
            let onPlaceholder = send.map { send in
                { (content: Content) in send(VarlinkReply(Self.update(.newData(content)), continues: true)) }
            }
            return Self.update(await host.perform(call, request, onPlaceholder: onPlaceholder))
        }
    }

    private static func update(_ outcome: WidgetOutcome) -> JSONObject { ["update": outcome.json] }
}
