// SPDX-License-Identifier: MIT
import CMicroHTTPD
import Reactor
import WebPage

/// One request and its answer, which may come later.
@LoopActor
package final class WebExchange {
    private enum State {
        case open
        /// The library waits for the answer.
        case suspended
        case answered(HTTPAnswer)
        case streaming(WebStream, headers: [HTTPField])
        /// The library has the answer, or the client is gone.
        case given
    }

    package private(set) var request: HTTPRequest
    nonisolated let descriptor: Int32
    package let peer: Peer
    /// Called once, when the exchange has ended in any way.
    package var onEnd: (@LoopActor () -> Void)?
    var isHandled = false

    private let connection: OpaquePointer
    private weak var server: WebServer?
    private var state = State.open
    private var stream: WebStream?

    init(_ connection: OpaquePointer, _ request: HTTPRequest, by peer: Peer, of server: WebServer) {
        self.peer = peer
        self.connection = connection
        self.request = request
        self.server = server
        descriptor = cmhd_socket(connection)
    }

    /// The client has shown the token.
    package func trust() { server?.trust(descriptor) }

    /// Answers. Only the first answer counts.
    package func answer(_ answer: HTTPAnswer) { settle(.answered(answer)) }

    /// Answers with a stream, or refuses if there is no room for one.
    package func stream(_ stream: WebStream, headers: [HTTPField]) {
        guard let server, server.hasRoomForStream(of: peer), !hasAnswer else {
            stream.discard()
            return answer(
                peer == .someone
                    ? HTTPAnswer(403, "a stream is only for a client that keeps its end of the connection open")
                    : HTTPAnswer(503, "there are too many streams"))
        }
        settle(.streaming(stream, headers: headers))
    }

    private func settle(_ settled: State) {
        switch state {
        case .open: state = settled
        case .suspended:
            state = settled
            MHD_resume_connection(connection)
            server?.schedule()
        case .answered, .streaming, .given: break
        }
    }

    /// The body grows no longer than `RequestShape` allows, because the library reads no more than the stated length.
    func receive(_ bytes: UnsafeRawBufferPointer) { request.body.append(contentsOf: bytes) }

    var hasAnswer: Bool {
        switch state {
        case .open, .suspended: false
        case .answered, .streaming, .given: true
        }
    }

    /// Passes the answer to the library, or lets it wait.
    func give() -> MHD_Result {
        switch state {
        case .open:
            MHD_suspend_connection(connection)
            state = .suspended
            return cmhd_yes
        case .suspended, .given:
            return cmhd_no
        case .answered(let answer):
            state = .given
            guard let response = answer.body.withUnsafeBytes({ cmhd_response($0.count, $0.baseAddress) }) else {
                return cmhd_no
            }
            if answer.endsConnection { MHD_add_response_header(response, "Connection", "close") }
            return queue(response, UInt32(answer.status), answer.headers)
        case .streaming(let stream, let headers):
            state = .given
            self.stream = stream
            server?.streamBegan(self)
            guard let server, let response = stream.begin(on: connection, by: peer, of: server) else { return cmhd_no }
            return queue(response, 200, headers)
        }
    }

    private func queue(_ response: OpaquePointer, _ status: UInt32, _ headers: [HTTPField]) -> MHD_Result {
        defer { MHD_destroy_response(response) }
        for header in headers { MHD_add_response_header(response, header.name, header.value) }
        return MHD_queue_response(connection, status, response)
    }

    /// The request has ended, with its answer or without.
    func abandon() {
        if case .suspended = state { MHD_resume_connection(connection) }
        state = .given
        stream?.end()
        stream = nil
        let end = onEnd
        onEnd = nil
        end?()
    }
}
