// SPDX-License-Identifier: MIT
import Curl
import Reactor

/// Transfers of libcurl in the event loop.
@LoopActor
final class LoopTransfers {
    enum End {
        case answered(status: Int, body: [UInt8])
        /// In words.
        case failed(String)
        case tooLong
    }

    /// One transfer. Its body comes in pieces or with its end.
    final class Transfer {
        fileprivate let curl: CurlTransfer
        fileprivate var body: [UInt8] = []
        fileprivate var isTooLong = false
        fileprivate let onPiece: (@LoopActor ([UInt8]) -> Void)?
        fileprivate let onEnd: @LoopActor (End) -> Void

        fileprivate init(
            _ onPiece: (@LoopActor ([UInt8]) -> Void)?, _ onEnd: @escaping @LoopActor (End) -> Void
        ) throws {
            curl = try CurlTransfer()
            (self.onPiece, self.onEnd) = (onPiece, onEnd)
        }
    }

    /// The longest body, or the longest part of a stream between two pieces.
    private static let longestBody = 64 << 20

    private let set: CurlSet
    private var sockets: [Int32: IOSource] = [:]
    private var timer: TimerSource?
    private var running: [ObjectIdentifier: Transfer] = [:]

    init() throws {
        set = try CurlSet()
        timer = try TimerSource(.monotonic) { [weak self] in
            self?.set.continueAfterTimeout()
            self?.settle()
        }
        // libcurl calls these from its functions, which run in the loop.
        set.onSocket = { [weak self] descriptor, interest in
            LoopActor.assumeIsolated { self?.watch(descriptor, interest) }
        }
        set.onTimer = { [weak self] milliseconds in
            LoopActor.assumeIsolated {
                guard let milliseconds else { return self?.timer?.disarm() ?? () }
                self?.timer?.arm(after: Int64(milliseconds) * 1_000, slack: 1_000)
            }
        }
        set.watchSockets()
    }

    /// - Parameter onPiece: receives the body of a stream piece by piece.
    @discardableResult
    func start(
        _ request: CurlRequest, onPiece: (@LoopActor ([UInt8]) -> Void)? = nil,
        onEnd: @escaping @LoopActor (End) -> Void
    ) -> Transfer? {
        do {
            let transfer = try Transfer(onPiece, onEnd)
            transfer.curl.onBody = { [unowned transfer] bytes in
                transfer.body += bytes
                transfer.isTooLong = transfer.body.count > Self.longestBody
                return !transfer.isTooLong
            }
            try transfer.curl.prepare(request)
            running[ObjectIdentifier(transfer)] = transfer
            try set.add(transfer.curl)
            return transfer
        } catch {
            EventLoop.shared.post { onEnd(.failed("\(error)")) }
            return nil
        }
    }

    /// The transfer reports no event after this.
    func cancel(_ transfer: Transfer) {
        guard running.removeValue(forKey: ObjectIdentifier(transfer)) != nil else { return }
        set.remove(transfer.curl)
        transfer.curl.close()
    }

    private func watch(_ descriptor: Int32, _ interest: CurlSet.Interest) {
        let events: IOEvents
        switch interest {
        case .none:
            sockets.removeValue(forKey: descriptor)?.cancel()
            return
        case .read: events = .readable
        case .write: events = .writable
        case .both: events = [.readable, .writable]
        }
        if let source = sockets[descriptor] { return source.events = events }
        sockets[descriptor] = try? IOSource(descriptor: descriptor, events: events) { [weak self] events in
            self?.set.continueAfter(
                descriptor, isReadable: !events.isDisjoint(with: [.readable, .hangup, .error]),
                isWritable: !events.isDisjoint(with: [.writable, .error]))
            self?.settle()
        }
    }

    /// Delivers what the last call of libcurl has returned.
    private func settle() {
        for transfer in running.values {
            guard let onPiece = transfer.onPiece, !transfer.body.isEmpty else { continue }
            let piece = transfer.body
            transfer.body = []
            onPiece(piece)
        }
        while let (curl, code) = set.nextEnd() {
            guard let transfer = running.values.first(where: { $0.curl === curl }) else {
                set.remove(curl)
                continue
            }
            let end = Self.end(of: transfer, code)
            cancel(transfer)
            transfer.onEnd(end)
        }
    }

    private static func end(of transfer: Transfer, _ code: CurlCode) -> End {
        if transfer.isTooLong { return .tooLong }
        if code.meaning == .done { return .answered(status: transfer.curl.status, body: transfer.body) }
        let message = transfer.curl.message
        return .failed(message.isEmpty ? code.text : message)
    }
}
