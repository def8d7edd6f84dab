// SPDX-License-Identifier: MIT
import Curl
import Glibc
import Platform

/// A transfer that libcurl has ended with an error, and what that error means to a widget.
struct CurlFailure {
    let code: CurlCode
    /// libcurl's message about this failure; empty if it has written none.
    let message: String
    /// errno of the last system call that failed; 0 for none (CURLINFO_OS_ERRNO(3)).
    let systemError: Int
    let address: WebAddress
    let timeout: Duration
    /// Whether the time of the request is over.
    let hasTimedOut: Bool
    /// What had arrived of the answer.
    let answer: AnswerReader

    var error: HTTPError {
        let host = ErrorText.printable(address.host.utf8, limit: 80)
        switch code.meaning {
        case .unknownHost: return .unknownHost(host)
        case .unknownProxy: return .cannotConnect(to: "a proxy", reason: reason())
        case .cannotConnect: return .cannotConnect(to: triedPlaces, reason: systemReason)
        case .timedOut where hasTimedOut:
            return .timedOut(after: timeout, received: answer.receivedBytes)
        // The kernel gives up a connection before a long timeout of the request is over (tcp_syn_retries, tcp(7)).
        case .timedOut: return .cannotConnect(to: triedPlaces, reason: systemReason)
        case .notTrusted:
            let problem = reason(withoutPrefix: "SSL certificate problem: ")
            return .notSecure(host: host, reason: "its certificate is not to be trusted (\(problem))")
        case .badCertificateFile:
            return .notSecure(host: host, reason: "the file of trusted certificates cannot be read")
        case .noTLS: return .notSecure(host: host, reason: reason())
        case .notHTTP:
            // `Exchange` follows redirects and checks the protocol of each URL, so only HTTP/0.9 leads here.
            return .badAnswer("the answer is not HTTP")
        case .outOfMemory where !answer.hasHeaders:
            return .badAnswer("the headers of the answer have more than \(ErrorText.size(AnswerReader.headerLimit))")
        case .partial:
            return .badAnswer(
                "the connection ended before the answer was complete, after \(ErrorText.size(answer.body.count))")
        case .noAnswer: return .badAnswer("the server closed the connection without an answer")
        case .badEncoding:
            return .badAnswer("the answer is not compressed as its Content-Encoding says")
        case .lost:
            return .badAnswer("the connection was lost: \(reason())")
        case .outOfMemory, .done, .other: return .failed(reason())
        }
    }

    /// libcurl's message about this failure, or its general text for the code.
    private func reason(withoutPrefix prefix: String = "") -> String {
        guard !message.isEmpty else { return code.text }
        return message.utf8.starts(with: prefix.utf8) ? String(message.dropFirst(prefix.count)) : message
    }

    private var systemReason: String {
        systemError == 0 ? reason() : String(cString: strerror(Int32(systemError)))
    }

    /// Where libcurl tried to connect. It does not say whether it used a proxy, so the text names the proxy as well.
    private var triedPlaces: String {
        // curl(1) ignores HTTP_PROXY in capitals, because a CGI program gets a client's header under that name.
        let names = (address.isPlain ? ["http_proxy"] : ["https_proxy", "HTTPS_PROXY"]) + ["all_proxy", "ALL_PROXY"]
        guard let name = names.first(where: { EnvironmentVariables.process[$0] != nil }) else {
            return address.place
        }
        return "\(address.place) or to the proxy in \(name)"
    }
}
