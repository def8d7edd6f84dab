// SPDX-License-Identifier: MIT
import CMicroHTTPD

/// Whether all lines of a request's head end in CR LF, and none continues another. libmicrohttpd before 1.0 also ends a line at
/// a line feed alone, joins continued lines, and takes a line that begins with NUL for the end; another reader splits such a
/// head differently. The library splits the head in the buffer in which it was received, so the distances between its words
/// reveal what was between them.
struct RequestHeadCheck {
    /// What ends a line.
    private static let ending: UInt = 2

    private let start: UInt
    private var end: UInt
    private var areClear: Bool

    /// - Parameters:
    ///   - method: the first word of the request's line.
    ///   - version: its last word.
    init(method: UnsafePointer<CChar>?, version: UnsafePointer<CChar>?) {
        start = UInt(bitPattern: method)
        end = UInt(bitPattern: version) + UInt("HTTP/1.1".utf8.count)
        areClear = true
    }

    /// The next header.
    mutating func take(name: UnsafePointer<CChar>?, value: UnsafePointer<CChar>?, count: Int) {
        areClear = areClear && UInt(bitPattern: name) == end &+ Self.ending
        end = UInt(bitPattern: value) &+ UInt(count)
    }

    /// - Parameter size: of the whole head.
    func areClear(inHeadOf size: Int) -> Bool {
        cmhd_is_strict != 0 || areClear && end &+ 2 * Self.ending == start &+ UInt(size)
    }
}
