// SPDX-License-Identifier: MIT
import Glibc

/// A thread for one exchange.
///
/// libcurl blocks, and Swift's own threads are as many as there are processors: two hanging servers would stop every task
/// of a widget on a small machine. A thread per request costs some microseconds next to milliseconds of network, and a
/// widget makes few requests. (The daemon, which has one loop and no threads, never links this module.)
enum TransferThread {
    /// Runs the exchange on its thread, to which the cancellation of the calling task is passed on.
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

    /// The stack: libcurl and TLS need a fraction of it, and the usual 8 MiB would count against a widget's `MemoryMax=`
    /// (RLIMIT_DATA), as every private writable mapping does.
    private static let stackSize = 512 << 10

    /// The work is retained for the thread, which alone uses it and gives it back: nothing is shared.
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
                TransferThread.main(Unmanaged<Work>.fromOpaque(context).takeRetainedValue())
                return nil
            }, context.toOpaque())
        guard code != 0 else { return }
        context.release()
        let problem = "cannot start a thread for the request: \(String(cString: strerror(code)))"
        work.continuation.resume(returning: .failure(.failed(problem)))
    }

    private static func main(_ work: Work) {
        // Signals are for the threads that the program knows. And SIGPIPE, which libcurl with CURLOPT_NOSIGNAL does not
        // keep away and which is sent to the thread that writes, must not end the widget.
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
        // Usually first the end of the connection, then the answer: a program that exits on the answer must not do so
        // while another thread is inside the TLS library. But a thread of libcurl that waits for a name server cannot be
        // stopped, only waited for, and the caller must not wait with it.
        if transfer.isResolving {
            work.continuation.resume(returning: result)
            transfer.close()
        } else {
            transfer.close()
            work.continuation.resume(returning: result)
        }
    }
}
