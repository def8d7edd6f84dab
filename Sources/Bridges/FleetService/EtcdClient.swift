// SPDX-License-Identifier: MIT
import Curl
import FleetProtocol
import Glibc
import JSON
import Platform
import Reactor
import TodayModel

/// Sends requests to the endpoints of etcd in turn, and logs in if etcd asks for it.
@LoopActor
final class EtcdClient {
    struct Options: Equatable {
        /// Without a slash at the end.
        var endpoints: [String]
        var user: String?
        var password: String?
        var authority: String?
        var certificate: String?
        var key: String?
    }

    typealias Answer = Result<EtcdReply, EtcdError>

    static let patience = TimeSpan.seconds(5)
    /// Longer than etcd waits for its quorum.
    static let longPatience = TimeSpan.seconds(10)

    private let options: Options
    private let transfers: LoopTransfers
    private var turn = 0
    private var token: String?

    init(_ options: Options) throws {
        self.options = options
        transfers = try LoopTransfers()
    }

    /// Where the next request goes.
    var endpoint: String { options.endpoints[turn % options.endpoints.count] }

    /// Why today-fleet refuses the endpoint: an ordinary user of this machine listens there, as any user can who takes the port
    /// first. TLS would reveal it. The uids of services are below 1000: login.defs(5).
    private func refusal() -> EtcdError? {
        guard let url = try? CurlURL(endpoint), url.scheme == "http", let port = UInt16(url.port),
            url.host == "127.0.0.1" || url.host == "localhost", let owner = LoopbackPort.owner(of: port),
            owner >= 1_000, owner != geteuid()
        else { return nil }
        defer { turn += 1 }
        let reason = "the user \(owner) listens there, and neither root nor a service"
        return EtcdError(message: "\(endpoint) is not asked: \(reason)", code: nil)
    }

    func send(
        _ request: EtcdRequest, within patience: TimeSpan = patience, then: @escaping @LoopActor (Answer) -> Void
    ) {
        send(request, patience, isAgain: false, then)
    }

    private func send(
        _ request: EtcdRequest, _ patience: TimeSpan, isAgain: Bool, _ then: @escaping @LoopActor (Answer) -> Void
    ) {
        if options.user != nil, token == nil, !isAgain {
            return logIn { [self] error in
                if let error { return then(.failure(error)) }
                send(request, patience, isAgain: true, then)
            }
        }
        if let refusal = refusal() { return EventLoop.shared.post { then(.failure(refusal)) } }
        var http = makeRequest(request)
        http.timeout = Int(patience.microseconds / 1_000)
        let turn = turn
        transfers.start(http) { [self] end in
            switch answer(end, turn) {
            case .failure(let error) where error.needsLogin && options.user != nil && !isAgain:
                token = nil
                send(request, patience, isAgain: false, then)
            case let answer: then(answer)
            }
        }
    }

    /// Follows the changes of all keys with a prefix, until `onEnd` is called or the watch is cancelled.
    func watch(
        prefix: String, from revision: Int64, onReply: @escaping @LoopActor (EtcdReply) -> Void,
        onEnd: @escaping @LoopActor (EtcdError) -> Void
    ) -> EtcdWatch {
        var http = makeRequest(.watch(prefix: prefix, from: revision))
        // Without this header, a watch stays silent after the quorum is lost.
        http.headers.append(("Grpc-Metadata-hasleader", "true"))
        http.keepsAlive = true
        let watch = EtcdWatch()
        if let refusal = refusal() {
            EventLoop.shared.post { onEnd(refusal) }
            return watch
        }
        let turn = turn
        watch.transfer = transfers.start(
            http,
            onPiece: { [weak watch] piece in
                guard let watch else { return }
                for line in watch.lines.append(piece) {
                    guard watch.transfer != nil else { return }
                    do throws(EtcdError) {
                        let reply = try EtcdReply(parsing: line)
                        if let error = reply.error { throw error }
                        onReply(reply)
                    } catch {
                        return onEnd(error)
                    }
                }
            },
            onEnd: { [weak self, weak watch] end in
                guard let self, watch?.transfer != nil else { return }
                if case .answered(200, let rest) = end, rest.isEmpty {
                    return onEnd(EtcdError(message: "the connection of the watch has ended", code: nil))
                }
                if case .failure(let error) = answer(end, turn) { onEnd(error) }
            })
        return watch
    }

    func cancel(_ watch: EtcdWatch) {
        if let transfer = watch.transfer { transfers.cancel(transfer) }
        watch.transfer = nil
    }

    private func logIn(then: @escaping @LoopActor (EtcdError?) -> Void) {
        let login = EtcdRequest.authenticate(options.user ?? "", password: options.password ?? "")
        send(login, Self.patience, isAgain: true) { [self] answer in
            switch answer {
            case .success(let reply):
                token = reply.token
                then(reply.token == nil ? EtcdError(message: "etcd gives no token", code: 16) : nil)
            case .failure(let error): then(error)
            }
        }
    }

    private func makeRequest(_ request: EtcdRequest) -> CurlRequest {
        var http = CurlRequest(url: endpoint + request.path)
        http.content = Array(request.body.text.utf8)
        http.userAgent = "today-fleet"
        http.headers = [("Content-Type", "application/json")]
        if let token { http.headers.append(("Authorization", token)) }
        http.allowsPlainHTTP = true
        http.trustedCertificates = options.authority
        if let file = options.certificate { http.certificate = (file, options.key ?? file) }
        http.connectTimeout = 3_000
        return http
    }

    /// After an endpoint did not answer, requests go to the next one.
    private func answer(_ end: LoopTransfers.End, _ turn: Int) -> Answer {
        let place = options.endpoints[turn % options.endpoints.count]
        func unanswered(_ reason: String) -> Answer {
            if self.turn == turn { self.turn += 1 }
            return .failure(EtcdError(message: "\(place): \(PlainText.line(reason, upTo: 300))", code: nil))
        }
        switch end {
        case .failed(let reason): return unanswered(reason)
        case .tooLong: return unanswered("the answer is longer than a fleet needs")
        case .answered(let status, let body):
            do throws(EtcdError) {
                let reply = try EtcdReply(parsing: body)
                if let error = reply.error {
                    if error.isAbsence, self.turn == turn { self.turn += 1 }
                    return .failure(error)
                }
                return status == 200 ? .success(reply) : unanswered("HTTP status \(status)")
            } catch {
                return unanswered("HTTP status \(status), \(error)")
            }
        }
    }
}

/// A running watch of etcd.
@LoopActor
final class EtcdWatch {
    fileprivate var transfer: LoopTransfers.Transfer?
    fileprivate var lines = LineBuffer()
}

/// Cuts a stream into lines.
struct LineBuffer {
    private var rest: [UInt8] = []

    /// - Returns: the lines that are now complete.
    mutating func append(_ bytes: [UInt8]) -> [[UInt8]] {
        rest += bytes
        guard let last = rest.lastIndex(of: UInt8(ascii: "\n")) else { return [] }
        let lines = rest[..<last].split(separator: UInt8(ascii: "\n")).map(Array.init)
        rest = Array(rest[(last + 1)...])
        return lines
    }
}
