// SPDX-License-Identifier: MIT
import CMicroHTTPD
import Glibc
import Reactor
import WebPage

/// An answer without an end. Its bytes are made when the client takes them, so a client that never reads costs one piece; the
/// library closes its connection after the time of silence.
@LoopActor
package final class WebStream {
    /// The largest piece that the library takes at once.
    private static let block = 16 * 1_024

    /// Makes the next bytes; empty if there are none now.
    private let next: @LoopActor () -> [UInt8]
    private var rest: [UInt8] = []
    private var taken = 0
    private var connection: OpaquePointer?
    private var isSuspended = false
    private var isEnded = false
    private weak var server: WebServer?
    private var peer = Peer.someone
    /// Called once, when the stream has ended.
    private var onEnd: (@LoopActor () -> Void)?

    package init(next: @escaping @LoopActor () -> [UInt8], onEnd: @escaping @LoopActor () -> Void) {
        self.next = next
        self.onEnd = onEnd
    }

    /// There is something to make.
    package func wake() {
        guard isSuspended, let connection else { return }
        isSuspended = false
        MHD_resume_connection(connection)
        server?.schedule()
    }

    /// Ends the answer after the bytes that are already made.
    package func end() {
        isEnded = true
        wake()
    }

    /// The stream does not begin.
    func discard() {
        let end = onEnd
        onEnd = nil
        end?()
    }

    func begin(on connection: OpaquePointer, by peer: Peer, of server: WebServer) -> OpaquePointer? {
        self.connection = connection
        self.peer = peer
        self.server = server
        // Unsafe: from here on the library holds this reference, and releases it through the last function.
        let context = Unmanaged.passRetained(self).toOpaque()
        let response = cmhd_stream(Self.block, Self.reader, context, Self.release)
        if response == nil { Self.release(context) }
        return response
    }

    private func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        if taken == rest.count {
            rest = isEnded ? [] : next()
            taken = 0
            if !rest.isEmpty { note(isWaiting: true) }
        }
        guard !rest.isEmpty else {
            if isEnded { return cmhd_end_of_stream }
            if let connection {
                isSuspended = true
                MHD_suspend_connection(connection)
            }
            return 0
        }
        let count = min(buffer.count, rest.count - taken)
        buffer.copyBytes(from: rest[taken..<taken + count])
        taken += count
        if taken == rest.count {
            (rest, taken) = ([], 0)
            note(isWaiting: false)
        }
        return count
    }

    private func note(isWaiting: Bool) {
        if let connection { server?.streamWaits(on: cmhd_socket(connection), forReader: isWaiting) }
    }

    private func ended() {
        connection = nil
        isSuspended = false
        server?.streamEnded(of: peer)
        discard()
    }

    // Unsafe, both: the context is the reference that `begin` gave to the library.
    private nonisolated static let reader: MHD_ContentReaderCallback = { context, _, buffer, most in
        guard let context, let buffer else { return cmhd_end_of_stream }
        let stream = Unmanaged<WebStream>.fromOpaque(context).takeUnretainedValue()
        let place = OnLoop(UnsafeMutableRawBufferPointer(start: buffer, count: most))
        return LoopActor.assumeIsolated { stream.read(into: place.value) }
    }

    private nonisolated static let release: MHD_ContentReaderFreeCallback = { context in
        guard let context else { return }
        let stream = Unmanaged<WebStream>.fromOpaque(context).takeRetainedValue()
        LoopActor.assumeIsolated { stream.ended() }
    }
}
