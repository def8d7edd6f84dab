// SPDX-License-Identifier: MIT
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
            interfaces: [InterfaceDescription(constant: Interfaces.widget)])
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
                let reply = await answer(call)
                if !call.oneway, !MessageReader.send(reply.encoded(), to: descriptor) {
                    host.end()
                    return 0
                }
            }
        }
        return 1
    }

    package func answer(_ call: VarlinkCall) async -> VarlinkReply {
        if call.upgrade { return VarlinkReply(.methodNotImplemented(call.method)) }
        switch info.route(call) {
        case .answer(let parameters): return VarlinkReply(parameters)
        case .refuse(let error): return VarlinkReply(error)
        case .run(let method, _):
            do {
                return VarlinkReply(try await perform(method.name, JSONField(root: .object(call.parameters))))
            } catch {
                return VarlinkReply(error as? VarlinkError ?? .invalidParameter("\(error)"))
            }
        }
    }

    private func perform(_ method: String, _ parameters: JSONField) async throws -> JSONObject {
        let call: WidgetCall
        let request: WidgetRequest
        do throws(JSONMismatch) {
            request = try WidgetRequest(try parameters.required("request"))
            switch method {
            case "PerformUpdate": call = .performUpdate
            case "DisplayModeDidChange": call = .displayModeDidChange
            case "PerformAction": call = .performAction(try parameters.required("action").string())
            case "BeginEditing": call = .beginEditing
            case "EndEditing": call = .endEditing
            default: throw parameters.fail("unknown method")
            }
        } catch {
            throw VarlinkError.invalidParameter(error.path)
        }
        return ["update": await host.perform(call, request).json]
    }
}
