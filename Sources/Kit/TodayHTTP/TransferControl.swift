// SPDX-License-Identifier: MIT
import CCurl
import Synchronization

/// How one thread ends a transfer that another performs.
final class TransferControl: Sendable {
    /// The handle is the transfer's. libcurl allows one call on it from other threads, curl_multi_wakeup(3), as long as it
    /// exists; the lock sees to that.
    private struct State: @unchecked Sendable {
        var isCancelled = false
        var transfers: UnsafeMutableRawPointer?
    }

    private let state = Mutex(State())

    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Before the first use of `transfers`, and with nil before it is gone.
    func attach(_ transfers: UnsafeMutableRawPointer?) {
        let attached = State(transfers: transfers)
        state.withLock { $0.transfers = attached.transfers }
    }

    func cancel() {
        state.withLock { state in
            state.isCancelled = true
            if let transfers = state.transfers { _ = curl_multi_wakeup(transfers) }
        }
    }
}
