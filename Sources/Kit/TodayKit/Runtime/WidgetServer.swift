// SPDX-License-Identifier: MIT
import JSON
import TodayModel
import Varlink

/// Answers org.todayd.Widget on the socket that the process was started with: one call at a time, in their order.
@MainActor
package struct WidgetServer<Widget: TodayWidget> {
    private let host: WidgetHost<Widget>
    private let info: ServiceInfo

    package init(_ host: WidgetHost<Widget>) {
        self.host = host
        info = ServiceInfo(
            vendor: Version.vendor, product: "\(Widget.self)", version: Version.text, url: Version.url,
            interfaces: [InterfaceText(Interfaces.widget)])
    }

    /// Serves until the daemon closes the connection, which is how it ends a widget.
    ///
    /// - Returns: the exit status.
    package func run(on descriptor: Int32) async -> Int32 {
        for await event in MessageReader.events(from: descriptor) {
            switch event {
            case .end(nil):
                host.end()
                return 0
            case .end(let reason?):
                StandardError.say(reason)
                return 1
            case .message(let bytes):
                let call: VarlinkCall
                do throws(VarlinkProtocolError) {
                    call = try VarlinkCall(parsing: bytes)
                } catch {
                    StandardError.say("received \(error)")
                    return 1
                }
                var isConnected = true
                let reply = await answer(call) { reply in
                    isConnected = MessageReader.send(reply.encoded(), to: descriptor)
                }
                if isConnected, !call.oneway { isConnected = MessageReader.send(reply.encoded(), to: descriptor) }
                if !isConnected {
                    host.end()
                    return 0
                }
            }
        }
        return 1
    }

    /// - Parameter send: gets the replies that come before the last.
    package func answer(
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

    /// - Parameter send: nil where the caller takes one reply at most.
    private func perform(_ call: VarlinkCall, _ send: ((VarlinkReply) -> Void)?) async throws -> JSONObject {
        switch try WidgetMethod(call) {
        case .appear(let request):
            host.hostDidAppear(request)
            return [:]
        case .disappear:
            host.hostDidDisappear()
            return [:]
        case .perform(let call, let request):
            let showMeanwhile = send.map { send in
                { (content: Content) in send(VarlinkReply(Self.update(.newData(content)), continues: true)) }
            }
            return Self.update(await host.perform(call, request, showMeanwhile: showMeanwhile))
        }
    }

    private static func update(_ outcome: WidgetOutcome) -> JSONObject { ["update": outcome.json] }
}
