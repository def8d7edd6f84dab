// SPDX-License-Identifier: MIT
import JSON
import Reactor
import TodayModel
import Varlink

/// The daemon's end of the socket on which a widget's program serves org.todayd.Widget: sends calls, reads replies.
@LoopActor
final class CallConnection {
    enum Event {
        case reply(VarlinkReply)
        /// A reply with `continues`, before the final one.
        case placeholder(VarlinkReply)
        case broken(String)
        case closed
    }

    /// The buffer of one recv(2), shared by all connections: each read ends before the next begins.
    private static var buffer = [UInt8](repeating: 0, count: 64 << 10)

    private let descriptor: OwnedDescriptor
    private let onEvent: @LoopActor (Event) -> Void
    private var source: IOSource?
    private var input: MessageFramer
    private var output: [UInt8] = []
    private var written = 0
    private var conversation = Conversation()

    /// While more bytes than this wait for a program that does not read, oneway calls are not sent.
    private static let mostWaiting = 16 << 10

    /// `onEvent` is called neither after `close` nor after `.broken` or `.closed`.
    init(
        _ descriptor: OwnedDescriptor, limit: Int, onEvent: @escaping @LoopActor (Event) -> Void
    ) throws(ReactorError) {
        self.descriptor = descriptor
        self.onEvent = onEvent
        input = MessageFramer(limit: limit)
        source = try IOSource(owning: descriptor, events: .readable) { [weak self] in self?.handle($0) }
    }

    func send(_ call: VarlinkCall) {
        if call.oneway, output.count - written > Self.mostWaiting { return }
        conversation.sent(call)
        output.removeFirst(written)
        written = 0
        output += call.encoded()
        write()
    }

    /// A remark that the program has sent an incomplete message; empty if it has not.
    var remainder: String {
        let count = input.bufferedBytes
        return count == 0 ? "" : "; it has sent \(count) bytes without the NUL that ends a message"
    }

    func close() {
        source?.cancel()
        source = nil
    }

    private func handle(_ events: IOEvents) {
        if events.contains(.writable) { write() }
        // Read first what the program sent before it closed the connection.
        if source != nil { read() }
    }

    private func write() {
        guard source != nil, written < output.count else { return }
        switch StreamSocket.send(output, from: written, to: descriptor.number) {
        case .bytes(let count):
            written += count
            source?.events = written < output.count ? [.readable, .writable] : .readable
        case .failed:
            // The program has closed its end. read() reports that, after the last replies.
            source?.events = .readable
        }
    }

    private func read() {
        switch StreamSocket.receive(from: descriptor.number, into: &Self.buffer) {
        case .bytes(let count):
            input.append(Self.buffer[..<count])
            readMessages()
        case .nothing: return
        case .end, .failed: end(.closed)
        }
    }

    private func readMessages() {
        do {
            var answer: VarlinkReply?
            while source != nil, let message = try input.next() {
                let reply = try VarlinkReply(parsing: message, maxValues: ContentLimits.values)
                switch conversation.meaning(of: reply) {
                case .answer: answer = reply
                case .placeholder: onEvent(.placeholder(reply))
                case .stray: break
                case .tooManyPlaceholders:
                    return end(.broken("it sent more than \(Conversation.mostPlaceholders) placeholders"))
                case .surplus:
                    guard answer == nil, !conversation.isWaiting else { return end(.broken(Self.tooMuch)) }
                    onEvent(.reply(reply))
                }
            }
            guard source != nil, let answer else { return }
            // Bytes after the answer would be read as the answer to the next call.
            if input.bufferedBytes > 0, !conversation.expectsStrays { return end(.broken(Self.tooMuch)) }
            // Report the answer last: the owner may send the next call at once.
            onEvent(.reply(answer))
        } catch {
            end(.broken("its answer is \(error)"))
        }
    }

    private static let tooMuch = "it answered more than once"

    private func end(_ event: Event) {
        close()
        onEvent(event)
    }
}
