// SPDX-License-Identifier: MIT
import Curl
import Platform
import Synchronization

/// A thread for one exchange.
///
/// libcurl blocks: on a small machine two servers that hang would stop every task of a widget. Starting a thread takes
/// microseconds, a request takes milliseconds.
enum TransferThread {
    /// Runs the exchange on a thread of its own. Cancelling the calling task ends the exchange.
    static func run(_ exchange: Exchange) async -> Result<HTTPResponse, HTTPError> {
        let control = TransferControl()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                do {
                    try BackgroundThread.start { perform(exchange, control, continuation) }
                } catch {
                    continuation.resume(returning: .failure(.failed("\(error)")))
                }
            }
        } onCancel: {
            control.cancel()
        }
    }

    private static func perform(
        _ exchange: Exchange, _ control: TransferControl,
        _ continuation: CheckedContinuation<Result<HTTPResponse, HTTPError>, Never>
    ) {
        let transfer: Transfer
        do {
            transfer = try Transfer(control: control, timeout: exchange.timeout)
        } catch {
            continuation.resume(returning: .failure(error))
            return
        }
        let result: Result<HTTPResponse, HTTPError>
        do {
            result = .success(try exchange.perform(on: transfer))
        } catch {
            result = .failure(error)
        }
        // Close first: a program may exit when it gets the result, and must not do so while this thread is inside the TLS
        // library. But closing blocks while libcurl's resolver waits for a name server, and the caller must not wait for
        // that.
        if transfer.isResolving {
            continuation.resume(returning: result)
            transfer.close()
        } else {
            transfer.close()
            continuation.resume(returning: result)
        }
    }
}

/// Lets one thread end a transfer that another performs.
final class TransferControl: Sendable {
    /// The lock keeps the transfer from being closed while another thread wakes it up.
    private struct State {
        var isCancelled = false
        var waker: CurlWaker?
    }

    private let state = Mutex(State())

    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// The transfer calls this before it uses the handle, and with nil before it frees it.
    func attach(_ waker: CurlWaker?) { state.withLock { $0.waker = waker } }

    func cancel() {
        state.withLock { state in
            state.isCancelled = true
            state.waker?.wakeUp()
        }
    }
}
