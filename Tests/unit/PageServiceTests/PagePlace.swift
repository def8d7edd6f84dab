// SPDX-License-Identifier: MIT
import Glibc
import Platform
import Reactor
import Testing
import WebPage
import WebServer

@testable import PageService

/// A site at a port of the loopback.
final class PagePlace: Sendable {
    private let server: WebServer
    private let port: UInt16

    @LoopActor init(_ socket: String, token: Secret?, access: Secret? = nil) throws {
        let site = try PageSite(
            socket: socket, token: token, access: access, names: [], frames: [], owners: [0, getuid()],
            pulses: Pulses(every: 50_000))
        let listener = try WebListener.open(ListenAddress(.loopback, port: 0))
        port = try #require(WebListener.address(of: listener)?.split(separator: ":").last.flatMap { UInt16($0) })
        server = try WebServer(listener, in: ConnectionSlots()) { request, exchange in site.handle(request, exchange) }
    }

    /// The beginning of the answer to a request: up to `end`, or to the end of the connection.
    func answer(
        to request: String, headers: String = "", body: String = "", until end: String? = nil
    ) throws -> String {
        let (descriptor, answer) = try open(request, headers: headers, body: body, until: end)
        close(descriptor)
        return answer
    }

    /// The same, with the connection, which the caller closes.
    func open(
        _ request: String, headers: String = "", body: String = "", until end: String? = nil
    ) throws -> (descriptor: Int32, answer: String) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var limit = timeval(tv_sec: 10, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        (address.sin_family, address.sin_port) = (sa_family_t(AF_INET), port.bigEndian)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        try #require(result == 0)
        var text = "\(request) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\(headers)"
        if request.hasPrefix("POST") {
            text += "X-Today-Token: secret\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n"
            text += "\r\n\(body)"
        } else {
            text += "\r\n"
        }
        let bytes = Array(text.utf8)
        try #require(send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count)
        var answer = ""
        var piece = [UInt8](repeating: 0, count: 65_536)
        while end.map({ !answer.contains($0) }) ?? true, case let count = recv(descriptor, &piece, piece.count, 0),
            count > 0
        {
            answer += String(decoding: piece[..<count], as: UTF8.self)
        }
        return (descriptor, answer)
    }
}
