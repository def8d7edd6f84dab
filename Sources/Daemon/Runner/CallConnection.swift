// SPDX-License-Identifier: MIT
import Reactor
import TodayModel
import Varlink

/// Our end of the socket on which a widget serves: calls go out, replies come in.
@LoopActor
final class CallConnection {
    enum News {
        case reply(VarlinkReply)
        /// One of those that come before the reply.
        case placeholder(VarlinkReply)
        case broken(String)
        case closed
    }

    /// What one read(2) brings, for all connections.
    private static var buffer = [UInt8](repeating: 0, count: 64 << 10)

    private let descriptor: OwnedDescriptor
    private let onNews: @LoopActor (News) -> Void
    private var source: IOSource?
    private var input: MessageFramer
    private var output: [UInt8] = []
    private var written = 0
    private var conversation = Conversation()

    /// Bytes that wait for a widget which does not read; then it is not told who looks.
    private static let mostWaiting = 16 << 10

    /// `onNews` is not called any more after `close`, nor after it was told that the connection is broken or closed.
    init(
        _ descriptor: OwnedDescriptor, limit: Int, onNews: @escaping @LoopActor (News) -> Void
    ) throws(ReactorError) {
        self.descriptor = descriptor
        self.onNews = onNews
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

    /// What has come and is no message yet, in words: why there is no answer.
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
        // What it said last is read before its end is noticed.
        if source != nil { read() }
    }

    private func write() {
        guard source != nil, written < output.count else { return }
        switch StreamSocket.send(output, from: written, to: descriptor.number) {
        case .bytes(let count):
            written += count
            source?.events = written < output.count ? [.readable, .writable] : .readable
        case .failed:
            // It reads nothing any more; that is told by the end of what can be read.
            source?.events = .readable
        }
    }

    private func read() {
        switch StreamSocket.receive(from: descriptor.number, into: &Self.buffer) {
        case .bytes(let count):
            input.append(Self.buffer[..<count])
            take()
        case .nothing: return
        case .end, .failed: end(.closed)
        }
    }

    private func take() {
        do {
            var answer: VarlinkReply?
            while source != nil, let message = try input.next() {
                let reply = try VarlinkReply(parsing: message, maxValues: ContentLimits.values)
                switch conversation.meaning(of: reply) {
                case .answer: answer = reply
                case .placeholder: onNews(.placeholder(reply))
                case .stray: break
                case .tooManyPlaceholders:
                    return end(.broken("it sent more than \(Conversation.mostPlaceholders) placeholders"))
                case .surplus:
                    // The owner knows whether it had asked anything at all.
                    guard answer == nil, !conversation.isWaiting else { return end(.broken(Self.tooMuch)) }
                    onNews(.reply(reply))
                }
            }
            guard source != nil, let answer else { return }
            // One call, one answer: what else is there would be taken for the answer to the next.
            if input.bufferedBytes > 0, !conversation.expectsStrays { return end(.broken(Self.tooMuch)) }
            // Only now, when all that came with it is read: the next call may follow at once.
            onNews(.reply(answer))
        } catch {
            end(.broken("its answer is \(error)"))
        }
    }

    private static let tooMuch = "it answered more than once"

    private func end(_ news: News) {
        close()
        onNews(news)
    }
}
