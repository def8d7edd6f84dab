// SPDX-License-Identifier: MIT

/// Whose process is at the other end of a connection on this machine: the kernel lists the user of each socket in
/// /proc/net/tcp and /proc/net/tcp6 (proc_net_tcp(5)).
package enum PeerOwner {
    /// The user of an open connection.
    ///
    /// - Parameters:
    ///   - table: the kernel's list.
    ///   - client: the address of the other end, as the list has it.
    ///   - server: the address of this end.
    /// - Returns: nil where the list has no such connection, or one that its process has closed: the kernel then lists root.
    package static func user(in table: some StringProtocol, client: String, server: String) -> UInt32? {
        for line in table.split(separator: "\n") {
            let words = line.split(separator: " ", maxSplits: 8)
            guard words.count > 8, words[1] == client, words[2] == server else { continue }
            return words[3] == established ? UInt32(words[7]) : nil
        }
        return nil
    }

    private static let established = "01"

    /// An address as the list has it: each four bytes in the machine's order, and the port, in hexadecimal digits.
    ///
    /// - Parameters:
    ///   - address: 4 or 16 bytes, in the network's order.
    package static func entry(_ address: [UInt8], port: UInt16) -> String {
        var text = ""
        for start in stride(from: 0, to: address.count - 3, by: 4) {
            let word = address[start..<start + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            text += hexadecimal(UInt64(word.bigEndian), digits: 8)
        }
        return text + ":" + hexadecimal(UInt64(port), digits: 4)
    }

    private static func hexadecimal(_ number: UInt64, digits: Int) -> String {
        let text = String(number, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(digits - text.count, 0)) + text
    }
}
