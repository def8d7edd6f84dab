// SPDX-License-Identifier: MIT
import CMicroHTTPD
import Reactor
import WebPage

// The functions that the library calls, from MHD_run(3) and so on the loop's thread.
//
// Unsafe, all five: `context` is the server that started the library and ends it before it is freed; the library keeps the
// pointer to an exchange from its first call for a request until it has called `onCompleted`.
extension WebServer {
    nonisolated static let onAccept: MHD_AcceptPolicyCallback = { context, address, size in
        guard let context, let address else { return cmhd_no }
        let server = Unmanaged<WebServer>.fromOpaque(context).takeUnretainedValue()
        let bytes = Array(UnsafeRawBufferPointer(start: address, count: Int(size)))
        return LoopActor.assumeIsolated { server.lets(in: SocketAddress(bytes)) ? cmhd_yes : cmhd_no }
    }

    nonisolated static let onTarget:
        @convention(c) (
            UnsafeMutableRawPointer?, UnsafePointer<CChar>?, OpaquePointer?
        ) -> UnsafeMutableRawPointer? = { context, target, connection in
            guard let context, let target, let connection else { return nil }
            let server = Unmanaged<WebServer>.fromOpaque(context).takeUnretainedValue()
            let call = OnLoop((target: target, descriptor: cmhd_socket(connection)))
            LoopActor.assumeIsolated { server.arrived(call.value.target, on: call.value.descriptor) }
            return nil
        }

    nonisolated static let onRequest: MHD_AccessHandlerCallback = {
        context, connection, path, method, version, bytes, count, place in
        guard let context, let connection, let place, let count else { return cmhd_no }
        let server = Unmanaged<WebServer>.fromOpaque(context).takeUnretainedValue()
        let call = OnLoop((connection: connection, path: path, method: method, version: version, place: place))
        let part = OnLoop((bytes: bytes, count: count))
        return LoopActor.assumeIsolated {
            guard let known = call.value.place.pointee else {
                let exchange = server.begin(
                    call.value.connection, call.value.path, call.value.method, call.value.version)
                call.value.place.pointee = Unmanaged.passRetained(exchange).toOpaque()
                if let refusal = server.refusal(of: exchange) { exchange.answer(refusal) }
                return exchange.hasAnswer ? exchange.give() : cmhd_yes
            }
            let exchange = Unmanaged<WebExchange>.fromOpaque(known).takeUnretainedValue()
            if part.value.count.pointee > 0 {
                exchange.receive(
                    UnsafeRawBufferPointer(start: part.value.bytes, count: part.value.count.pointee))
                part.value.count.pointee = 0
                return cmhd_yes
            }
            if !exchange.isHandled {
                exchange.isHandled = true
                server.handle(exchange)
            }
            return exchange.give()
        }
    }

    nonisolated static let onCompleted: MHD_RequestCompletedCallback = { context, _, place, _ in
        guard let context, let place, let known = place.pointee else { return }
        place.pointee = nil
        let server = Unmanaged<WebServer>.fromOpaque(context).takeUnretainedValue()
        let exchange = Unmanaged<WebExchange>.fromOpaque(known).takeRetainedValue()
        LoopActor.assumeIsolated { server.completed(exchange) }
    }

    nonisolated static let onConnection: MHD_NotifyConnectionCallback = { context, connection, _, change in
        guard let context, let connection, case let descriptor = cmhd_socket(connection), descriptor >= 0 else {
            return
        }
        let server = Unmanaged<WebServer>.fromOpaque(context).takeUnretainedValue()
        LoopActor.assumeIsolated {
            if cmhd_is_start(change) != 0 {
                server.connectionBegan(descriptor)
            } else {
                server.connectionEnded(descriptor)
            }
        }
    }
}

/// Pointers that the library passes for the duration of one call.
///
/// Unsafe: the library calls only on the loop's thread, where they are used.
struct OnLoop<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}
