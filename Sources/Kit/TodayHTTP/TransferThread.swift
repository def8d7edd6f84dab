// SPDX-License-Identifier: MIT
import Curl
import Glibc
import Synchronization

/// A thread for one exchange.
///
/// libcurl blocks, and Swift runs all tasks on as many threads as there are processors: on a small machine two servers
/// that hang would stop every task of a widget. Starting a thread takes microseconds, a request takes milliseconds.
enum TransferThread {
    /// Runs the exchange on a thread of its own. Cancelling the calling task ends the exchange.
    static func run(_ exchange: Exchange) async -> Result<HTTPResponse, HTTPError> {
        let control = TransferControl()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                start(Work(exchange: exchange, control: control, continuation: continuation))
            }
        } onCancel: {
            control.cancel()
        }
    }

    private final class Work {
        let exchange: Exchange
        let control: TransferControl
        let continuation: CheckedContinuation<Result<HTTPResponse, HTTPError>, Never>

        init(
            exchange: Exchange, control: TransferControl,
            continuation: CheckedContinuation<Result<HTTPResponse, HTTPError>, Never>
        ) {
            self.exchange = exchange
            self.control = control
            self.continuation = continuation
        }
    }

    /// The usual stack of 8 MiB would count against a widget's `MemoryMax=` (RLIMIT_DATA), as every private writable
    /// mapping does (getrlimit(2)). libcurl and TLS need a fraction of this one.
    private static let stackSize = 512 << 10

    /// The new thread alone uses the work and releases it, so the threads share nothing.
    private static func start(_ work: Work) {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        pthread_attr_setstacksize(&attributes, stackSize)
        let context = Unmanaged.passRetained(work)
        var thread = pthread_t()
        let code = pthread_create(
            &thread, &attributes,
            { context in
                guard let context else { return nil }
                TransferThread.perform(Unmanaged<Work>.fromOpaque(context).takeRetainedValue())
                return nil
            }, context.toOpaque())
        guard code != 0 else { return }
        context.release()
        let problem = "cannot start a thread for the request: \(String(cString: strerror(code)))"
        work.continuation.resume(returning: .failure(.failed(problem)))
    }

    private static func perform(_ work: Work) {
        // The program handles its signals on its own threads. SIGPIPE goes to the thread that writes, and libcurl does not
        // block it when CURLOPT_NOSIGNAL is set; unblocked, it would end the widget.
        var all = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_BLOCK, &all, nil)
        let transfer: Transfer
        do {
            transfer = try Transfer(control: work.control, timeout: work.exchange.timeout)
        } catch {
            work.continuation.resume(returning: .failure(error))
            return
        }
        let result: Result<HTTPResponse, HTTPError>
        do {
            result = .success(try work.exchange.perform(on: transfer))
        } catch {
            result = .failure(error)
        }
        // Close first: a program may exit when it gets the result, and must not do so while this thread is inside the TLS
        // library. But closing blocks while libcurl's resolver waits for a name server, and the caller must not wait for
        // that.
        if transfer.isResolving {
            work.continuation.resume(returning: result)
            transfer.close()
        } else {
            transfer.close()
            work.continuation.resume(returning: result)
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
