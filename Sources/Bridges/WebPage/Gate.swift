// SPDX-License-Identifier: MIT

import Platform
import Spelling

/// Which requests are answered: those of this server's own page in a browser, and of a program that names this server. A page
/// of another site is refused, even if its name resolves to this machine (DNS rebinding): the request then names that site.
package struct Gate: Sendable {
    /// Host names besides the loopback's, in lower case, under which users reach this server directly or through a proxy.
    private let names: Set<String>
    /// The token of changes; nil if the page allows none.
    private let token: Secret?

    package init(names: [String] = [], token: Secret?) {
        self.names = Set(names.map { $0.lowercased() })
        self.token = token
    }

    package static let tokenHeader = "x-today-token"

    private static let loopback: Set<String> = ["localhost", "127.0.0.1", "[::1]"]

    /// The answer to a refused request; nil lets the request through.
    package func refusal(of request: HTTPRequest) -> HTTPAnswer? {
        guard let host = request.header("host")?.lowercased(), let name = Self.name(of: host),
            Self.loopback.contains(name) || names.contains(name) || Self.isOwn(name, request)
        else {
            return HTTPAnswer(421, "this server has another name; see --host of today-page")
        }
        if !request.values("origin").isEmpty {
            guard let origin = request.header("origin")?.lowercased(),
                ["http://\(host)", "https://\(host)"].contains(origin)
            else { return HTTPAnswer(403, "another site may not ask") }
        }
        return refusal(bySite: request)
    }

    /// An address at which this server listens is not a name that another site could have.
    private static func isOwn(_ name: String, _ request: HTTPRequest) -> Bool {
        guard let own = request.own else { return false }
        let isSixth = name.hasPrefix("[") && name.hasSuffix("]")
        return IPAddress(isSixth ? String(name.dropFirst().dropLast()) : name) == own && own.isFourth != isSixth
    }

    /// Judges by what the browser says about the page that asks. A page of another site may link to this page or frame it,
    /// which frame-ancestors restricts, but may load nothing else.
    private func refusal(bySite request: HTTPRequest) -> HTTPAnswer? {
        let sites = request.values("sec-fetch-site")
        if sites.allSatisfy({ ["none", "same-origin"].contains($0) }) { return nil }
        if request.method != "POST", request.path == "/", request.header("sec-fetch-mode") == "navigate" { return nil }
        return HTTPAnswer(403, "another site may not ask")
    }

    /// The answer to a change that this page may not make; nil for an allowed one and for requests that change nothing.
    package func refusal(ofChange request: HTTPRequest) -> HTTPAnswer? {
        guard request.method == "POST" else { return nil }
        guard let token else {
            return HTTPAnswer(403, "this page is read-only; today-page --allow-changes lets it change")
        }
        guard let given = request.header(Self.tokenHeader), token.isShown(by: given) else {
            return HTTPAnswer(403, "a change needs the token of the page")
        }
        guard request.header("content-type")?.lowercased().hasPrefix("application/json") == true else {
            return HTTPAnswer(415, "a change is JSON")
        }
        return nil
    }

    /// The name before the port. Any port is accepted, because a tunnel has its own.
    static func name(of host: String) -> String? {
        let end: String.Index
        if host.hasPrefix("[") {
            guard let bracket = host.firstIndex(of: "]") else { return nil }
            end = host.index(after: bracket)
        } else {
            end = host.firstIndex(of: ":") ?? host.endIndex
        }
        let rest = host[end...]
        if rest.isEmpty { return String(host) }
        guard rest.hasPrefix(":"), UInt16(rest.dropFirst()) != nil, rest.dropFirst().first != "+" else { return nil }
        return String(host[..<end])
    }

    /// Whether a text may be a name in `Host`.
    package static func isName(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { $0.isAlphanumeric || "-.".utf8.contains($0) }
    }
}

/// The owner of the process at the other end of a connection on this machine: the kernel lists the user of each socket in
/// /proc/net/tcp and /proc/net/tcp6 (proc_net_tcp(5)).
package enum PeerOwner {
    /// The user of an open connection.
    ///
    /// - Parameters:
    ///   - table: the kernel's list.
    ///   - client: the address of the other end, as the list has it.
    ///   - server: the address of this end.
    /// - Returns: nil if the list has no such connection, or if its process has closed it: the kernel then lists root.
    package static func user(in table: some StringProtocol, client: String, server: String) -> UInt32? {
        for line in table.split(separator: "\n") {
            let words = line.split(separator: " ", maxSplits: 8)
            guard words.count > 7, words[1] == client, words[2] == server else { continue }
            return words[3] == established ? UInt32(words[7]) : nil
        }
        return nil
    }

    private static let established = "01"

    /// An address in the form of the list: groups of four bytes in the machine's order, and the port, in hexadecimal digits.
    ///
    /// - Parameters:
    ///   - address: 4 or 16 bytes, in the network's order.
    package static func entry(_ address: [UInt8], port: UInt16) -> String {
        var text = ""
        for start in stride(from: 0, to: address.count - 3, by: 4) {
            let word = address[start..<start + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            text += word.bigEndian.digits(8, radix: 16, uppercase: true)
        }
        return text + ":" + port.digits(4, radix: 16, uppercase: true)
    }
}
